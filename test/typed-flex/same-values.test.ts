import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { FlexDbRecord } from '../../src/apis/flex/wire.ts';
import { isObject, type JsonObject, object } from '../../src/formats/decode.ts';
import { snapshotText } from '../../src/typed-flex/snapshot/snapshot.ts';
import { dice } from '../support/dice.ts';
import { gatewayOver, settingsFor, type TestGateway } from '../support/gateway.ts';
import { callAt, freshSandbox } from '../support/sandbox.ts';
import { type MappedDatabase, mappedDatabases, type MappedTable } from './mapped-databases.ts';
import { namedSnapshotOf, randomDatabases } from './random-definitions.ts';
import { fieldsOf, randomValues, type Row } from './random-rows.ts';
import {
  readingsOf,
  rowsIn,
  typedCreation,
  typedRow,
  typedUpdate,
  untypedCreation,
  type Write,
  type WrittenRow,
} from './row-operations.ts';
import { snapshotAt, textFile } from './snapshot-files.ts';
import { sharedTypedDemo } from './support.ts';

const SEED = 17;
const COUNT = 200;
/** Databases of one operation. */
const BATCH = 10;
/** Databases whose rows are changed, too. */
const CHANGED = 20;

const LIMITS = {
  MAX_ALIASES: 100_000,
  MAX_TOKENS: 1_000_000,
  MAX_COST: 1_000_000_000,
  MAX_UPSTREAM_CALLS: 100_000,
};

type Gateway = Pick<TestGateway, 'execute'>;

const random = dice(SEED);
const stored = z.array(z.looseObject({ id: z.string() }));

/** A gateway with the types of random databases, over a sandbox that has them. */
async function serveRandom(count: number) {
  const { sandbox } = await freshSandbox({ origins: 'own' });
  const { id: account } = sandbox.store.createAccount();
  const { token } = sandbox.store.createUser({ account, permissions: ['account_settings'] });
  for (const { name, code, schema, public_methods } of randomDatabases(SEED, count))
    sandbox.store.createFlexDatabase(account, { name, code, schema, public_methods });
  const { body } = await callAt(sandbox.urls.flex)('GET', '/flex/dbs.json', { token });
  const records: readonly FlexDbRecord[] = stored.parse(body);
  const snapshot = namedSnapshotOf(records);
  const settings = { ...settingsFor(sandbox), ...LIMITS, FLEX_SCHEMA: await textFile(snapshotText(snapshot)) };
  const gateway = await gatewayOver(sandbox.urls.account, settings, token);
  return { gateway, databases: mappedDatabases(records, snapshot.names) };
}

/** Runs fields in one operation. @returns their values, and a line for each error */
async function run(
  gateway: Gateway,
  type: string,
  fields: readonly { readonly field: string; readonly place: string }[],
  variables: Row = {},
) {
  const aliased = fields.map(({ field }, at) => `f${at}: ${field}`);
  const places = new Map(fields.map(({ place }, at) => [`f${at}`, place]));
  const { data, errors } = await gateway.execute(`${type} { ${aliased.join(' ')} }`, { variables });
  const lines = errors.map(({ message, path: [alias = '', ...rest] = [] }) => {
    const place = places.get(String(alias)) ?? 'the operation';
    return `${[place, ...rest].join(' > ')}: ${message}`;
  });
  return { values: fields.map((_field, at) => (isObject(data) ? data[`f${at}`] : undefined)), lines };
}

/** Runs writes in one operation. Their answers must show what was sent. */
async function write(gateway: Gateway, writes: readonly Write[]): Promise<WrittenRow[]> {
  const inputs = writes.map(({ inputType, input }, at) => ({ inputType, input, name: `${inputType}${at}` }));
  const declared = inputs.map(({ inputType, name }) => `$${name}: ${inputType}!`);
  const fields = writes.map(({ mutation, selection, place }, at) => ({
    field: `${mutation}input: $${inputs[at]?.name}) { ${selection} ... on MutationError { refusal: message } }`,
    place,
  }));
  const variables = Object.fromEntries(inputs.map(({ name, input }) => [name, input]));
  const { values, lines } = await run(gateway, `mutation (${declared.join(' ')})`, fields, variables);
  const answers = values.map((value) => (isObject(value) ? value : {}));
  const found = writes.flatMap(({ expected, place }, at) => {
    const { upstreamId: _id, ...shown } = answers[at] ?? {};
    return differences(expected, shown, place);
  });
  expect([...lines, ...found]).toEqual([]);
  return writes.map(({ row }, at) => ({ ...row, id: String(answers[at]?.['upstreamId']) }));
}

