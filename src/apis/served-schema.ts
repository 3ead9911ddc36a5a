import { printSchemaWithDirectives } from '@graphql-tools/utils';
import { type GraphQLSchema, lexicographicSortSchema } from 'graphql';
import type { Config } from '../config.ts';
import type { Entity } from '../graph/federation/entities.ts';
import { ONE_OF, type Subgraph, subgraphOf } from '../graph/federation/subgraph.ts';
import { useFlexSnapshot } from '../typed-flex/flex-schema.ts';
import { entities, schema } from './schema.ts';
import type { TypedField, TypedModel } from '../typed-flex/model/model.ts';
import type { TypedBase } from '../typed-flex/changes/plan-effect.ts';
import type * as typedFlex from '../typed-flex/typed-schema.ts';
import type { Snapshot } from '../typed-flex/snapshot/snapshot.ts';

/** The schema that a process serves, or a command prints. It is made once, at the start, and never changes. */
export interface ServedSchema {
  readonly schema: GraphQLSchema;
  /** Whether a field has a name, one of an input too. Such names are public, so they are kept where secrets are removed. */
  readonly isFieldName: (name: string) => boolean;
  /** The text of the schema, in alphabetical order. */
  printed(): string;
  /** The schema as a subgraph of Apollo Federation. Without settings it has no tags. */
  subgraph(settings?: Pick<Config, 'SUBGRAPH_TAGS'>): Subgraph;
  /** For the effect of plans of definitions on types. Undefined where no operation makes a plan. */
  readonly typedBase: TypedBase | undefined;
  /** The databases that have types. Undefined without FLEX_SCHEMA. */
  readonly model: TypedModel | undefined;
  /**
   * Creates what notices databases whose definitions are others than those of the types. Undefined without FLEX_SCHEMA, and for
   * anonymous callers.
   */
  readonly watch: typedFlex.ServedTypes['watch'] | undefined;
}

/**
 * Makes the schema of the settings. The code of typed databases is loaded for FLEX_SCHEMA only.
 *
 * @throws ConfigError for a file in FLEX_SCHEMA that cannot be used
 */
export async function servedSchema({ FLEX_SCHEMA, PUBLIC }: SchemaSettings): Promise<ServedSchema> {
  if (FLEX_SCHEMA === '') return withoutTypes;
  const loading = import('../typed-flex/typed-schema.ts'); // while the file is read
  const make = PUBLIC === 'true' ? publicMethods : withTypes;
  return useFlexSnapshot(FLEX_SCHEMA, async (snapshot) => make(snapshot, await loading));
}

type SchemaSettings = Pick<Config, 'FLEX_SCHEMA'> & Partial<Pick<Config, 'PUBLIC'>>;

const withoutTypes: ServedSchema = {
  schema,
  isFieldName: isNameIn(schema),
  printed: () => printWithDirectives(schema),
  subgraph: (settings) => subgraphOf(schema, entities, settings?.SUBGRAPH_TAGS === 'true'),
  typedBase: { schema, snapshot: undefined },
  model: undefined,
  watch: undefined,
};

function withTypes(snapshot: Snapshot, { typesOf }: typeof typedFlex): ServedSchema {
  const { schema: whole, model, nodes, watch } = typesOf(snapshot, schema);
  const withIds = nodes.map((type): Entity => ({ type, keys: ['id', 'upstreamId'] }));
  return {
    schema: whole,
    isFieldName: isNameIn(
      whole,
      model.databases.flatMap(({ tables }) => tables.flatMap(({ fields }) => fields)),
    ),
    printed: () => printWithDirectives(whole),
    subgraph: (settings) => subgraphOf(whole, [...entities, ...withIds], settings?.SUBGRAPH_TAGS === 'true'),
    typedBase: { schema, snapshot },
    model,
    watch,
  };
}

/** The public methods alone. No database is watched: a report would name those without public methods, too. */
function publicMethods(snapshot: Snapshot, { publicTypesOf }: typeof typedFlex): ServedSchema {
  const { schema: anonymous, model } = publicTypesOf(snapshot, schema);
  const fields = model.databases.flatMap(({ publicMethods: methods }) => methods?.fields ?? []);
  return {
    schema: anonymous,
    isFieldName: isNameIn(anonymous, fields),
    printed: () => printWithDirectives(anonymous),
    subgraph: () => {
      throw new Error('The anonymous schema is no subgraph: a rule of the settings says so.');
    },
    typedBase: undefined,
    model,
    watch: undefined,
  };
}

/** Prints the directives, too, that tell where a null has an error, and the origin of types and fields; and defines `@oneOf`. */
function printWithDirectives(served: GraphQLSchema): string {
  return `${spaced(printSchemaWithDirectives(lexicographicSortSchema(served)))}\n\n${ONE_OF}\n`;
}

/** Puts an empty line before each description that is not the first in its braces, as `printSchema` of graphql-js does. */
function spaced(sdl: string): string {
  const descriptions = /([^\n])\n( +"""(?:.*"""|\n[^]*?\n +"""))$/gm;
  return sdl.replaceAll(descriptions, (_whole, before: string, description: string) =>
    [before, ...(before === '{' || before === '(' ? [] : ['']), description].join('\n'),
  );
}

/**
 * Creates the look-up of names of fields. The names are collected when the first one is asked for, which costs milliseconds.
 *
 * @param typed fields whose names in upstream are among them: its messages name these
 */
function isNameIn(whole: GraphQLSchema, typed: readonly TypedField[] = []): (name: string) => boolean {
  let names: ReadonlySet<string> | undefined;
  return (name) => (names ??= fieldNames(whole, typed)).has(name);
}

function fieldNames(whole: GraphQLSchema, typed: readonly TypedField[]): ReadonlySet<string> {
  const names = new Set(typed.map(({ name }) => name));
  for (const type of Object.values(whole.getTypeMap())) {
    if ('getFields' in type) for (const name of Object.keys(type.getFields())) names.add(name);
  }
  return names;
}
