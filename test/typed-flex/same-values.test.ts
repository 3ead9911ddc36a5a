import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { schema } from '../../src/schema.ts';
import type { TypedDatabase, TypedField, TypedModel, TypedTable } from '../../src/typed-flex/model/model.ts';
import { modelOf } from '../../src/typed-flex/model/read-model.ts';
import { snapshotText } from '../../src/typed-flex/snapshot/snapshot.ts';
import { dice } from '../support/dice.ts';
import { gatewayOver, settingsFor, type TestGateway } from '../support/gateway.ts';
import { callAt } from '../support/sandbox.ts';
import { namedSnapshotOf, randomDatabases } from './random-definitions.ts';
import { textFile } from './snapshot-files.ts';

const SEED = 41;
const COUNT = 8;
const ROWS = 3;

const stored = z.array(z.looseObject({ id: z.string() }));

let sandbox: Sandbox;
let model: TypedModel;
let snapshot: string;

beforeAll(async () => {
  sandbox = await startSandbox({ origins: 'own' });
  const call = callAt(sandbox.urls.flex);
  for (const { name, code, schema: definition } of randomDatabases(SEED, COUNT)) {
    const { status } = await call('POST', '/flex/dbs.json', {
      token: 'demo-admin',
      body: { db: { name, code, schema: definition } },
    });
    if (status !== 201) throw new Error(`The sandbox answered ${status}.`);
  }
  const { body } = await call('GET', '/flex/dbs.json', { token: 'demo-admin' });
  const named = namedSnapshotOf(stored.parse(body));
  snapshot = snapshotText(named);
  model = modelOf(named, schema);
});
afterAll(() => sandbox.close());

type Row = Readonly<Record<string, unknown>>;

const random = dice(SEED);

/** A value as JSON of the API has it, and as typed fields have it. */
function randomValue(type: TypedField['type']): { readonly untyped: unknown; readonly typed: unknown } {
  const same = (value: unknown) => ({ untyped: value, typed: value });
  const whole = random.pick<unknown>(random.roll(100), -7, '9007199254740993', '-9223372036854775808');
  const number = random.roll(1000) / 8;
  const day = `2026-0${1 + random.roll(9)}-1${random.roll(10)}`;
  const values = {
    string: same(random.pick('żółw', 'a "quoted" text', '日本', ' ')),
    text: same(random.pick('two\nlines', '🙂', 'true')),
    integer: same(whole),
    number: { untyped: number, typed: String(number) },
    boolean: same(random.roll(2) === 0),
    datetime: same(`${day}T0${random.roll(10)}:30:00.000Z`),
    date: same(day),
    time: same(`1${random.roll(10)}:45:00`),
    json: same({ nested: [1, null] }),
  };
  return values[type];
}

/** A row with a value under some or all of the fields of a table, and under a key that has no field. */
function randomRow({ fields }: TypedTable): { readonly untyped: Row; readonly typed: Row } {
  const values = fields
    .filter(({ required }) => required || random.roll(4) > 0)
    .map((field) => ({ field, ...(random.roll(9) > 0 || field.required ? randomValue(field.type) : NULL) }));
  const extra = { 'a key without a field': random.roll(10) };
  return {
    untyped: { ...Object.fromEntries(values.map(({ field, untyped }) => [field.name, untyped])), ...extra },
    typed: { ...Object.fromEntries(values.map(({ field, typed }) => [field.graphqlName, typed])), extra },
  };
}

const NULL = { untyped: null, typed: null };

const DEMO = ['products', 'tracker', 'guestbook'];

/** The tables of the demo, or of the random databases. */
function tables(of: 'demo' | 'random'): { readonly database: TypedDatabase; readonly table: TypedTable }[] {
  return model.databases
    .filter(({ key }) => DEMO.includes(key) === (of === 'demo'))
    .flatMap((database) => database.tables.map((table) => ({ database, table })));
}

const selectionOf = ({ fields }: TypedTable) =>
  `{ upstreamId ${fields.map(({ graphqlName }) => graphqlName).join(' ')} extra }`;

/** Runs an operation that must have no error. */
async function run(gateway: TestGateway, operation: string, variables: Row = {}): Promise<Record<string, unknown>> {
  const { data, errors } = await gateway.execute(operation, { variables });
  expect({ operation, errors }).toEqual({ operation, errors: [] });
  return Object(data);
}

async function openGateway() {
  const settings = { ...settingsFor(sandbox), FLEX_SCHEMA: await textFile(snapshot) };
  return gatewayOver(sandbox.urls.account, settings, 'demo-admin');
}

