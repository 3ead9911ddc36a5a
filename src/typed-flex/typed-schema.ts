import { MapperKind, mapSchema } from '@graphql-tools/utils';
import { type GraphQLFieldConfig, type GraphQLFieldConfigMap, GraphQLObjectType, GraphQLSchema } from 'graphql';
import type { Context } from '../context.ts';
import { connectionType } from './types/connection-type.ts';
import { databaseType } from './types/database-type.ts';
import { directives } from './types/directives.ts';
import type { TypedModel } from './model/model.ts';
import type { NodeType } from '../graphql/node.ts';
import { nodeFields } from './types/node-fields.ts';
import { tableType } from './types/record-type.ts';
import { partsOf } from './types/parts.ts';
import { Joins, type TableTypes } from './types/joins.ts';
import { publicParts } from './public/public-parts.ts';
import { tableMutations } from './types/table-mutations.ts';
import { nodeType, recordsOf, untabledRecords } from './types/typed-records.ts';

/**
 * Adds the types of a model to a schema. The schema itself stays as it is.
 *
 * @param base a schema of the gateway's types, such as `schema` of schema.ts
 * @param assumeValid skips graphql-js' validation of the schema, which would take a tenth of the time of a large start: a model
 *   has valid names only
 */
export function typedSchema(
  base: GraphQLSchema,
  model: TypedModel,
  { assumeValid = false }: { readonly assumeValid?: boolean } = {},
): GraphQLSchema {
  const parts = partsOf(base);
  const { shared } = parts;
  const types: TableTypes = { record: named(() => records), connection: named(() => connections) };
  const joins = new Joins(model, shared, types);
  const records = new Map(
    model.databases.flatMap((database) =>
      database.tables.map((table) => [table.typeName, tableType(database, table, joins, parts)] as const),
    ),
  );
  const connections = new Map([...records].map(([name, type]) => [name, connectionType(type, shared)] as const));
  const databases = model.databases.map(
    (database) => [database.queryField, databaseField(databaseType(database, types, parts))] as const,
  );
  const mutations = model.databases.flatMap((database) =>
    database.tables.map((table) => tableMutations(database, table, types.record(table.typeName), parts)),
  );
  const anonymous = publicParts(model, parts);
  const whole = withRootFields(base, assumeValid, {
    query: { ...Object.fromEntries(databases), ...anonymous.query, ...nodeFields(base, typedNodes(model)) },
    mutation: Object.assign({}, ...mutations, anonymous.mutation),
  });
  return withReverseFields(whole, joins);
}

/** The types of a model whose records have global ids. */
export function typedNodes({ databases }: TypedModel): readonly NodeType[] {
  return databases.flatMap((database) => {
    const untabled = untabledRecords(database);
    const tabled = database.tables.map((table) => recordsOf(database, table));
    return [...tabled, ...(untabled ? [untabled] : [])].map(nodeType);
  });
}

function databaseField(type: GraphQLObjectType<unknown, Context>): GraphQLFieldConfig<unknown, Context> {
  return {
    type,
    description: 'A flexible database with types of its own. Calls no upstream itself.',
    resolve: () => ({}),
  };
}

function named<Type>(types: () => ReadonlyMap<string, Type>): (name: string) => Type {
  return (name) => {
    const type = types().get(name);
    if (type === undefined) throw new Error(`The model has no such type: ${name}.`);
    return type;
  };
}

/** Adds lists to types of other APIs. Their types are copies then, so that the schema that they come from stays as it is. */
function withReverseFields(schema: GraphQLSchema, joins: Joins): GraphQLSchema {
  const names = new Set(joins.outerTypes);
  if (names.size === 0) return schema;
  return mapSchema(schema, {
    [MapperKind.OBJECT_TYPE]: (type) => {
      if (!names.has(type.name)) return type;
      const { fields, ...config } = type.toConfig();
      return new GraphQLObjectType({ ...config, fields: { ...fields, ...joins.reverseFields(type.name) } });
    },
  });
}

type RootFields = Readonly<Record<'query' | 'mutation', GraphQLFieldConfigMap<unknown, Context>>>;

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
