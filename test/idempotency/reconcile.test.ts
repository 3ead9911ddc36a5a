import { expect, test } from 'vitest';
import { type KeyedAnswer, keyedGateway, type Keeping, type Manner } from './support.ts';

// The table of docs/outcomes.md: what proves a write whose end is not known, and what cannot be told.

const CREATE = 'mutation { createClient(input: { name: "Ada" }) { __typename ... on Client { id name } } }';

const UNKNOWN = { code: 'IDEMPOTENCY_OUTCOME_UNKNOWN', outcome: 'UNKNOWN' };

/** Expects that nobody knows, and says why. */
function expectUnknown({ errors, extensions }: KeyedAnswer, why: string) {
  expect(errors).toMatchObject([{ extensions: UNKNOWN, message: expect.stringContaining(why) }]);
  expect(extensions).toBeUndefined();
}

/** A gateway whose write under the key `k` had no answer. */
async function unanswered(manner: Manner = 'cuts', query = CREATE) {
  const { under, upstream } = await keyedGateway();
  upstream.manners.push(manner);
  const first = await under('k')(query);
  expect(first.errors).toMatchObject([{ extensions: { outcome: 'UNKNOWN' } }]);
  return { under, upstream, first, again: async () => under('k')(query) };
}

test.each([
  ['createClient', 'client', 'Client', CREATE],
  ['createDeal', 'deal', 'Deal', 'mutation { createDeal(input: { name: "Ada" }) { ... on Deal { id name } } }'],
  ['createPost', 'post', 'Post', 'mutation { createPost(input: { title: "Ada" }) { ... on Post { id name: title } } }'],
  [
    'createDashboard',
    'dashboard',
    'Dashboard',
    'mutation { createDashboard(input: { name: "Ada" }) { ... on Dashboard { id name } } }',
  ],
  [
    'createFlexDb',
    'flexible database with a code',
    'FlexDb',
    'mutation { createFlexDb(input: { name: "Ada", code: "ada" }) { ... on FlexDb { id name } } }',
  ],
  [
    'createApiToken',
    'API token with a code',
    'ApiToken',
    'mutation { createApiToken(input: { name: "Ada", code: "ada" }) { ... on CreatedApiToken { apiToken { id name } } } }',
  ],
])('a new record that is found alone proves its creation: %s of a %s', async (field, _what, type, query) => {
  const { upstream, again: retry } = await unanswered('cuts', query);
  const again = await retry();
  const third = await retry();
  expect(again).toMatchObject({ errors: [], extensions: { idempotency: { [field]: 'RECONCILED' } } });
  expect(JSON.stringify(again.data)).toContain(`"id":"${type}:1","name":"Ada"`);
  expect(third).toEqual({ ...again, extensions: { idempotency: { [field]: 'REPLAYED' } } });
  expect(upstream.writes).toHaveLength(1);
});

test('a new record whose time the caller has sent is not proved by its time', async () => {
  const createdAt = new Date().toISOString();
  const query = `mutation { createPost(input: { title: "Ada", createdAt: "${createdAt}" }) { __typename } }`;
  const { upstream, again } = await unanswered('cuts', query);
  expectUnknown(await again(), 'It sent its own `created_at`, so no time tells when its record was made.');
  expect(upstream.writes).toHaveLength(1);
});

test.each([
  ['updateClient', 'mutation { updateClient(id: "1", input: { name: "Bob" }) { ... on Client { id name } } }'],
  ['deleteClient', 'mutation { deleteClient(id: "1") { ... on DeletedNode { deletedId } } }'],
])('the record proves a change and a deletion: %s', async (field, query) => {
  const { under, upstream } = await keyedGateway();
  upstream.add('clients', { name: 'Ada' });
  upstream.manners.push('cuts');
  upstream.failReads(true);
  const first = await under('k')(query);
  upstream.failReads(false);
  const again = await under('k')(query);
  expect(first.errors).toMatchObject([{ extensions: { outcome: 'UNKNOWN' } }]);
  expect(again).toMatchObject({ errors: [], extensions: { idempotency: { [field]: 'RECONCILED' } } });
  expect(JSON.stringify(again.data)).toContain('Client:1');
  expect(upstream.writes).toHaveLength(1);
});

test('a change that the record does not show stays unknown', async () => {
  const { under, upstream } = await keyedGateway();
  upstream.add('clients', { name: 'Ada' });
  upstream.manners.push('drops');
  const query = 'mutation { updateClient(id: "1", input: { name: "Bob" }) { __typename } }';
  await under('k')(query);
  expectUnknown(await under('k')(query), 'The record was read once, and does not show the change.');
  expect(upstream.writes).toHaveLength(1);
});

const NOT_FOUND = 'No records were found with these fields';

const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

const changed = (upstream: Keeping, fields: object) => Object.assign(upstream.table('clients')[0] ?? {}, fields);

