import { getNullableType, type GraphQLInputField, type GraphQLInputType, isInputObjectType, isListType } from 'graphql';

/** In the extensions of an input field: null is a value in a creation, too. */
export const NULL_IS_VALUE = 'nullIsValue';

type Input = Pick<GraphQLInputField, 'name' | 'type' | 'extensions'>;

export const isCreation = (mutation: string): boolean => /^(create|add)/.test(mutation);

/** Whether an input of a creation is the same as one that is left out. */
export function isAbsentNull(value: unknown, { extensions }: Pick<Input, 'extensions'>): boolean {
  return value === null && extensions[NULL_IS_VALUE] !== true;
}

/**
 * Returns the inputs of a creation without those that are null: generated clients send null for what was not set, and upstream has
 * nothing to clear yet. Items of lists, and nulls inside JSON values, stay as they are.
 */
export function withoutNulls<Given extends object>(given: Given, inputs: readonly Input[]): Given {
  const copy = { ...given }; // fields that use the same variable share its value
  for (const input of inputs) {
    const value: unknown = Reflect.get(copy, input.name);
    if (isAbsentNull(value, input)) Reflect.deleteProperty(copy, input.name);
    else if (typeof value === 'object') Reflect.set(copy, input.name, withoutInnerNulls(value, input.type));
  }
  return copy;
}

function withoutInnerNulls(value: unknown, type: GraphQLInputType): unknown {
  const bare = getNullableType(type);
  if (isListType(bare) && Array.isArray(value)) return value.map((item) => withoutInnerNulls(item, bare.ofType));
  if (!isInputObjectType(bare) || typeof value !== 'object' || value === null) return value;
  return withoutNulls(value, Object.values(bare.getFields()));
}
