import { findBreakingChanges } from 'graphql';
import { expect, test } from 'vitest';
import { DefinitionPlan } from '../../src/apis/flex/plans.ts';
import type { FlexDbRecord } from '../../src/apis/flex/wire.ts';
import { isObject, type JsonObject, object } from '../../src/formats/decode.ts';
import { schema } from '../../src/apis/schema.ts';
import { schemaChanges } from '../../src/typed-flex/changes/changes.ts';
import { lenientModel } from '../../src/typed-flex/changes/lenient-model.ts';
import { planEffect } from '../../src/typed-flex/changes/plan-effect.ts';
import { pull } from '../../src/typed-flex/changes/pull.ts';
import { typedSchema } from '../../src/typed-flex/typed-schema.ts';
import { flexGateway } from '../flex/support.ts';
import { dice } from '../support/dice.ts';
import { randomDatabases } from './random-definitions.ts';
import { snapshotOf } from './snapshots.ts';

const SEED = 49;
const { roll, pick } = dice(SEED);

const types = ['string', 'integer', 'boolean', 'date'] as const;

/** Edits the fields of a table, in one of the ways that people do. */
function editedFields(fields: JsonObject): JsonObject {
  const names = Object.keys(fields);
  const name = names[roll(names.length)] ?? 'first';
  const { [name]: field, ...others } = fields;
  return pick<() => JsonObject>(
    () => others,
    () => ({ ...fields, [`added ${roll(3)}`]: pick(...types) }),
    () => ({ ...fields, [`needed ${roll(3)}`]: { type: pick(...types), required: true } }),
    () => ({ ...fields, [name]: { type: pick(...types), required: roll(2) === 1 } }),
    () => ({ ...others, [name]: field }),
  )();
}

function editedTable(table: JsonObject): JsonObject {
  const fields = editedFields(object(table['fields']));
  const indexed = Object.keys(fields).filter(() => roll(2) === 1);
  return { fields, ...(roll(2) === 1 && { indexed_fields: indexed }) };
}

function edited(database: FlexDbRecord): FlexDbRecord {
  const before = object(database.schema);
  if (!isObject(before['tables'])) return { ...database, schema: editedTable(before) };
  const tables = Object.entries(before['tables']).filter((_table, index) => index === 0 || roll(4) > 0);
  const after = tables.map(([name, table]) => [name, roll(3) === 0 ? editedTable(object(table)) : table]);
  return { ...database, schema: { tables: Object.fromEntries(after) } };
}

/** The schema of one database under these names and those that a pull makes. */
function served(database: FlexDbRecord, names = snapshotOf([]).names) {
  const { databases } = snapshotOf([database]);
  const model = lenientModel(databases, names, schema);
  return { ...model, schema: typedSchema(schema, model.model) };
}

test('random edits are breaking where GraphQL itself says so, and nowhere else', async () => {
  const verdicts = { breaking: 0, safe: 0 };
  for (const database of randomDatabases(SEED, 25)) {
    const before = served(database);
    const after = served(edited(database), before.names);
    const isBreaking = findBreakingChanges(before.schema, after.schema).length > 0;
    const changes = await schemaChanges(before.schema, after.schema);
    const found = changes.filter(({ criticality }) => criticality === 'BREAKING');
    expect({ database: database.id, isBreaking: found.length > 0 }).toEqual({ database: database.id, isBreaking });
    verdicts[isBreaking ? 'breaking' : 'safe'] += 1;
  }
  expect(Math.min(verdicts.breaking, verdicts.safe)).toBeGreaterThan(5);
});

/** A database of one small table, so that an edit often is that of the only field of a type. */
function withFewFields(database: FlexDbRecord): FlexDbRecord {
  const { fields, tables } = object(database.schema);
  const [table] = isObject(tables) ? Object.values(tables) : [{ fields }];
  const few = Object.entries(object(object(table)['fields'])).slice(0, 1 + roll(2));
  return { ...database, schema: { fields: Object.fromEntries(few) }, public_methods: null };
}

/** What `flex diff` tells of the schema when the databases of a snapshot are these. */
async function toldByDiff(snapshot: ReturnType<typeof snapshotOf>, databases: readonly FlexDbRecord[]) {
  const after = pull(databases, { previous: snapshot, base: schema }).snapshot;
  const [one, other] = [snapshot, after].map(({ databases, names }) =>
    typedSchema(schema, lenientModel(databases, names, schema).model),
  );
  return schemaChanges(one, other);
}

test('the plan of a random edit tells the changes that a diff tells once it is made', async () => {
  const seen = { changes: 0, sharedTypes: 0 };
  for (let round = 0; round < 20; round += 1) {
    const databases: readonly FlexDbRecord[] = randomDatabases(SEED + round, 2 + roll(2)).map(withFewFields);
    const at = roll(databases.length);
    const snapshot = snapshotOf(databases);
    const before = databases[at];
    if (!before) throw new Error('There is no database.');
    const after = edited(before);
    const { changes } = await planEffect(new DefinitionPlan(before, after), { schema, snapshot });
    const told = await toldByDiff(snapshot, databases.with(at, { ...before, ...after }));
    expect({ round, changes }).toEqual({ round, changes: told });
    seen.changes += told.length;
    seen.sharedTypes += told.filter(({ path }) => path === 'BigInt' || path === 'TextMatch').length;
  }
  expect(Math.min(seen.changes / 20, seen.sharedTypes)).toBeGreaterThan(1);
});

test('random definitions are created and changed as they were planned', async () => {
  const { execute, sandbox } = await flexGateway();
  const parts = 'name code schema publicMethodsRaw tables { name fields { name type required indexColumn } }';
  const run = async (field: string, type: string, input: object, more = '') => {
    const document = `mutation ($input: ${type}!, $dryRun: Boolean!) {
      result: ${field}(input: $input, dryRun: $dryRun${more}) { ... on FlexDb { id ${parts} } ... on FlexDbPlan { ${parts} } }
    }`;
    const [plan, real] = [
      await execute(document, { variables: { input, dryRun: true } }),
      await execute(document, { variables: { input, dryRun: false } }),
    ].map(({ data, errors }) => ({ errors, ...object(Object(data).result) }));
    const { id, ...done } = object(real);
    expect(plan).toEqual(done);
    return String(id);
  };
  for (const database of randomDatabases(SEED, 8)) {
    const { name, code, public_methods: publicMethodsRaw } = database;
    const id = await run('createFlexDb', 'CreateFlexDbInput', {
      ...{ name: String(name), code, publicMethodsRaw },
      schema: { raw: database.schema },
    });
    const after = { schema: { raw: edited(database).schema } };
    await run('updateFlexDb', 'UpdateFlexDbInput', after, `, id: "${id}"`);
  }
  expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toHaveLength(16);
});
