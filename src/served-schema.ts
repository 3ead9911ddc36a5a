import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import type { Config } from './config.ts';
import type { Entity } from './federation/entities.ts';
import { type Subgraph, subgraphOf } from './federation/subgraph.ts';
import { entities, schema } from './schema.ts';

/** The schema that a process serves, or a command prints. It is made once, at the start, and never changes. */
export interface ServedSchema {
  readonly schema: GraphQLSchema;
  /** The names of all fields, those of inputs too. They are public, so they are kept where secrets are removed. */
  readonly fieldNames: ReadonlySet<string>;
  /** The text of the schema, in alphabetical order. */
  printed(): string;
  /** The schema as a subgraph of Apollo Federation. */
  subgraph(): Subgraph;
}

/** Makes the schema of the settings. */
export function servedSchema(_config: Config): Promise<ServedSchema> {
  return Promise.resolve(servingOf(schema, entities));
}

function servingOf(whole: GraphQLSchema, itsEntities: readonly Entity[]): ServedSchema {
  return {
    schema: whole,
    fieldNames: fieldNamesOf(whole),
    printed: () => `${printSchema(lexicographicSortSchema(whole))}\n`,
    subgraph: () => subgraphOf(whole, itsEntities),
  };
}

function fieldNamesOf(whole: GraphQLSchema): ReadonlySet<string> {
  const types = Object.values(whole.getTypeMap());
  return new Set(types.flatMap((type) => ('getFields' in type ? Object.keys(type.getFields()) : [])));
}
