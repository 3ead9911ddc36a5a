import {
  type GraphQLEnumType,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLScalarType,
  type GraphQLSchema,
  isEnumType,
  isInterfaceType,
  isObjectType,
  isScalarType,
} from 'graphql';

/** The types of the schema that typed flex adds to, by their names. */
export class SharedTypes {
  readonly #schema: GraphQLSchema;

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  object(name: string): GraphQLObjectType {
    return this.#find(name, isObjectType);
  }

  interface(name: string): GraphQLInterfaceType {
    return this.#find(name, isInterfaceType);
  }

  scalar(name: string): GraphQLScalarType {
    return this.#find(name, isScalarType);
  }

  enum(name: string): GraphQLEnumType {
    return this.#find(name, isEnumType);
  }

  #find<Type extends GraphQLNamedType>(name: string, isOfKind: (type: unknown) => type is Type): Type {
    const type = this.#schema.getType(name);
    if (isOfKind(type)) return type;
    throw new Error(`The schema has no such type: ${name}.`);
  }
}