test.each<[string, (upstream: Keeping) => unknown, string]>([
  [
    'two records that may be the new one',
    (upstream) => upstream.add('clients', { name: 'Ada', created_at: upstream.table('clients')[0]?.['created_at'] }),
    '2 records were found',
  ],
  ['a record with another field', (upstream) => changed(upstream, { name: 'Bob' }), NOT_FOUND],
  ['one made before', (upstream) => changed(upstream, { created_at: minutesFromNow(-1) }), NOT_FOUND],
  ['one made after', (upstream) => changed(upstream, { created_at: minutesFromNow(1) }), NOT_FOUND],
  ['one without a time', (upstream) => changed(upstream, { created_at: null }), NOT_FOUND],
  ['one with a time that is none', (upstream) => changed(upstream, { created_at: 'soon' }), NOT_FOUND],
  [
    'a list that lacks rows',
    (upstream) => upstream.table('clients').push(JSON.parse('{"name": "without an id"}')),
    'but the list lacks rows',
  ],
])('%s proves nothing', async (_what, change, why) => {
  const { upstream, again } = await unanswered();
  change(upstream);
  expectUnknown(await again(), why);
});

test('while the clock of upstream is not known, no new record is proven', async () => {
  const { under, upstream } = await keyedGateway();
  upstream.tellTime(false);
  await under('other')('mutation { createDeal(input: { name: "x" }) { __typename } }'); // the last answer tells no time
  upstream.manners.push('cuts');
  await under('k')(CREATE);
  upstream.tellTime(true);
  expectUnknown(await under('k')(CREATE), 'by the clock of upstream is not known');
});

test('a read that fails proves nothing, and is tried again with the next attempt', async () => {
  const { upstream, again } = await unanswered();
  upstream.failReads(true);
  expectUnknown(await again(), 'The read that could tell failed');
  upstream.failReads(false);
  expect((await again()).extensions).toEqual({ idempotency: { createClient: 'RECONCILED' } });
});

test('while another write with equal fields is unknown, of any caller, none of them is proven', async () => {
  const { under, upstream } = await keyedGateway();
  upstream.manners.push('cuts', 'drops');
  await under('one')(CREATE);
  await under('two', { authorization: 'Bearer other' })(CREATE);
  expectUnknown(await under('one')(CREATE), 'another write under a key may have made it');
  expectUnknown(await under('two', { authorization: 'Bearer other' })(CREATE), 'another write under a key');
  expect(upstream.writes).toHaveLength(2);
});

test('while another write that sent more fields may have made the record, none of them is proven', async () => {
  const { under, upstream } = await keyedGateway();
  const more = 'mutation { createClient(input: { name: " ADA", phone: "1" }) { __typename } }';
  upstream.manners.push('drops', 'cuts');
  await under('one')(CREATE);
  await under('two')(more);
  const [made] = upstream.table('clients');
  if (made) made['name'] = 'Ada'; // as an upstream that cleans names has it
  expectUnknown(await under('one')(CREATE), 'another write under a key may have made it');
});

test('a write that was carried out without an answer that tells the id may have made the record', async () => {
  const { under, upstream } = await keyedGateway();
  upstream.manners.push('answers nothing', 'drops');
  const first = await under('one')(CREATE.replace('id name', 'name'));
  await under('two')(CREATE);
  expect(first.extensions).toEqual({ idempotency: { createClient: 'FIRST' } });
  expectUnknown(await under('two')(CREATE), 'another write under a key may have made it');
});

test('a creation without the field that tells its records from others is not proven', async () => {
  const { again } = await unanswered('cuts', 'mutation { createClient(input: { phone: "1" }) { __typename } }');
  expectUnknown(await again(), 'It sent no `name`, so its record cannot be told from others.');
});

test('a record that another receipt claims proves nothing', async () => {
  const { under, upstream } = await keyedGateway();
  upstream.manners.push('drops', 'answers');
  await under('one')(CREATE);
  await under('two')(CREATE);
  expectUnknown(await under('one')(CREATE), 'another write under a key may have made it');
});

test.each([
  ['createContact', 'mutation { createContact(input: { name: "Ada" }) { __typename } }'],
  ['createContactList', 'mutation { createContactList(name: "Ada") { __typename } }'],
  ['createFlexRecord', 'mutation { createFlexRecord(db: "FlexDb:1", input: { table: "t", data: {} }) { __typename } }'],
  ['createFlexDb without a code', 'mutation { createFlexDb(input: { name: "Ada" }) { __typename } }'],
  ['createApiToken without a code', 'mutation { createApiToken(input: { name: "Ada" }) { __typename } }'],
  ['enableDashboards', 'mutation { enableDashboards { __typename } }'],
])('what no read can tell stays unknown: %s', async (_name, query) => {
  const { upstream, again } = await unanswered('cuts', query);
  expectUnknown(await again(), 'No read can tell.');
  expect(upstream.writes).toHaveLength(1);
});

test('an unknown item of a bulk mutation that is proven lets it go on', async () => {
  const bulk =
    'mutation { createClients(inputs: [{ name: "a" }, { name: "b" }]) { __typename ... on Client { id name } } }';
  const { upstream, first, again: retry } = await unanswered('cuts', bulk);
  expect(first.data).toEqual({ createClients: [null, { __typename: 'NotAttempted' }] });
  const again = await retry();
  expect(again.extensions).toEqual({ idempotency: { 'createClients.0': 'RECONCILED', 'createClients.1': 'FIRST' } });
  expect(upstream.writes).toHaveLength(2);
});
