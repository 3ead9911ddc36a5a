import { MapperKind, mapSchema, printSchemaWithDirectives } from '@graphql-tools/utils';
import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  lexicographicSortSchema,
  specifiedDirectives,
} from 'graphql';
import type { Context } from '../context.ts';
import { entitiesField, type Entity } from './entities.ts';

/** A subgraph of Apollo Federation 2. */
export interface Subgraph {
  readonly schema: GraphQLSchema;
  /** What a supergraph is composed of: the schema with its keys, without the fields that only a router asks for. */
  readonly sdl: string;
}

const FEDERATION = 'https://specs.apollo.dev/federation/v2.3';

/** Apollo's composition does not know this directive of GraphQL's own unless it is told; that of others does. */
const ONE_OF = 'directive @oneOf on INPUT_OBJECT';

/** Types that other subgraphs are likely to have, too, with the same meaning. */
const shareable = new Set(['PageInfo', 'FieldError', 'ForbiddenError', 'NotFoundError', 'ValidationError']);

/** Fields that one subgraph cannot answer for the whole graph. */
const ofTheWholeGraph = new Set(['node', 'nodes']);

/** The schema as a part of a larger graph, where `entities` are known by their keys. */
export function subgraphOf(schema: GraphQLSchema, entities: readonly Entity[]): Subgraph {
  const byName = new Map(entities.map((entity) => [entity.type.name, entity]));
  const part = mapSchema(schema, {
    [MapperKind.QUERY_ROOT_FIELD]: (field, name) => (ofTheWholeGraph.has(name) ? null : field),
    [MapperKind.OBJECT_TYPE]: (type) => {
      const entity = byName.get(type.name);
      if (entity) return withDirectives(type, { key: entity.keys.map((fields) => ({ fields })) });
      return shareable.has(type.name) ? withDirectives(type, { shareable: {} }) : type;
    },
  });
  const sdl = printed(part);
  return { sdl, schema: withQueries(part, { _entities: entitiesField(part, byName), _service: serviceField(sdl) }) };
}

function withDirectives(type: GraphQLObjectType, directives: object): GraphQLObjectType {
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

function printed(schema: GraphQLSchema): string {
  const link = { url: FEDERATION, import: ['@key', '@shareable'] };
  const linked = new GraphQLSchema({
    ...schema.toConfig(),
    directives: specifiedDirectives, // whatever else an operation may use is between a client and its router
    extensions: { ...schema.extensions, directives: { link } },
  });
  return `${printSchemaWithDirectives(lexicographicSortSchema(linked))}\n\n${ONE_OF}\n`;
}

function serviceField(sdl: string): GraphQLFieldConfig<unknown, unknown> {
  const service = new GraphQLObjectType({
    name: '_Service',
    description: 'This subgraph, as a router wants to know it.',
    fields: { sdl: { type: GraphQLString, description: 'Its schema, with the keys of its entities.' } },
  });
  return {
    type: new GraphQLNonNull(service),
    description: 'This subgraph. Calls nothing.',
    resolve: () => ({ sdl }),
  };
}
