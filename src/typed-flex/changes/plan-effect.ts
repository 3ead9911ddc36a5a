import { setImmediate } from 'node:timers/promises';
import type { GraphQLSchema } from 'graphql';
import type { DefinitionPlan } from '../../apis/flex/plans.ts';
import { type SchemaChange, schemaChanges } from './changes.ts';
import { type LenientModel, lenientModel } from './lenient-model.ts';
import { renamedKeys } from '../model/default-names.ts';
import { type ReadDefinitions, readDefinitions } from '../snapshot/read-definitions.ts';
import { emptySnapshot, type Snapshot } from '../snapshot/snapshot.ts';
import { SnapshotError } from '../snapshot/snapshot-error.ts';
import type { TypedModel } from '../model/model.ts';
import { BOUNDS_TYPES } from '../model/reserved-names.ts';
import { typedSchema } from '../typed-schema.ts';
import { BigIntScalar } from '../types/big-int.ts';
import { TextMatch } from '../types/table-filter.ts';

declare module '../../operation/context.ts' {
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

/** Stands for the id of a database that does not exist yet. */
const UNKNOWN_ID = '<id>';

/**
 * Compares the types of a database before and after a plan, under the names of the snapshot and names that are made as
 * `flex pull` makes them. Other databases of the snapshot count where their names or references do.
 */
export async function planEffect({ before, after }: DefinitionPlan, base: TypedBase): Promise<PlanEffect> {
  const id = before?.id ?? UNKNOWN_ID;
  const [one, other] = [readDefinitions(before ? [before] : []), readDefinitions([{ ...after, id }])];
  const failures = [...one.failures.values(), ...other.failures.values()];
  if (failures.length > 0) return { changes: null, problems: failures };
  return compared(one.definitions, other.definitions, id, base);
}

type Definitions = ReadDefinitions['definitions'];

async function compared(
  before: Definitions,
  after: Definitions,
  id: string,
  { schema, snapshot = emptySnapshot }: TypedBase,
): Promise<PlanEffect> {
  const others = Object.entries(snapshot.databases).filter(([, database]) => database.id !== id);
  const model = (own: Definitions, previous: Snapshot) => {
    const databases = Object.fromEntries([...others, ...own]);
    return { databases, ...lenientModel(databases, renamedKeys(previous, databases), schema) };
  };
  const one = model(before, snapshot);
  await setImmediate(); // other operations go on between the steps, each of which may take 0.2 s
  const other = model(after, { version: 1, databases: one.databases, names: one.names }); // what has a name keeps it
  await setImmediate();
  const related = relatedDatabases([one.model, other.model], id);
  const typed = ({ model }: LenientModel) =>
    typedSchema(schema, { databases: model.databases.filter((database) => related.has(database.id)) });
  const typedBefore = typed(one);
  await setImmediate();
  const typedAfter = typed(other);
  await setImmediate();
  const changes = await schemaChanges(typedBefore, typedAfter);
  const rest = one.model.databases.filter((database) => !related.has(database.id));
  return {
    changes: withoutKept(changes, () => typedSchema(schema, { databases: rest })),
    problems: linesOf(other.problems),
  };
}

/**
 * Finds the databases whose types may change with those of one: it, those that it refers to or that refer to it, and so
 * on, in any of the models.
 *
 * @returns upstream ids
 */
function relatedDatabases(models: readonly TypedModel[], id: string): ReadonlySet<string> {
  const databases = models.flatMap((model) => model.databases);
  const owners = new Map(
    databases.flatMap((database) => database.tables.map((table) => [table.typeName, database.id])),
  );
  const references = databases.flatMap((database) =>
    database.tables
      .flatMap(({ fields }) => fields)
      .map(({ references }) => [database.id, owners.get(references?.typeName ?? '') ?? database.id] as const),
  );
  const neighbours = new Map<string, Set<string>>();
  for (const [from, to] of [...references, ...references.map(([from, to]) => [to, from] as const)]) {
    const known = neighbours.get(from) ?? new Set();
    neighbours.set(from, known.add(to));
  }
  const related = new Set([id]);
  for (const one of related) for (const other of neighbours.get(one) ?? []) related.add(other); // the set grows while it is read
  return related;
}

/** Types that a schema has while a field of any database needs them. */
const sharedTypes: ReadonlySet<string> = new Set([BigIntScalar.name, TextMatch.name, ...BOUNDS_TYPES]);

/** Leaves out that a shared type is new or gone where the other databases have it before and after. */
function withoutKept(changes: readonly SchemaChange[], others: () => GraphQLSchema): readonly SchemaChange[] {
  if (!changes.some(({ path }) => sharedTypes.has(path))) return changes;
  const schema = others(); // seldom needed, and it costs as much as a start
  return changes.filter(({ path }) => !sharedTypes.has(path) || schema.getType(path) === undefined);
}

/** As many as the error of a snapshot tells. */
function linesOf(problems: readonly string[]): readonly string[] {
  return problems.length === 0 ? [] : new SnapshotError(problems).message.split('\n');
}
