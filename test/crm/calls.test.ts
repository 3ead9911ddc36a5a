import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { heldTimers } from '../support/deadlines.ts';
import { sharedDemo } from '../support/demo.ts';
import type { TestGateway } from '../support/gateway.ts';
import { tally } from '../support/stub-crm.ts';
import { CLIENT, CLIENTS, CONTACT, DEAL, DEALS, POST, POSTS } from './support.ts';

// How many upstream calls an operation makes, over the demo data: 250 clients, 120 deals, 80 contacts.

const demoGateway = sharedDemo();

/** How long a list of unknown size may take in place of reads by id: on a busy machine it takes longer. */
const TRIED_MS = 500;

/** Runs one operation on a fresh gateway; gives its data, and its calls by endpoint. */
async function run(query: string, settings: Partial<Config> = {}, prepare?: string) {
  heldTimers((_reach, ms) => ms === TRIED_MS);
  const { execute, ask, sandbox } = await demoGateway(settings);
  const id =
    prepare === undefined ? '' : (/"(?:id|upstreamId)":"([^"]+)"/.exec(await said(execute, prepare))?.[1] ?? '');
  sandbox.forgetCalls();
  const data = await ask(query.replaceAll('$ID', id), { token: 'demo-admin' });
  return {
    data,
    text: JSON.stringify(data),
    calls: tally(sandbox.calls()),
  };
}

const said = async (execute: TestGateway['execute'], query: string) =>
  JSON.stringify((await execute(query, { token: 'demo-admin' })).data);

const distinct = (text: string, pattern: RegExp) => new Set(text.match(pattern)).size;

describe('upstream calls of records and their joins', () => {
  test('one post with its client', async () => {
    const first = '{ posts(first: 1, filter: { taskKinds: [TASK] }) { nodes { upstreamId } } }';
    const { text, calls } = await run('{ post(id: $ID) { title client { name } } }', {}, first);
    expect(text).toMatch(/"client":\{"name":"/);
    expect(calls).toEqual({ [POST]: 1, [CLIENT]: 1 });
  });

  test('100 posts with their clients', async () => {
    const { text, calls } = await run('{ posts(first: 100) { nodes { title client { name } } } }');
    expect(distinct(text, /"client":\{"name":"[^"]+"/g)).toBeGreaterThan(4);
    expect(calls).toEqual({ [POSTS]: 1, [CLIENTS]: 1 });
  });

  test('100 deals with their clients, all of their deals, and the clients of these', async () => {
    const { text, calls } = await run(
      '{ deals(first: 100) { nodes { name client { name deals { nodes { name client { name } } } } } } }',
    );
    expect(text.match(/"client":/g)?.length).toBeGreaterThan(150);
    expect(calls).toEqual({ [DEALS]: 1, [CLIENTS]: 1 });
  });

  test('clients with their contacts, of which there is no list', async () => {
    const { text, calls } = await run('{ clients(first: 60) { nodes { name contactId contact { name } } } }');
    const contacts = distinct(text, /"contactId":"\d+"/g);
    expect(contacts).toBeGreaterThan(4);
    expect(calls).toEqual({ [CLIENTS]: 1, [CONTACT]: contacts });
  });

  test('posts with their parent, the post that they duplicate, and their comments', async () => {
    const { text, calls } = await run(
      '{ posts(first: 1000) { nodes { parent { title } duplicateOf { title } comments { nodes { content parent { title } } } } } }',
      { MAX_TOKENS: 500 },
    );
    expect(text).toMatch(/"parent":\{"title"/);
    expect(text).toMatch(/"comments":\{"nodes":\[\{/);
    expect(calls).toEqual({ [POSTS]: 1 });
  });

  test('clients with their posts and deals', async () => {
    const { calls } = await run(
      '{ clients(first: 250) { nodes { name posts { totalCount nodes { title } } deals { totalCount nodes { name } } } } }',
    );
    expect(calls).toEqual({ [CLIENTS]: 1, [POSTS]: 1, [DEALS]: 1 });
  });
});

describe('with BATCH_READS=by-id each record is read once', () => {
  const byId = { BATCH_READS: 'by-id' } as const;

  test('posts and clients', async () => {
    const { text, calls } = await run('{ posts(first: 100) { nodes { clientId client { name } } } }', byId);
    expect(calls).toEqual({ [POSTS]: 1, [CLIENT]: distinct(text, /"clientId":"\d+"/g) });
  });

  test('deals, clients, deals, clients', async () => {
    const { text, calls } = await run(
      '{ deals(first: 100) { nodes { clientId client { deals { nodes { clientId client { name } } } } } } }',
      byId,
    );
    expect(calls).toEqual({ [DEALS]: 1, [CLIENT]: distinct(text, /"clientId":"\d+"/g) });
  });

  test('parents of comments', async () => {
    const { text, calls } = await run(
      '{ posts(first: 50, filter: { isComment: true }) { nodes { parentId parent { title } } } }',
      byId,
    );
    expect(calls).toEqual({ [POSTS]: 1, [POST]: distinct(text, /"parentId":"\d+"/g) });
  });
});

describe('equal reads of one operation are one call', () => {
  test('a list under aliases, with other pages, filters and orders', async () => {
    const { calls } = await run(`{
      a: clients(first: 1) { nodes { name } }
      b: clients(last: 2, filter: { company: true }) { totalCount }
      c: clients(first: 3, orderBy: { field: NAME }) { nodes { name } }
    }`);
    expect(calls).toEqual({ [CLIENTS]: 1 });
  });

  test('a record under aliases, by either form of its id, and as a node', async () => {
    const { calls } = await run(
      '{ a: client(id: $ID) { name } b: client(id: "Client:$ID") { city: name } c: node(id: "Client:$ID") { id } }',
      {},
      '{ clients(first: 1) { nodes { upstreamId } } }',
    );
    expect(calls).toEqual({ [CLIENT]: 1 });
  });

  test('`nodes` of several types', async () => {
    const { data, calls } = await run(
      `{ nodes(ids: ["Client:1", "Client:2", "Client:1", "Deal:1", "Deal:2", "Post:1", "Contact:1", "Client:999999"]) { __typename id } }`,
    );
    const types = ['Client', 'Client', 'Client', 'Deal', 'Deal', 'Post', 'Contact'];
    expect(data).toMatchObject({ nodes: [...types.map((__typename) => ({ __typename })), null] });
    expect(calls).toEqual({ [CLIENT]: 3, [DEAL]: 2, [POST]: 1, [CONTACT]: 1 });
  });
});

describe('fields that are not selected cause no call', () => {
  test.each([
    [
      'ids of records that posts name',
      '{ posts(first: 50) { nodes { id clientId parentId duplicateOfId } } }',
      { [POSTS]: 1 },
    ],
    ['ids of clients that deals name', '{ deals(first: 50) { nodes { clientId } } }', { [DEALS]: 1 }],
    ['a count', '{ clients { totalCount } }', { [CLIENTS]: 1 }],
    [
      'a part that is skipped',
      '{ deals(first: 9) { nodes { name client @skip(if: true) { name } } } }',
      { [DEALS]: 1 },
    ],
    ['no field of the CRM', '{ __typename }', {}],
  ])('%s', async (_name, query, calls) => {
    expect((await run(query)).calls).toEqual(calls);
  });
});
