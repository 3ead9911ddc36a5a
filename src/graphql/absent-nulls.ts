import {
  getNullableType,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  isInputObjectType,
  isListType,
} from 'graphql';

/** In the extensions of an input field: null is a value in a creation, too. */
export const NULL_IS_VALUE = 'nullIsValue';

const CREATION = /^(create|add)/;

/** Returns the arguments of a mutation as its resolver takes them: those of a creation without nulls. */
export function argumentsOfWrite<Given extends object>(
  { name, args }: Pick<GraphQLField<unknown, unknown>, 'name' | 'args'>,
  given: Given,
): Given {
  return CREATION.test(name) ? withoutNulls(given, args) : given;
}

/**
 * Returns the inputs of a creation without those that are null: generated clients send null for what was not set, and upstream has
 * nothing to clear yet. Items of lists, and nulls inside JSON values, stay as they are.
 */
function withoutNulls<Given extends object>(
  given: Given,
  inputs: readonly Pick<GraphQLInputField, 'name' | 'type' | 'extensions'>[],
): Given {
  const copy = { ...given }; // fields that use the same variable share its value
  for (const { name, type, extensions } of inputs) {
    const value: unknown = Reflect.get(copy, name);
    if (value === null && extensions[NULL_IS_VALUE] !== true) Reflect.deleteProperty(copy, name);
    else if (typeof value === 'object') Reflect.set(copy, name, withoutInnerNulls(value, type));
  }
  return copy;
}

function withoutInnerNulls(value: unknown, type: GraphQLInputType): unknown {
  const bare = getNullableType(type);
  if (isListType(bare) && Array.isArray(value)) return value.map((item) => withoutInnerNulls(item, bare.ofType));
  if (!isInputObjectType(bare) || typeof value !== 'object' || value === null) return value;
  return withoutNulls(value, Object.values(bare.getFields()));
}
