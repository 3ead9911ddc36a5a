import type { GraphQLSchema } from 'graphql';
import type { DefinitionPlan } from '../flex/plans.ts';
import type { FlexDbRecord } from '../flex/wire.ts';
import { BadResponseError } from '../http/errors.ts';
import { type SchemaChange, schemaChanges } from './changes.ts';
import { definitionOf, type SchemaDefinition } from './definition.ts';
import { checksumOf } from './fingerprint.ts';
import { type LenientModel, lenientModel } from './lenient-model.ts';
import { relatedDatabases } from './related-databases.ts';
import type { Snapshot, StoredDatabase } from './snapshot.ts';
import { SnapshotError } from './snapshot-error.ts';
import { typedSchema } from './typed-schema.ts';

declare module '../context.ts' {
  interface Context {
    /** Undefined for a context that no served schema made. */
    readonly typedBase: TypedBase | undefined;
  }
}

/** The schema that types of databases are laid over, and the names that are served. */
export interface TypedBase {
  readonly schema: GraphQLSchema;
  /** Undefined without FLEX_SCHEMA. */
  readonly snapshot: Snapshot | undefined;
}

/** The changes of the GraphQL schema with typed databases that a plan would cause. */
export interface PlanEffect {
  /** Null when they are not known: the problems say why. */
  readonly changes: readonly SchemaChange[] | null;
  /** One line for each name that has to be written in the mapping, and for a definition that gives no types. */
  readonly problems: readonly string[];
}

/** Definitions have this many fields at most, those before and after the change together. */
const MAX_FIELDS = 2000;

/** Stands for the id of a database that does not exist yet. */
const UNKNOWN_ID = '<id>';

/**
 * Compares the types of a database before and after a plan, under the names of the snapshot and names that are made as
 * `flex pull` makes them. Other databases of the snapshot count where their names or references do.
 */
export async function planEffect({ before, after }: DefinitionPlan, base: TypedBase): Promise<PlanEffect> {
  const id = before?.id ?? UNKNOWN_ID;
  try {
    const definitions = [before && storedOf(before), storedOf({ ...after, id })];
    const count = definitions.reduce((sum, definition) => sum + fieldCount(definition?.schema), 0);
    if (count <= MAX_FIELDS) return await compared(definitions, id, base);
    return unknownEffect(`The definitions before and after have ${count} fields: up to ${MAX_FIELDS} are compared.`);
  } catch (error) {
    if (error instanceof BadResponseError) return unknownEffect(`The schema is malformed: ${error.message}`);
    throw error;
  }
}

async function compared(
  [before, after]: readonly (StoredDatabase | undefined)[],
  id: string,
  { schema, snapshot }: TypedBase,
): Promise<PlanEffect> {
  const others = Object.entries(snapshot?.databases ?? {}).filter(([, database]) => database.id !== id);
  const databases = (own: StoredDatabase | undefined) =>
    Object.fromEntries([...others, ...(own ? [[own.code ?? own.id, own] as const] : [])]);
  const one = lenientModel(databases(before), snapshot?.names ?? {}, schema);
  const other = lenientModel(databases(after), one.names, schema); // what has a name keeps it
  const related = relatedDatabases([one.model, other.model], id);
  const typed = ({ model }: LenientModel) =>
    typedSchema(schema, { databases: model.databases.filter((database) => related.has(database.id)) });
  return { changes: await schemaChanges(typed(one), typed(other)), problems: linesOf(other.problems) };
}

/** @throws BadResponseError for a schema that is malformed */
function storedOf(database: FlexDbRecord): StoredDatabase | undefined {
  const definition = definitionOf(database);
  return definition && { ...definition, checksum: checksumOf(definition) };
}

function fieldCount(schema: SchemaDefinition | undefined): number {
  if (!schema) return 0;
  const tables = 'tables' in schema ? Object.values(schema.tables) : [schema];
  return tables.reduce((sum, { fields }) => sum + Object.keys(fields).length, 0);
}

function unknownEffect(problem: string): PlanEffect {
  return { changes: null, problems: [problem] };
}

/** As many as the error of a snapshot tells. */
function linesOf(problems: readonly string[]): readonly string[] {
  return problems.length === 0 ? [] : new SnapshotError(problems).message.split('\n');
}
