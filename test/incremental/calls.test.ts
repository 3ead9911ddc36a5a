import { expect, test } from 'vitest';
import { demoForumAuthorization } from '../../src/cli/demo.ts';
import { sharedDemo } from '../support/demo.ts';
import { gatewayOver } from '../support/gateway.ts';
import { ask, merged, partsOf, rest } from '../support/parts.ts';
import { tally } from '../support/stub-crm.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// A response in parts needs the same upstream calls, and brings the same data, as a whole response.

const headers = { authorization: 'Bearer demo-admin', 'x-forum-authorization': demoForumAuthorization };

const demoGateway = sharedDemo();

async function compared(query: string) {
  const { url, sandbox } = await demoGateway({ BATCH_READS: 'list' });
  const answered = async (accept: string) => {
    sandbox.forgetCalls();
    return ask(url, query, { headers: { ...headers, accept } });
  };
  const whole: unknown = (await (await answered('application/json')).json()).data;
  const wholeCalls = tally(sandbox.calls());
  const parts = partsOf(await answered('multipart/mixed'));
  return { whole, wholeCalls, parts: await merged(parts), partCalls: tally(sandbox.calls()) };
}

test.each([
  [
    'streamed records and their joins',
    '{ posts(first: 100) { nodes @stream(initialCount: 10) { title client { name } } } }',
  ],
  [
    'streamed edges',
    '{ posts(first: 100) { totalCount edges @stream { cursor node { client { name contact { phone } } } } } }',
  ],
  ['a deferred join', '{ posts(first: 100) { nodes { title ... @defer { client { name } } } } }'],
  [
    'a join deferred in streamed records',
    '{ deals(first: 60) { nodes @stream { name ... @defer { client { name deals { totalCount } } } } } }',
  ],
  [
    'streams in streams',
    '{ clients(first: 20) { nodes @stream { name deals { nodes @stream { name client { name } } } } } }',
  ],
  ['a streamed root list', '{ apiTokens @stream { name tokenInfo privileges } }'],
  [
    'streamed databases, and what is in them',
    '{ flexDbs @stream(initialCount: 1) { name records(first: 2) { nodes @stream { id data } } } }',
  ],
  [
    'tiles and their databases',
    '{ displayedDashboard(context: MAIN) { layout @stream { key ... @defer { flexDbs @stream { name } } } } }',
  ],
  [
    'keys that a list lacks',
    '{ forumPosts { nodes @stream { title kind status ... @defer { comments @stream { text } category { name } } } } }',
  ],
  [
    'two fragments that read the same',
    '{ ... @defer(label: "a") { clients(first: 1) { totalCount } } ... @defer(label: "b") { two: clients(first: 2) { nodes { name } } } }',
  ],
  [
    'a field that is also selected at once',
    '{ clients(first: 2) { nodes { name } } ... @defer { clients(first: 2) { totalCount } } }',
  ],
  [
    'records of all kinds',
    '{ clients(first: 1) { nodes { id } } ... @defer { deals(first: 5) { nodes { client { name } } } posts(first: 5) { nodes { client { name } } } } }',
  ],
  [
    'a search whose next page is asked for later',
    '{ flexDb(id: "products") { search(first: 5) { nodes { id } ... @defer { pageInfo { hasNextPage } } } } }',
  ],
  [
    'a search whose fields are asked for later',
    '{ flexDb(id: "products") { search(first: 5) { nodes @stream { data(fields: ["name"]) ... @defer { price: data(fields: ["price"]) } } } } }',
  ],
  ['a search everywhere', '{ ... @defer { search(text: "oak") { edges @stream { cursor } failures { message } } } }'],
])('%s', async (_name, query) => {
  const { whole, wholeCalls, parts, partCalls } = await compared(query);
  expect(JSON.stringify(whole).length).toBeGreaterThan(60);
  expect(parts).toEqual(whole);
  expect(partCalls).toEqual(wholeCalls);
});

test('only a public method is called for each selection of its field, deferred or not', async () => {
  const upstream = await stubUpstream(says('[{"id":"7","data":{"a":1}}]'));
  const { url } = await gatewayOver(upstream.url);
  const query = `{
    publicFlexDb(code: "book") { list { nodes { id } } }
    ... @defer { publicFlexDb(code: "book") { list { nodes { data } } } }
  }`;
  const data = { publicFlexDb: { list: { nodes: [{ id: 'PublicFlexRecord:book:7', data: { a: 1 } }] } } };
  const whole = await ask(url, query, { headers: { accept: 'application/json' } });
  expect(await whole.json()).toEqual({ data });
  expect(upstream.received).toHaveLength(1);

  await rest(partsOf(await ask(url, query)));
  expect(upstream.received).toHaveLength(3);
});
