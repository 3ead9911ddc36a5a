import { buildSchema, parse } from 'graphql';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { writesOf } from '../../src/operation/document-writes.ts';
import type { ErrorCode } from '../../src/errors.ts';
import { type KeyedAnswer, keyedGateway } from './support.ts';

// A key is tied to writes, and not to the text of a document: routers split, rename and rewrite what their callers send.

const CREATED = '__typename ... on Client { id }';
const create = (name: string) => `createClient(input: { name: "${name}" }) { ${CREATED} }`;

const told = ({ errors, extensions }: KeyedAnswer) =>
  errors.length > 0
    ? errors.map((error) => `${(error.path ?? []).join('.')} ${String(error.extensions['code'])}`)
    : extensions?.['idempotency'];

const reused = (path: string) => [`${path} ${'IDEMPOTENCY_KEY_REUSED' satisfies ErrorCode}`];

const WITH_INPUT = `mutation ($input: ClientInput!) { createClient(input: $input) { ${CREATED} } }`;

test.each<[string, string, object | undefined]>([
  ['white space and commas', `mutation{createClient(input:{name:"Ada",,note:"x"}){${CREATED}}}`, undefined],
  ['a block string', `mutation { createClient(input: { name: """Ada""", note: "x" }) { ${CREATED} } }`, undefined],
  [
    'the order of the fields of an input',
    `mutation { createClient(input: { note: "x", name: "Ada" }) { id: __typename } }`,
    undefined,
  ],
  ['variables', WITH_INPUT, { input: { name: 'Ada', note: 'x' } }],
  ['variables in another order', WITH_INPUT, { input: { note: 'x', name: 'Ada' } }],
  [
    'a variable within the input, with a default',
    `mutation ($n: String = "Ada", $flag: Boolean = false) { createClient(input: { name: $n, note: "x" }) { ${CREATED} ... on Client @include(if: $flag) { name } } }`,
    {},
  ],
  ['null for what a creation leaves out', WITH_INPUT, { input: { name: 'Ada', note: 'x', email: null } }],
  [
    'the name of the operation',
    `mutation Other { createClient(input: { name: "Ada", note: "x" }) { ${CREATED} } }`,
    undefined,
  ],
  [
    'the selection',
    `mutation { createClient(input: { name: "Ada", note: "x" }) { ... on Client { name } } }`,
    undefined,
  ],
  [
    'a fragment around it',
    `mutation { ...F } fragment F on Mutation { createClient(input: { name: "Ada", note: "x" }) { ${CREATED} } }`,
    undefined,
  ],
  [
    'a write of another mutation beside it',
    `mutation { createDeal(input: { name: "x" }) { __typename } createClient(input: { name: "Ada", note: "x" }) { ${CREATED} } }`,
    undefined,
  ],
  [
    'a field that is skipped',
    `mutation { no: createClient(input: { name: "No" }) @skip(if: true) { ${CREATED} } createClient(input: { name: "Ada", note: "x" }) { ${CREATED} } }`,
    undefined,
  ],
])('a write is the same one in another spelling: %s', async (_name, query, variables) => {
  const { under, upstream } = await keyedGateway();
  await under('k')(`mutation { createClient(input: { name: "Ada", note: "x" }) { ${CREATED} } }`);
  expect(told(await under('k')(query, variables))).toMatchObject({ createClient: 'REPLAYED' });
  expect(upstream.writes.filter((write) => write === 'POST /app/clients.json')).toHaveLength(1);
});

test('an alias is no part of a write', async () => {
  const { under, upstream } = await keyedGateway();
  await under('k')(`mutation { ${create('Ada')} }`);
  expect(told(await under('k')(`mutation { _0_createClient: ${create('Ada')} }`))).toEqual({
    _0_createClient: 'REPLAYED',
  });
  expect(upstream.writes).toHaveLength(1);
});

const UPDATE = 'updateClient(id: "Client:1", input: { name: "Bob" }) { __typename }';

test.each<[string, string, string]>([
  ['a global and an upstream id', UPDATE, UPDATE.replace('"Client:1"', '"1"')],
  ['an id as a number', UPDATE, UPDATE.replace('"Client:1"', '1')],
  [
    'a reference to another record',
    'createPost(input: { title: "x", clientId: "Client:1" }) { __typename }',
    'createPost(input: { title: "x", clientId: 1 }) { __typename }',
  ],
  [
    'a decimal as a number and as a text',
    'createDeal(input: { name: "x", price: 1 }) { __typename }',
    'createDeal(input: { name: "x", price: "1.0" }) { __typename }',
  ],
  [
    'keys of JSON in another order, and 1.0 for 1',
    'createFlexRecord(db: "2", input: { data: { a: 1, b: { c: 2, d: [1, 2] } } }) { __typename }',
    'createFlexRecord(db: "FlexDb:2", input: { data: { b: { d: [1.0, 2], c: 2 }, a: 1.0 } }) { __typename }',
  ],
  [
    'the default of an argument',
    'updateClients(inputs: [{ id: 1, input: { name: "Bob" } }]) { __typename }',
    'updateClients(onFailure: STOP, inputs: [{ input: { name: "Bob" }, id: "Client:1" }]) { __typename }',
  ],
])('a value has one form: %s', async (_name, first, second) => {
  const { under, upstream } = await keyedGateway();
  upstream.add('clients', { name: 'Ada' });
  upstream.add('dbs', { code: 'x' });
  const answer = await under('k')(`mutation { first: ${first} }`);
  expect(answer.errors).toEqual([]);
  const again = await under('k')(`mutation { second: ${second} }`);
  expect(Object.values(Object(told(again)))).toEqual(['REPLAYED']);
});

