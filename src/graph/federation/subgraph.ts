import { getDocumentNodeFromSchema, MapperKind, mapSchema } from '@graphql-tools/utils';
import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  lexicographicSortSchema,
  print,
} from 'graphql';
import type { Context } from '../../operation/context.ts';
import { SEMANTIC_NON_NULL } from '../semantic-non-null.ts';
import { entitiesField, type Entity } from './entities.ts';
import { withTags } from './tags.ts';

/** A subgraph of Apollo Federation 2. */
export interface Subgraph {
  readonly schema: GraphQLSchema;
  /** The SDL for the composition of a supergraph: the schema with its keys, without `_entities` and `_service`. */
  readonly sdl: string;
  /** The SDL of another subgraph, which answers `node` and `nodes` for the same entities. */
  readonly stubs: string;
}

const FEDERATION = 'https://specs.apollo.dev/federation/v2.3';

/** Added to printed schemas: graphql-js before 16.9 and Apollo's composition do not know this standard directive. */
export const ONE_OF = 'directive @oneOf on INPUT_OBJECT';

/** Fields that other subgraphs often have of the records that they refer to. They may provide them with a reference: `@provides`. */
const atHand = new Set(['address', 'email', 'firstName', 'lastName', 'name', 'title']);

/** Directives that the subgraph leaves out: the router answers in parts or not, and it writes nulls of its own. */
const routersDirectives = new Set(['defer', 'stream', SEMANTIC_NON_NULL]);

/** Query fields that a subgraph omits: it cannot resolve global ids of other subgraphs. */
const wholeGraphFields = new Set(['node', 'nodes']);

/**
 * Turns a schema into a subgraph.
 *
 * @param entities the types that other subgraphs can refer to, with their keys
 * @param hasTags whether the SDL has tags, for contracts
 */
export function subgraphOf(schema: GraphQLSchema, entities: readonly Entity[], hasTags: boolean): Subgraph {
  const byName = new Map(entities.map((entity) => [entity.type.name, entity]));
  const part = mapSchema(schema, {
    [MapperKind.QUERY_ROOT_FIELD]: (field, name) => (wholeGraphFields.has(name) ? null : withoutNullability(field)),
    [MapperKind.OBJECT_FIELD]: (field, name, type) =>
      withoutNullability(field, byName.has(type) && atHand.has(name) ? { shareable: {} } : {}),
    [MapperKind.ROOT_OBJECT]: (type) => type,
    [MapperKind.OBJECT_TYPE]: (type) => {
      const entity = byName.get(type.name);
      return withDirectives(type, entity ? { key: entity.keys.map((fields) => ({ fields })) } : { shareable: {} });
    },
  });
  const sdl = printSubgraph(part, hasTags ? byName : undefined);
  return {
    sdl,
    stubs: stubsOf(entities),
    schema: withQueries(part, { _entities: entitiesField(part, byName), _service: serviceField(sdl) }),
  };
}

type FieldConfig = GraphQLFieldConfig<unknown, Context>;

/** A field without the directive that says where its null has an error, and with more of a subgraph. */
function withoutNullability(field: FieldConfig, more?: object): FieldConfig {
  const { [SEMANTIC_NON_NULL]: _left, ...directives } = Object(field.extensions?.['directives']);
  return { ...field, extensions: { ...field.extensions, directives: { ...directives, ...more } } };
}

/** Adds directives to those that a type has. */
function withDirectives(type: GraphQLObjectType, more: object): GraphQLObjectType {
  const directives = { ...Object(type.extensions['directives']), ...more };
  return new GraphQLObjectType({ ...type.toConfig(), extensions: { ...type.extensions, directives } });
}

function withQueries(schema: GraphQLSchema, more: GraphQLFieldConfigMap<unknown, Context>): GraphQLSchema {
  const { query, types, ...config } = schema.toConfig();
  if (!query) throw new Error('The schema has no queries.');
  const { fields, ...queries } = query.toConfig();
  return new GraphQLSchema({
    ...config,
    query: new GraphQLObjectType({ ...queries, fields: { ...fields, ...more } }),
    types: types.filter((type) => type !== query),
  });
}

/** @param records the entities by their names; undefined for an SDL without tags */
function printSubgraph(schema: GraphQLSchema, records?: ReadonlyMap<string, Entity>): string {
  const link = { url: FEDERATION, import: ['@key', '@shareable', ...(records ? ['@tag'] : [])] };
  const linked = new GraphQLSchema({
    ...schema.toConfig(),
    directives: schema.getDirectives().filter(({ name }) => !routersDirectives.has(name)),
    extensions: { ...schema.extensions, directives: { link } },
  });
  const document = getDocumentNodeFromSchema(lexicographicSortSchema(linked));
  return `${print(records ? withTags(document, schema, records) : document)}\n\n${ONE_OF}\n`;
}

function serviceField(sdl: string): GraphQLFieldConfig<unknown, unknown> {
  const service = new GraphQLObjectType({
    name: '_Service',
    description: 'The description of this subgraph for a router.',
    fields: {
      sdl: { type: GraphQLString, description: 'The schema of this subgraph, with the keys of its entities.' },
    },
  });
  return {
    type: new GraphQLNonNull(service),
    description: 'The description of this subgraph. Calls no upstream.',
    resolve: () => ({ sdl }),
  };
}

/**
 * Prints the subgraph that owns `node` and `nodes`: each entity as a stub that has its id alone, which the type of a record is read
 * from. The router reads all other fields from the subgraphs that have them.
 */
function stubsOf(entities: readonly Entity[]): string {
  const names = entities.map(({ type: { name } }) => name).sort();
  const stubs = names.map((name) => `type ${name} implements Node @key(fields: "id") {\n  id: ID!\n}`);
  return [`extend schema @link(url: "${FEDERATION}", import: ["@key"])`, WHOLE_GRAPH, ...stubs]
    .join('\n\n')
    .concat('\n');
}

// Nullable, as everything that crosses the network: an owner that is down would otherwise take the other fields along.
const WHOLE_GRAPH = `type Query {
  "One record by its global id. Its other fields are null when it is not visible to the caller."
  node(id: ID!): Node
  "Records by their global ids, in the same order."
  nodes(ids: [ID!]!): [Node]
}

interface Node {
  id: ID!
}`;
