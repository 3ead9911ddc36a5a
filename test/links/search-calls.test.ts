import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { saysJson } from '../support/stub-crm.ts';
import {
  CLIENTS,
  DBS,
  DEALS,
  FLEX_SEARCH,
  FORUM,
  gatewayOverFinds,
  linkedGateway,
  parametersOf,
  POSTS,
} from './support.ts';

// The upstream calls of a search.

const FIRST_WAVE = [FORUM, POSTS, CLIENTS, DEALS, DBS];
const SHOP_SEARCH = 'GET /flex/dbs/shop/search.json';

/** Delays all responses until `count` requests have arrived. */
function gate(count: number) {
  const waiting: (() => void)[] = [];
  return (answer: RequestListener): RequestListener =>
    (request, response) => {
      waiting.push(() => answer(request, response));
      if (waiting.length === count) for (const release of waiting) release();
    };
}

const empty = saysJson([]);
const noPosts: RequestListener = (_request, response) =>
  void response.writeHead(200, { 'content-type': 'application/xml' }).end('<nil-classes type="array"/>');

const FAILURES = '{ search(text: "oak") { nodes { __typename } failures { target message } } }';
const WITHOUT_FAILURE = { search: { failures: [] } };

describe('a search calls', () => {
  test('three lists of the CRM, one of databases, one page of the forum, and one search', async () => {
    const { execute, calls } = await gatewayOverFinds();
    expect((await execute(FAILURES)).data).toMatchObject(WITHOUT_FAILURE);
    expect(calls()).toEqual([...FIRST_WAVE, SHOP_SEARCH].toSorted());
  });

  test('all first endpoints in parallel', async () => {
    const held = gate(5);
    const { execute } = await gatewayOverFinds({
      '/app/clients.json': held(empty),
      '/app.json': held(empty),
      '/app/deals.json': held(empty),
      '/flex/dbs.json': held(empty),
      '/': held(noPosts),
    });
    expect((await execute(FAILURES)).data).toEqual({ search: { nodes: [], failures: [] } });
  });

  test('the tables in parallel, without waiting for the CRM', async () => {
    const tables = Object.fromEntries(['a', 'b', 'c'].map((name) => [name, { fields: {} }]));
    const held = gate(4);
    const { execute } = await gatewayOverFinds({
      '/flex/dbs.json': saysJson([{ id: 'shop', schema: { tables } }]),
      '/flex/dbs/shop/search.json': held(empty),
      '/app/clients.json': held(empty),
    });
    expect((await execute(FAILURES)).data).toMatchObject(WITHOUT_FAILURE);
  });

  test('each endpoint once for two equal searches', async () => {
    const { execute, calls } = await gatewayOverFinds();
    await execute(
      '{ a: search(text: "oak") { nodes { __typename } } b: search(text: "oak") { nodes { __typename } } }',
    );
    expect(calls()).toEqual([...FIRST_WAVE, SHOP_SEARCH].toSorted());
  });
});

describe('the argument `in`', () => {
  test.each([
    ['[CLIENTS]', [CLIENTS]],
    ['[POSTS]', [POSTS]],
    ['[DEALS]', [DEALS]],
    ['[FLEX_RECORDS]', [DBS, SHOP_SEARCH]],
    ['[FORUM_POSTS]', [FORUM]],
    ['[DEALS, CLIENTS, DEALS]', [CLIENTS, DEALS]],
    ['[]', []],
    ['null', [...FIRST_WAVE, SHOP_SEARCH].toSorted()],
  ])('limits the calls to %s', async (places, expected) => {
    const { ask, calls } = await gatewayOverFinds();
    const data = await ask(`{ search(text: "oak", in: ${places}) { nodes { __typename } failures { target } } }`);
    expect(data).toMatchObject({ search: { failures: [] } });
    expect(calls()).toEqual(expected);
  });

  test('sets the order of the targets, each once', async () => {
    const { execute } = await gatewayOverFinds();
    const { data } = await execute('{ search(text: "oak", in: [DEALS, CLIENTS, DEALS]) { nodes { __typename } } }');
    expect(data).toEqual({ search: { nodes: [{ __typename: 'Deal' }, { __typename: 'Client' }] } });
  });
});

describe('the tables', () => {
  const RECORDS =
    '{ search(text: "oak", in: [FLEX_RECORDS]) { nodes { ... on FlexRecord { table data } } failures { message } } }';

  test('are ten at most, in the order of the databases, one search each', async () => {
    const { execute, sandbox, makeDb } = await linkedGateway();
    const tables = (...names: string[]) => ({
      tables: Object.fromEntries(names.map((name) => [name, { fields: {} }])),
    });
    makeDb({ name: 'A', schema: tables('a1', 'a2', 'a3', 'a4', 'a5') });
    makeDb({ name: 'B', schema: { fields: { wood: 'string' } } });
    makeDb({ name: 'C', schema: tables('c1', 'c2', 'c3', 'c4', 'c5', 'c6') });

    const { data } = await execute(RECORDS);

    expect(data).toEqual({ search: { nodes: [], failures: [] } });
    expect(sandbox.calls()).toEqual([DBS, ...Array.from({ length: 10 }, () => FLEX_SEARCH)]);
    const searched = sandbox.requests.slice(1).map(({ query }) => query['table_name'] ?? null);
    expect(new Set(searched)).toEqual(new Set(['a1', 'a2', 'a3', 'a4', 'a5', null, 'c1', 'c2', 'c3', 'c4']));
    for (const { query } of sandbox.requests.slice(1))
      expect(query).toMatchObject({ q: 'oak', limit: '11', offset: '0' });
  });

  test('take turns in the result, and their names need no further call', async () => {
    const { execute, sandbox, makeDb, makeRecords } = await linkedGateway();
    const db = makeDb({ schema: { tables: { one: { fields: {} }, two: { fields: {} } } } });
    makeRecords(
      db,
      [
        { wood: 'oak', n: 1 },
        { wood: 'oak', n: 2 },
      ],
      'one',
    );
    makeRecords(db, [{ wood: 'oak', n: 3 }], 'two');

    const { data } = await execute(RECORDS);

    const oak = (table: string, n: number) => ({ table, data: { wood: 'oak', n } });
    expect(data).toEqual({ search: { nodes: [oak('one', 2), oak('two', 3), oak('one', 1)], failures: [] } });
    expect(sandbox.calls()).toEqual([DBS, FLEX_SEARCH, FLEX_SEARCH]);
  });

  test.each([undefined, null, 'no schema', { tables: ['odd'] }])(
    'a database with the schema %j is searched as one',
    async (schema) => {
      const { execute, upstream } = await gatewayOverFinds({
        '/flex/dbs.json': saysJson([{ id: 'shop', schema }]),
      });
      const { data } = await execute(RECORDS);
      expect(data).toEqual({ search: { nodes: [{ table: null, data: { name: 'oak' } }], failures: [] } });
      const sent = upstream.received.map((call) => parametersOf(call.slice(4)));
      expect(sent.map((parameters) => parameters.get('table_name'))).toEqual([null, null]);
    },
  );
});
