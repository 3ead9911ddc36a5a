import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../src/errors.ts';
import { snapshotText } from '../../src/typed-flex/snapshot/snapshot.ts';
import { textFile } from '../typed-flex/snapshot-files.ts';
import { snapshotOf } from '../typed-flex/snapshots.ts';
import { type KeyedAnswer, keyedGateway } from './support.ts';

// Mutations that take no Idempotency-Key: docs/outcomes.md.

const FORUM = { FORUM_URL: new URL('http://127.0.0.1:1') };
const USER = 'createForumUser(input: { login: "a", email: "a@b.example", password: "secret-word" }) { __typename }';
const CLIENT = 'createClient(input: { name: "Ada" }) { __typename ... on Client { id } }';

const publicly = (write: string) => `${write} { __typename ... on MutationError { message } }`;

/** The error of a field that takes no key. */
const notTaken = (path: string) => ({
  path: [path],
  message: expect.stringMatching(/takes no Idempotency-Key.*Nothing was sent.*without the header/),
  extensions: { code: 'IDEMPOTENCY_KEY_NOT_TAKEN' satisfies ErrorCode, outcome: 'REFUSED' },
});

const errorsOf = ({ errors }: KeyedAnswer, path: string) => errors.filter((error) => error.path?.[0] === path);

/** A gateway over databases: public methods whose names were reviewed, and a private table whose name begins like those. */
async function typedGateway(settings = {}) {
  const schema = { fields: { title: 'string' } };
  const public_methods = { create: { allowed_fields: [] }, update: true, delete: true };
  const shop = { id: '7', code: 'shop', schema, public_methods };
  const { databases, names } = snapshotOf([shop, { id: '8', code: 'public-lists', schema }]);
  const reviewed = { ...names['shop'], query: 'shop', type: 'Shop' };
  const publicNames = { query: 'guestBook', type: 'GuestBook', row: 'Entry' };
  const all = { ...names, shop: { ...reviewed, public: publicNames } };
  const FLEX_SCHEMA = await textFile(snapshotText({ version: 1, databases, names: all }));
  return keyedGateway({ FLEX_SCHEMA, ...settings });
}

describe.each([
  ['on', {}],
  ['off', { IDEMPOTENCY: 'off' }],
] as const)('where keys are %s', (_name, settings) => {
  test.each([
    ['a registration in the forum', 'createForumUser', USER],
    ['a public creation', 'createPublicFlexRecord', publicly('createPublicFlexRecord(code: "shop", data: {})')],
    ['a public change', 'updatePublicFlexRecord', publicly('updatePublicFlexRecord(code: "shop", id: 1, data: {})')],
    ['a public deletion', 'deletePublicFlexRecord', publicly('deletePublicFlexRecord(code: "shop", id: 1)')],
    ['a typed public creation, without arguments', 'createEntry', publicly('createEntry')],
    ['a typed public change', 'updateEntry', publicly('updateEntry(id: 1, input: { title: "a" })')],
    ['a typed public deletion', 'deleteEntry', publicly('deleteEntry(id: 1)')],
  ])('%s is refused under a key before anything is sent', async (_write, field, text) => {
    const { under, upstream } = await typedGateway({ ...FORUM, ...settings });
    const before = upstream.received.length;
    const answer = await under('k', { 'x-forum-authorization': 'Basic YTpi' })(`mutation { ${text} }`);
    expect(answer.data).toEqual({ [field]: null });
    expect(answer.errors).toMatchObject([notTaken(field)]);
    expect(upstream.received.slice(before)).toEqual([]);
  });
});

test('a private table of a database whose name begins with public takes a key', async () => {
  const { under, upstream } = await typedGateway();
  const create = 'mutation { createPublicListsRow(input: { title: "a" }) { __typename } }';
  for (const report of ['FIRST', 'REPLAYED']) {
    const answer = await under('k')(create);
    expect(answer).toMatchObject({ data: { createPublicListsRow: { __typename: 'PublicListsRow' } }, errors: [] });
    expect(answer.extensions).toEqual({ idempotency: { createPublicListsRow: report } });
  }
  expect(upstream.writes).toHaveLength(1);
});

test('in a document with others it is refused alone, and they are carried out', async () => {
  const { under, upstream } = await typedGateway(FORUM);
  const bulk = 'createClients(inputs: [{ name: "a" }, { name: "b" }]) { ... on Client { id } }';
  const entry = 'createEntry { __typename }';
  const document = `mutation { ${entry} ${CLIENT} again: ${entry} ${bulk} }`;
  const first = await under('k')(document);
  const second = await under('k')(document);
  for (const answer of [first, second]) {
    expect(answer.data).toMatchObject({ createEntry: null, createClient: {}, again: null, createClients: [{}, {}] });
    expect(answer.errors).toHaveLength(2);
    for (const path of ['createEntry', 'again']) expect(errorsOf(answer, path)).toMatchObject([notTaken(path)]);
  }
  const reports = (report: string) => ({ createClient: report, 'createClients.0': report, 'createClients.1': report });
  expect(first.extensions).toEqual({ idempotency: reports('FIRST') });
  expect(second.extensions).toEqual({ idempotency: reports('REPLAYED') });
  expect(upstream.writes).toEqual(Array.from({ length: 3 }, () => 'POST /app/clients.json'));
});

test('input that is refused before the write is a refusal in the result, with a key, too', async () => {
  const { under, upstream } = await typedGateway();
  const answer = await under('k')(`mutation { ${publicly('deletePublicFlexRecord(code: "shop", id: "Client:1")')} }`);
  expect(answer).toMatchObject({ data: { deletePublicFlexRecord: { __typename: 'ValidationError' } }, errors: [] });
  expect(upstream.writes).toEqual([]);
});

test('without the header it is sent', async () => {
  const { execute, upstream } = await typedGateway();
  const { data, errors } = await execute('mutation { createEntry { __typename } }', { token: null });
  expect({ data, errors }).toEqual({ data: { createEntry: { __typename: 'Entry' } }, errors: [] });
  expect(upstream.writes).toEqual(['POST /flex/db/shop/create']);
});