test.each<[string, string, string]>([
  ['other characters of a text', create('Ada'), create('ada')],
  ['null and absent in a change', UPDATE, UPDATE.replace('name: "Bob"', 'name: "Bob", note: null')],
  [
    'the order of a list',
    'deleteClients(ids: ["1", "2"]) { __typename }',
    'deleteClients(ids: ["2", "1"]) { __typename }',
  ],
  [
    'STOP and CONTINUE',
    'deleteClients(ids: ["1"], onFailure: STOP) { __typename }',
    'deleteClients(ids: ["1"], onFailure: CONTINUE) { __typename }',
  ],
  [
    'numbers beyond 2^53 that JavaScript would round to the same',
    'createDeal(input: { name: "x", price: 9007199254740992 }) { __typename }',
    'createDeal(input: { name: "x", price: 9007199254740993 }) { __typename }',
  ],
  [
    'a text and a number of JSON',
    'createFlexRecord(db: "2", input: { data: { a: 1 } }) { __typename }',
    'createFlexRecord(db: "2", input: { data: { a: "1" } }) { __typename }',
  ],
])('a write of the same mutation that differs in a value is refused: %s', async (_name, first, second) => {
  const { under, upstream } = await keyedGateway();
  upstream.add('clients', { name: 'Ada' });
  upstream.add('dbs', { code: 'x' });
  await under('k')(`mutation { first: ${first} }`);
  const sent = upstream.writes.length;
  const answer = await under('k')(`mutation { second: ${second} }`);
  expect(answer.errors.map(({ extensions }) => extensions['code'])).toContain('IDEMPOTENCY_KEY_REUSED');
  expect(upstream.writes).toHaveLength(sent);
});

test('a refusal says what became of the other write, and advises no new key', async () => {
  const { under, upstream } = await keyedGateway();
  await under('k')(`mutation { ${create('Ada')} }`);
  const refusal = await under('k')(`mutation { ${create('Bob')} }`);
  expect(refusal.errors[0]).toMatchObject({ extensions: { outcome: 'REFUSED' } });
  expect(refusal.errors[0]?.message).toMatch(
    /another write of the same mutation, which was carried out.* sent nothing/,
  );
  expect(refusal.errors[0]?.message).not.toMatch(/new key/);

  upstream.manners.push('drops');
  await under('l')(`mutation { ${create('Ada')} }`);
  const unknown = await under('l')(`mutation { ${create('Bob')} }`);
  expect(unknown.errors[0]?.message).toMatch(/not known whether it was carried out/);
});

test('two equal fields of a document are two writes', async () => {
  const { under, upstream } = await keyedGateway();
  const both = `mutation { a: ${create('Ada')} b: ${create('Ada')} }`;
  expect(told(await under('k')(both))).toEqual({ a: 'FIRST', b: 'FIRST' });
  const again = await under('k')(both);
  expect(again.data).toMatchObject({ a: { id: 'Client:1' }, b: { id: 'Client:2' } });
  expect(upstream.writes).toHaveLength(2);
});

test('a document under the key of one of its writes sends the other ones', async () => {
  const { under, upstream } = await keyedGateway();
  await under('k')(`mutation { ${create('m')} }`);
  expect(told(await under('k')(`mutation { m: ${create('m')} n: ${create('n')} }`))).toEqual({
    m: 'REPLAYED',
    n: 'FIRST',
  });
  expect(told(await under('k')(`mutation { n: ${create('n')} m: ${create('m')} }`))).toEqual({
    n: 'REPLAYED',
    m: 'REPLAYED',
  });
  const other = await under('k')(`mutation { m: ${create('m')} other: ${create('other')} }`);
  expect(told(other)).toEqual(reused('other'));
  expect(other.data).toMatchObject({ m: { id: 'Client:1' }, other: null });
  expect(upstream.writes).toHaveLength(2);
});

