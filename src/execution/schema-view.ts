import {
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLFieldMap,
  type GraphQLFieldResolver,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
  type OperationTypeNode,
} from 'graphql';

/**
 * Creates a view of a schema whose object types have other resolvers. A type is wrapped when an operation reaches it: a copy of all
 * types of a schema with typed databases takes five seconds.
 *
 * @param wrap returns the resolver of a field
 */
export function withResolvers<Context>(
  schema: GraphQLSchema,
  wrap: (field: GraphQLField<unknown, Context>) => GraphQLFieldResolver<unknown, Context>,
): GraphQLSchema {
  const objects = new Map<GraphQLObjectType, GraphQLObjectType>();
  const possible = new Map<GraphQLAbstractType, readonly GraphQLObjectType[]>();

  const object = (type: GraphQLObjectType): GraphQLObjectType => {
    const known = objects.get(type);
    if (known) return known;
    let fields: GraphQLFieldMap<unknown, Context> | undefined;
    const view: GraphQLObjectType = Object.assign(Object.create(type), {
      getFields: () => (fields ??= fieldsOf(type)),
    });
    objects.set(type, view);
    return view;
  };

  const fieldsOf = (type: GraphQLObjectType): GraphQLFieldMap<unknown, Context> => {
    const fields: GraphQLFieldMap<unknown, Context> = Object.create(null);
    for (const [name, field] of Object.entries(type.getFields()))
      fields[name] = { ...field, type: output(field.type), resolve: wrap(field) };
    return fields;
  };

  const output = (type: GraphQLOutputType): GraphQLOutputType => {
    if (isNonNullType(type)) return new GraphQLNonNull(output(type.ofType));
    if (isListType(type)) return new GraphQLList(output(type.ofType));
    return viewOf(type);
  };

  // The fields of introspection lead to its types themselves.
  const viewOf = <T>(type: T) => (isObjectType(type) && !isIntrospectionType(type) ? object(type) : type);

  const view: GraphQLSchema = Object.assign(Object.create(schema), {
    getType: (name: string) => viewOf(schema.getType(name)),
    getQueryType: () => viewOf(schema.getQueryType()),
    getMutationType: () => viewOf(schema.getMutationType()),
    getRootType: (operation: OperationTypeNode) => viewOf(schema.getRootType(operation)),
    getPossibleTypes: (type: GraphQLAbstractType) => {
      const types = possible.get(type) ?? schema.getPossibleTypes(type).map(object);
      possible.set(type, types);
      return types;
    },
  });
  return view;
}
