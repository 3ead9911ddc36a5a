import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldResolver,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInterfaceType,
  isObjectType,
  isScalarType,
} from 'graphql';
import type { Context } from '../../operation/context.ts';

// What typed databases take of the schema that they are laid over: types, fields and arguments, by their names.

export const objectType = finder(isObjectType);
export const interfaceType = finder(isInterfaceType);
export const scalarType = finder(isScalarType);
export const enumType = finder(isEnumType);

function finder<Type extends GraphQLNamedType>(isOfKind: (type: unknown) => type is Type) {
  return (base: GraphQLSchema, name: string): Type => {
    const type = base.getType(name);
    if (isOfKind(type)) return type;
    throw new Error(`The schema has no such type: ${name}.`);
  };
}

/** A field as an untyped type has it, with its resolver and its directives. */
export function fieldOf<Parent>(
  base: GraphQLSchema,
  typeName: string,
  name: string,
): GraphQLFieldConfig<Parent, Context> & { readonly resolve: GraphQLFieldResolver<Parent, Context> } {
  const { type, description, resolve, extensions } = objectType(base, typeName).getFields()[name] ?? {};
  if (type && resolve) return { type, description, resolve, extensions };
  throw new Error(`The schema has no such field: ${typeName}.${name}.`);
}

/** Arguments as a field of an untyped type has them, in this order. */
export function argumentsOf(
  base: GraphQLSchema,
  [typeName, field]: readonly [typeName: string, field: string],
  ...names: readonly string[]
): GraphQLFieldConfigArgumentMap {
  const fields = objectType(base, typeName).getFields();
  const args = new Map(fields[field]?.args.map((arg) => [arg.name, arg]));
  const found = names.map((name) => {
    const { type, description } = args.get(name) ?? {};
    if (type) return [name, { type, description }] as const;
    throw new Error(`The schema has no such argument: ${name} of ${typeName}.${field}.`);
  });
  return Object.fromEntries(found);
}