test('parts of a document under one key are writes of one intent, unless they are of one mutation', async () => {
  const { under, upstream } = await keyedGateway();
  const parts = [create('Ada'), 'createDeal(input: { name: "x" }) { __typename }', UPDATE];
  for (const part of [...parts, ...parts]) expect((await under('k')(`mutation { ${part} }`)).errors).toEqual([]);
  expect(upstream.writes).toHaveLength(3);
  expect(told(await under('k')(`mutation { ${create('Bob')} }`))).toEqual(reused('createClient'));
  // Two equal writes in two parts are a repetition.
  expect(told(await under('k')(`mutation { ${create('Ada')} }`))).toEqual({ createClient: 'REPLAYED' });
});

test('of two documents at once under one key the write that comes first is the write of the key', async () => {
  const { under, upstream } = await keyedGateway();
  upstream.manners.push('holds');
  const arrival = upstream.arrival();
  const first = under('k')(`mutation { ${create('Ada')} }`);
  await arrival;
  const other = await under('k')(`mutation { ${create('Bob')} }`);
  expect(told(other)).toEqual(reused('createClient'));
  expect(other.errors[0]?.message).toContain('which is under way');
  const same = under('k')(`mutation Same { same: ${create('Ada')} }`);
  upstream.release();
  expect(told(await first)).toEqual({ createClient: 'FIRST' });
  expect(told(await same)).toEqual({ same: 'REPLAYED' });
  expect(upstream.writes).toHaveLength(1);
});

test('a refused write frees its mutation under the key', async () => {
  const { under, upstream } = await keyedGateway();
  upstream.manners.push('refuses');
  await under('k')(`mutation { ${create('')} }`);
  expect(told(await under('k')(`mutation { ${create('Ada')} }`))).toEqual({ createClient: 'FIRST' });
  expect(upstream.writes).toHaveLength(2);
});

test('items of a bulk mutation keep their places', async () => {
  const { under, upstream } = await keyedGateway();
  const bulk = 'createClients(inputs: [{ name: "a" }, { name: "a" }, { name: "b" }]) { ... on Client { id } }';
  upstream.manners.push('answers', 'drops');
  await under('k')(`mutation { ${bulk} }`);
  expect(upstream.writes).toHaveLength(2);
  const again = await under('k')(`mutation { renamed: ${bulk} }`);
  expect(again.data).toMatchObject({ renamed: [{ id: 'Client:1' }, null, {}] });
  expect(upstream.writes).toHaveLength(2);
});

test('two mutations with equal arguments are two writes', async () => {
  const { under, upstream } = await keyedGateway();
  upstream.add('clients', { name: 'Ada' });
  upstream.table('deals').push({ id: 1, name: 'x' });
  const query = 'mutation { deleteClient(id: "1") { __typename } deleteDeal(id: "1") { __typename } }';
  expect(told(await under('k')(query))).toEqual({ deleteClient: 'FIRST', deleteDeal: 'FIRST' });
  expect(upstream.writes).toHaveLength(2);
});

test('a field whose arguments do not fit is refused alone', async () => {
  const { under, upstream } = await keyedGateway();
  const query = `mutation ($id: ID = "1") { deleteClient(id: $id) { __typename } ${create('Ada')} }`;
  const answer = await under('k')(query, { id: null });
  expect(answer.errors).toMatchObject([{ path: ['deleteClient'], extensions: { outcome: 'REFUSED' } }]);
  expect(answer.data).toMatchObject({ createClient: { id: 'Client:1' } });
  expect(upstream.writes).toEqual(['POST /app/clients.json']);
});

test('many writes of one mutation under one key', async () => {
  const { under, upstream } = await keyedGateway({ MAX_ALIASES: 100 });
  const fields = Array.from(
    { length: 100 },
    (_, index) => `_${index}: createClient(input: { name: "n${index % 50}" }) { __typename }`,
  );
  const { errors } = await under('k')(`mutation { ${fields.join(' ')} }`);
  expect(errors).toEqual([]);
  const { extensions } = await under('k')(`mutation { ${fields.toReversed().join(' ')} }`);
  expect(new Set(Object.values(Object(extensions?.['idempotency'])))).toEqual(new Set(['REPLAYED']));
  expect(upstream.writes).toHaveLength(100);
});

test('a variable that many fields use is brought into its form once', () => {
  const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
  const readsWith = (fields: number) => {
    let reads = 0;
    const get = () => {
      reads += 1;
      return 'x'.repeat(2_000);
    };
    const data = Object.defineProperty({}, 'a', { enumerable: true, get });
    const selected = Array.from(
      { length: fields },
      (_, index) => `_${index}: createFlexRecord(db: "1", input: { data: $data }) { __typename }`,
    );
    const document = parse(`mutation ($data: JSONObject!) { ${selected.join(' ')} }`);
    expect(writesOf({ schema, document, variableValues: { data } })).toHaveLength(fields);
    return reads;
  };
  expect(readsWith(50)).toBe(readsWith(1));
});