/** Reads all rows of some databases in one operation, and finds where they are not as they were written. */
async function misread(gateway: Gateway, rows: readonly WrittenRow[]): Promise<string[]> {
  const readings = readingsOf(rows);
  const { values, lines } = await run(gateway, 'query', readings);
  const found = readings.flatMap(({ rows: own, expected, place }, at) => {
    const apis = new Map(own.map(({ id, api }) => [id, `${api} creation`]));
    const wanted = own.map((row) => [apis.get(row.id), expected(row.values)]);
    const shown = [...rowsIn(values[at])].map(([id, row]) => [apis.get(id) ?? id, row]);
    return differences(Object.fromEntries(wanted), Object.fromEntries(shown), place);
  });
  return [...lines, ...found];
}

/** A line for each value that is not the expected one, with the keys that lead to it. */
function differences(expected: unknown, actual: unknown, place: string): string[] {
  if (isDeepStrictEqual(expected, actual)) return [];
  if (!isObject(expected) || !isObject(actual))
    return [`${place}: ${JSON.stringify(actual)} in place of ${JSON.stringify(expected)}`];
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  const own = (value: JsonObject, key: string) => (Object.hasOwn(value, key) ? value[key] : undefined);
  return [...keys].flatMap((key) => differences(own(expected, key), own(actual, key), `${place} > ${key}`));
}

function creationsIn(database: MappedDatabase): Write[] {
  const { tables, untabled } = database;
  return [
    ...tables.map((table) => typedCreation(database, table, randomValues(table.fields, random))),
    ...tables.map((table) => untypedCreation(database, table, randomValues(table.fields, random))),
    ...(untabled === undefined ? [] : [untypedCreation(database, null, randomValues([], random))]),
  ];
}

/** Changes of some values of each row of a table. */
function updatesOf(rows: readonly WrittenRow[]): Write[] {
  return rows.flatMap((row) => {
    if (!row.table) return [];
    const values = randomValues(row.table.fields, random);
    const some = [...values].filter(() => random.roll(2) === 0);
    return [typedUpdate(row, row.table, new Map(some.length > 0 ? some : values))];
  });
}

test('rows of 200 random databases have the same values typed and untyped, whichever API wrote them', async () => {
  const { gateway, databases } = await serveRandom(COUNT);
  expect(databases).toHaveLength(COUNT);
  const found: string[] = [];
  for (let at = 0; at < COUNT; at += BATCH) {
    const rows = await write(gateway, databases.slice(at, at + BATCH).flatMap(creationsIn));
    found.push(...(await misread(gateway, rows)));
    if (at >= CHANGED) continue;
    const changed = await write(gateway, updatesOf(rows));
    found.push(...(await misread(gateway, [...changed, ...rows.filter(({ table }) => !table)])));
  }
  expect(found).toEqual([]);
});

const typedDemo = sharedTypedDemo();

test('rows of the demo have the same values typed and untyped', async () => {
  const { sandbox, execute } = await typedDemo();
  const { databases, names } = await snapshotAt(sandbox.urls.flex);
  const search = 'search(table: $table, first: 50, sort: { field: "id" })';
  for (const { id, query, tables } of mappedDatabases(Object.values(databases), names)) {
    for (const table of tables) {
      const { values, lines } = await run(
        { execute },
        'query ($db: ID!, $table: String)',
        [
          { place: query, field: `${query} { rows: ${table.list}(first: 50) { nodes ${typedRow(table)} } }` },
          { place: `untyped ${query}`, field: `flexDb(id: $db) { rows: ${search} { nodes { upstreamId data } } }` },
        ],
        { db: `FlexDb:${id}`, table: table.table },
      );
      const [typed, untyped] = values.map((value) => [...rowsIn(value)]);
      const expected = untyped?.map(([id, { data }]) => [id, typedValues(table, object(data))]);
      expect({ lines, typed }).toEqual({ lines: [], typed: expected });
      expect(typed?.length).toBeGreaterThan(5);
    }
  }
});

/** Data of the demo as typed fields show it: the digits of a decimal are a text there. */
function typedValues({ fields }: MappedTable, data: Row): Row {
  const values = Object.entries(data).map(([key, value]) => {
    const isDecimal = fields.some((field) => field.key === key && field.type === 'number');
    const forms = { untyped: value, typed: isDecimal && value !== null ? String(value) : value };
    return [key, { sent: forms, read: forms }] as const;
  });
  return fieldsOf(new Map(values), fields);
}
