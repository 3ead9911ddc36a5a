import { MapperKind, mapSchema } from '@graphql-tools/utils';
import { type GraphQLFieldConfig, type GraphQLFieldConfigMap, GraphQLObjectType, GraphQLSchema } from 'graphql';
import type { Context } from '../operation/context.ts';
import { type NodeType, nodeResolvers, nodeTypes } from '../graph/node.ts';
import { OtherIds } from '../graph/node-ref.ts';
import { nullOnlyOnError } from '../graph/semantic-non-null.ts';
import { DefinitionWatch, type OnDrift } from './changes/definition-watch.ts';
import type { TypedModel } from './model/model.ts';
import { modelOf } from './model/read-model.ts';
import { publicFields, publicSchema, type RootFields } from './public/public-schema.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import { interfaceType } from './types/base-types.ts';
import { databaseType } from './types/database-type.ts';
import { directives } from './types/directives.ts';
import { tableMutations } from './types/table-mutations.ts';
import { ModelTypes } from './types/table-types.ts';

/** A schema with the types of a snapshot. */
export interface ServedTypes {
  readonly schema: GraphQLSchema;
  readonly model: TypedModel;
  /** The types of records that have global ids. */
  readonly nodes: readonly NodeType[];
  /** Creates what notices databases whose definitions are others than those of the types. */
  readonly watch: (onDrift: OnDrift) => DefinitionWatch;
}

/**
 * Adds the types of a snapshot to a schema.
 *
 * @throws SnapshotError for names that cannot be used
 */
export function typesOf(snapshot: Snapshot, base: GraphQLSchema): ServedTypes {
  const model = modelOf(snapshot, base);
  // graphql-js' validation of the schema would take a tenth of the time of a large start: a model has valid names only
  const { schema, nodes } = laidOver(base, model, { assumeValid: true });
  return { schema, model, nodes, watch: (onDrift) => new DefinitionWatch(snapshot, onDrift) };
}

/**
 * Makes the schema of the public methods of a snapshot.
 *
 * @throws SnapshotError for names that cannot be used, and when no database has a public method
 */
export function publicTypesOf(snapshot: Snapshot, base: GraphQLSchema): Pick<ServedTypes, 'schema' | 'model'> {
  const model = modelOf(snapshot, base);
  return { schema: publicSchema(base, model), model };
}

/**
 * Adds the types of a model to a schema. The schema itself stays as it is.
 *
 * @param base a schema of the gateway's types, such as `schema` of schema.ts
 */
export function typedSchema(base: GraphQLSchema, model: TypedModel): GraphQLSchema {
  return laidOver(base, model, { assumeValid: false }).schema;
}

function laidOver(base: GraphQLSchema, model: TypedModel, { assumeValid }: { readonly assumeValid: boolean }) {
  const types = new ModelTypes(model, base);
  const databases = model.databases.map(
    (database) => [database.queryField, databaseField(databaseType(database, types, base))] as const,
  );
  const mutations = model.databases.flatMap((database) =>
    database.tables.map((table) => tableMutations(database, table, types.of(table.typeName).record, base)),
  );
  const anonymous = publicFields(model, base);
  const whole = withRootFields(base, assumeValid, {
    query: { ...Object.fromEntries(databases), ...anonymous.query, ...nodeFields(base, types.nodes) },
    mutation: Object.assign({}, ...mutations, anonymous.mutation),
  });
  whole.extensions = { ...whole.extensions, otherIds: otherIds(model) };
  return { schema: withReverseFields(whole, types), nodes: types.nodes };
}

/**
 * Lists the prefixes of the other global ids of a record, by the prefix of one of them. An id of a table's type tells the table; for any
 * other id the result has the prefixes of all tables. Not documented (A260): that a record id is unique in its database.
 */
function otherIds({ databases }: TypedModel): OtherIds {
  const starts = new OtherIds();
  for (const { id, tables, untabledTypeName, publicMethods: methods } of databases) {
    const typed = tables.map(({ typeName }) => `${typeName}:`);
    if (untabledTypeName !== undefined) typed.push(`${untabledTypeName}:`);
    const untyped = [`FlexRecord:${id}:`];
    if (methods) untyped.push(`PublicFlexRecord:${methods.code}:`, `${methods.rowTypeName}:`);
    const others = (start: string) => [...untyped, ...typed].filter((other) => other !== start);
    for (const start of typed) starts.set(start, untyped);
    for (const start of untyped) starts.set(start, others(start));
  }
  return starts;
}

/** The fields `node` and `nodes` of a schema, for more types than its own. */
function nodeFields(base: GraphQLSchema, more: readonly NodeType[]): GraphQLFieldConfigMap<unknown, Context> {
  const { node, nodes } = base.getQueryType()?.toConfig().fields ?? {};
  if (!node || !nodes) throw new Error('The schema has no field of nodes.');
  const own = base.getPossibleTypes(interfaceType(base, 'Node')).flatMap(({ name }) => nodeTypes.get(name) ?? []);
  const resolvers = nodeResolvers(new Map([...own, ...more].map((type) => [type.name, type])));
  return { node: { ...node, resolve: resolvers.node }, nodes: { ...nodes, resolve: resolvers.nodes } };
}

function databaseField(type: GraphQLObjectType<unknown, Context>): GraphQLFieldConfig<unknown, Context> {
  return {
    type,
    description: 'A flexible database with types of its own. Calls no upstream itself.',
    extensions: nullOnlyOnError(),
    resolve: () => ({}),
  };
}

/** Adds lists to types of other APIs. Their types are copies then, so that the schema that they come from stays as it is. */
function withReverseFields(schema: GraphQLSchema, types: ModelTypes): GraphQLSchema {
  const names = new Set(types.outerTypes);
  if (names.size === 0) return schema;
  return mapSchema(schema, {
    [MapperKind.OBJECT_TYPE]: (type) => {
      if (!names.has(type.name)) return type;
      const { fields, ...config } = type.toConfig();
      return new GraphQLObjectType({ ...config, fields: { ...fields, ...types.reverseFields(type.name) } });
    },
  });
}

function withRootFields(base: GraphQLSchema, assumeValid: boolean, more: RootFields): GraphQLSchema {
  const { query, mutation, types, directives: known, ...config } = base.toConfig();
  return new GraphQLSchema({
    ...config,
    query: withFields(query, more.query),
    mutation: withFields(mutation, more.mutation),
    types: types.filter((type) => type !== query && type !== mutation),
    directives: [...known, ...directives],
    assumeValid,
  });
}

function withFields(
  type: GraphQLObjectType | null | undefined,
  more: GraphQLFieldConfigMap<unknown, Context>,
): GraphQLObjectType {
  if (!type) throw new Error('The schema has no queries, or no mutations.');
  const { fields, ...config } = type.toConfig();
  return new GraphQLObjectType({ ...config, fields: { ...fields, ...more } });
}