/** A row as typed fields show it: fields without a value are null. */
const shown = ({ fields }: TypedTable, row: Row) => ({
  ...Object.fromEntries(fields.map(({ graphqlName }) => [graphqlName, null])),
  ...row,
});

test('rows of the demo have the same values typed and untyped', async () => {
  const gateway = await openGateway();
  for (const { database, table } of tables('demo')) {
    const data = await run(
      gateway,
      `query ($db: ID!, $table: String) {
        ${database.queryField} { ${table.listField}(first: 50) { nodes ${selectionOf(table)} } }
        flexDb(id: $db) { search(table: $table, first: 50, sort: { field: "id" }) { nodes { upstreamId data } } }
      }`,
      { db: `FlexDb:${database.id}`, table: table.name },
    );
    const untyped: { upstreamId: string; data: Row }[] = Object(data['flexDb']).search.nodes;
    const expected = untyped.map(({ upstreamId, data: values }) => ({ upstreamId, ...typedValues(table, values) }));
    expect(Object(data[database.queryField])[table.listField].nodes).toEqual(expected);
    expect(expected.length).toBeGreaterThan(5);
  }
});

/** Data of a record as typed fields show it. */
function typedValues({ fields }: TypedTable, data: Row): Row {
  const names = new Set(fields.map(({ name }) => name));
  const values = fields.map(({ name, graphqlName, type }) => {
    const value = data[name] ?? null;
    return [graphqlName, type === 'number' && value !== null ? String(value) : value];
  });
  return {
    ...Object.fromEntries(values),
    extra: Object.fromEntries(Object.entries(data).filter(([key]) => !names.has(key))),
  };
}

test('rows that are written untyped are read with their values by lists, by id and as nodes', async () => {
  const gateway = await openGateway();
  for (const { database, table } of tables('random')) {
    const rows = Array.from({ length: ROWS }, () => randomRow(table));
    const ids = sandbox.store.createFlexRecords(
      database.id,
      rows.map(({ untyped }) => withBigints(untyped)),
      table.name,
    );
    const [id] = ids;
    const selection = selectionOf(table);
    const data = await run(
      gateway,
      `query ($id: ID!, $node: ID!) {
        ${database.queryField} { list: ${table.listField} { nodes ${selection} } one: ${table.oneField}(id: $id) ${selection} }
        node(id: $node) { ... on ${table.typeName} ${selection} }
      }`,
      { id, node: `${table.typeName}:${id}` },
    );

    const expected = rows.map(({ typed }, at) => ({ upstreamId: ids[at], ...shown(table, typed) }));
    const { list, one } = Object(data[database.queryField]);
    expect(new Set(list.nodes)).toEqual(new Set(expected));
    expect(one).toEqual(expected[0]);
    expect(data['node']).toEqual(expected[0]);
  }
});

test('rows that are written typed are read with their values untyped', async () => {
  const gateway = await openGateway();
  for (const { database, table } of tables('random')) {
    const { typed, untyped } = randomRow(table);
    const change = randomRow(table);
    const { typeName } = table;
    const created = await run(
      gateway,
      `mutation ($input: Create${typeName}Input!) { create${typeName}(input: $input) { ... on ${typeName} ${selectionOf(table)} } }`,
      { input: typed },
    );
    const { upstreamId, ...fields } = Object(created[`create${typeName}`]);
    expect(fields).toEqual(shown(table, typed));
    expect(await untypedData(gateway, database, upstreamId)).toEqual(untyped);

    await run(
      gateway,
      `mutation ($id: ID!, $input: Update${typeName}Input!) { update${typeName}(id: $id, input: $input) { ... on ${typeName} { id } } }`,
      { id: upstreamId, input: change.typed },
    );
    expect(await untypedData(gateway, database, upstreamId)).toEqual({ ...untyped, ...change.untyped });
  }
});

async function untypedData(gateway: TestGateway, { id: db }: TypedDatabase, id: string): Promise<unknown> {
  const operation = 'query ($db: ID!, $id: ID!) { flexDb(id: $db) { record(id: $id) { data } } }';
  const data = await run(gateway, operation, { db: `FlexDb:${db}`, id });
  return Object(data['flexDb']).record.data;
}

/** The store of the sandbox has long integers as bigints. */
function withBigints(row: Row): Row {
  const isLong = (value: unknown) => typeof value === 'string' && /^-?\d{16,}$/.test(value);
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, isLong(value) ? BigInt(String(value)) : value]),
  );
}
