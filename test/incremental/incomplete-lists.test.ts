import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { schema } from '../../src/apis/schema.ts';
import { asAda, saysXml } from '../forum/support.ts';
import { publicSettings } from '../typed-flex/public-gateway.ts';
import { snapshotFile } from '../typed-flex/snapshot-files.ts';
import { ask, eventsOf, type Increment, left, next, type Part, partsOf } from '../support/parts.ts';
import { gatewayOver } from '../support/gateway.ts';
import { saysJson } from '../support/stub-crm.ts';
import { heldUpstream, stubUpstream } from '../support/stub-upstream.ts';
import { randomQuery } from './random-query.ts';

// Lists whose rows cannot all be read have a value and an error, which comes with the part that brings the list.

/** Lists with a row without an id. */
const incomplete: RequestListener = (request, response) => {
  const [, id] = /(\d+)\.json/.exec(request.url ?? '') ?? [];
  const row = { name: 'a', client_id: 1, deal_id: 1, data: { name: 'a' } };
  saysJson(id === undefined ? [{ id: 1, ...row }, row, { id: 2, ...row }] : { id: Number(id), ...row })(
    request,
    response,
  );
};

const READERS = [
  ['multipart/mixed', partsOf],
  ['text/event-stream', eventsOf],
] as const;

const DEALS = 'GET /app/deals.json';

const errorAt = (...path: readonly (string | number)[]) => ({
  message: expect.stringContaining('rows'),
  path,
  extensions: { code: 'UPSTREAM_BAD_RESPONSE', upstream: { api: 'crm', endpoint: DEALS, status: 200 } },
  locations: [expect.anything()],
});

const page = { nodes: [{ name: 'a' }, { name: 'a' }] };

async function incompleteCrm() {
  const { url } = await stubUpstream(incomplete);
  return (await gatewayOver(url, { CRM_URL: new URL(url) })).url;
}

test.each(READERS)('of a deferred list it stands in its item: %s', async (accept, read) => {
  const query = '{ __typename ... @defer { deals(first: 5) { nodes { name } } } }';
  expect(await left(read(await ask(await incompleteCrm(), query, { headers: { accept } })))).toEqual([
    { data: { __typename: 'Query' }, hasNext: true },
    { incremental: [{ path: [], data: { deals: page }, errors: [errorAt('deals')] }], hasNext: false },
  ]);
});

test.each(READERS)('of a list of the first part each field has its own: %s', async (accept, read) => {
  const query = '{ deals(first: 5) { nodes { name } } ... @defer { again: deals(first: 5) { nodes { name } } } }';
  expect(await left(read(await ask(await incompleteCrm(), query, { headers: { accept } })))).toEqual([
    { data: { deals: page }, errors: [errorAt('deals')], hasNext: true },
    { incremental: [{ path: [], data: { again: page }, errors: [errorAt('again')] }], hasNext: false },
  ]);
});

test.each(READERS)('it waits for its fragment while others are delivered: %s', async (accept, read) => {
  const slow = '/app/clients/7.json';
  const upstream = await heldUpstream(incomplete, slow);
  const { url } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url) });
  const query = `{
    __typename
    ... @defer(label: "list") { deals(first: 5) { nodes { name } } client(id: 7) { name } }
    ... @defer(label: "other") { deal(id: 1) { name } }
  }`;
  const parts = read(await ask(url, query, { headers: { accept } }));
  expect(await next(parts)).toEqual({ data: { __typename: 'Query' }, hasNext: true });
  expect(await next(parts)).toEqual({
    incremental: [{ path: [], label: 'other', data: { deal: { name: 'a' } } }],
    hasNext: true,
  });
  await upstream.answer(slow, saysJson({ id: 7, name: 'seven' }));
  const data = { deals: page, client: { name: 'seven' } };
  expect(await next(parts)).toEqual({
    incremental: [{ path: [], label: 'list', data, errors: [errorAt('deals')] }],
    hasNext: false,
  });
});

test.each(READERS)('of lists in streamed rows and in fragments within fragments: %s', async (accept, read) => {
  const query = `{
    clients(first: 2) { nodes @stream { deals(first: 5) { nodes { name } } } }
    ... @defer { client(id: 1) { name ... @defer { deals(first: 5) { nodes { name } } } } }
  }`;
  const parts = await left(read(await ask(await incompleteCrm(), query, { headers: { accept } })));
  const placed = parts.flatMap((part) => [part, ...(part.incremental ?? [])]).filter(({ errors }) => errors);
  expect(placed.map(({ errors }) => errors?.map(({ path }) => path?.join('.')))).toEqual(
    expect.arrayContaining([['clients'], ['clients.nodes.0.deals']]),
  );
  for (const part of placed) for (const { path = [] } of part.errors ?? []) expect(holds(part, path)).toBe(true);
});

/** Rows of each API, of which one has no id. */
const incompleteApis: RequestListener = (request, response) => {
  const path = request.url ?? '';
  if (path.startsWith('/?') || path === '/')
    return saysXml('<posts type="array"><post><id>1</id></post><post/><post><id>3</id></post></posts>')(
      request,
      response,
    );
  return /dbs\/[^/]+\.json/.test(path) ? saysJson(NOTES)(request, response) : incomplete(request, response);
};

const NOTES = { id: '7', code: 'notes', schema: { fields: { name: 'string', n: 'integer' } } };
const CONNECTIONS = [
  ['deals', 'deals(first: 2)'],
  ['client.deals', 'client(id: 1) { deals(first: 2) $ }'],
  ['flexDb.records', 'flexDb(id: 7) { records(first: 2) $ }'],
  ['flexDb.search', 'flexDb(id: 7) { search(first: 2) $ }'],
  ['publicFlexDb.list', 'publicFlexDb(code: "notes") { list(first: 2) $ }'],
  ['publicFlexDb.search', 'publicFlexDb(code: "notes") { search(first: 2) $ }'],
  ['forumPosts', 'forumPosts(first: 2)'],
  ['notes.rows', 'notes { rows(first: 2) $ }'],
  ['notes.rows', 'notes { rows(first: 2, range: { n: { lte: 1 } }) $ }'],
  ['publicBook.list', 'publicBook { list(first: 2) $ }'],
  ['publicBook.search', 'publicBook { search(first: 2) $ }'],
] as const;

const PARTS = [
  ['nodes', '{ ... @defer { nodes { __typename } } }'],
  ['edges', '{ ... @defer { edges { cursor } } }'],
  ['pageInfo', '{ ... @defer { pageInfo { hasNextPage endCursor } } }'],
  ['fields of pageInfo', '{ pageInfo { hasPreviousPage ... @defer { hasNextPage startCursor } } }'],
  [
    'each part alone',
    '{ ... @defer { nodes { __typename } } ... @defer { edges { cursor } } ... @defer { pageInfo { hasNextPage } } }',
  ],
] as const;

test.each(CONNECTIONS.flatMap(([field, query]) => PARTS.map((part) => [field, query, ...part] as const)))(
  'of a connection of which a part alone is deferred it is told once: %s, %s: %s',
  async (field, connection, _part, selection) => {
    const { url: upstream } = await stubUpstream(incompleteApis);
    const apis = { CRM_URL: new URL(upstream), FLEX_URL: new URL(upstream), FORUM_URL: new URL(upstream) };
    const isPublic = field.startsWith('publicBook');
    const types = isPublic
      ? await publicSettings({ list: true, search: true })
      : { FLEX_SCHEMA: await snapshotFile(NOTES) };
    const { url } = await gatewayOver(upstream, { ...apis, ...types });
    const query = connection.includes('$') ? connection.replace('$', selection) : `${connection} ${selection}`;
    const parts = await left(partsOf(await ask(url, `{ ${query} }`, { headers: asAda })));
    const results = parts.flatMap((part) => [part, ...(part.incremental ?? [])]);
    const errors = results.flatMap((result) => (result.errors ?? []).map((error) => ({ result, error })));
    expect(errors).toHaveLength(1);
    for (const { result, error } of errors) {
      expect(error).toMatchObject({ message: expect.stringContaining('1 of 3 rows was left out') });
      expect(error.path?.join('.')).toMatch(new RegExp(`^${field}`));
      expect(holds(result, error.path ?? [])).toBe(true);
    }
  },
);

/** Whether a part brings the field at this path, or a null instead of it. */
function holds(part: Part | Increment, path: readonly (string | number)[]): boolean {
  const start = 'path' in part ? part.path : [];
  if (start.some((key, index) => key !== path[index])) return false;
  let value = 'items' in part ? (part.items ?? [null])[0] : part.data;
  for (const key of path.slice(start.length)) {
    if (value === null) return true;
    if (value === undefined) return false;
    value = Reflect.get(Object(value), key);
  }
  return value !== undefined;
}

const QUERIES = 60;

const failures = (errors: NonNullable<Part['errors']>) =>
  [...new Set(errors.map(({ message, extensions }) => `${String(extensions['code'])} ${message}`))].sort();

test(`${QUERIES} random queries have each error in the part that brings its field`, async () => {
  const { url: upstream } = await stubUpstream(incomplete);
  const settings = { CRM_URL: new URL(upstream), FLEX_URL: new URL(upstream), MAX_PAGE_SIZE: 10_000, MAX_DEPTH: 20 };
  const { url } = await gatewayOver(upstream, settings);
  let placed = 0;
  for (let seed = 1; seed <= QUERIES; seed += 1) {
    const query = randomQuery(schema, seed);
    const whole: Part = await (await ask(url, query, { headers: { accept: 'application/json' } })).json();
    const parts = await left(partsOf(await ask(url, query, { headers: { accept: 'multipart/mixed' } })));
    const results = parts.flatMap((part) => [part, ...(part.incremental ?? [])]);
    const errors = results.flatMap((result) => (result.errors ?? []).map((error) => ({ result, error })));
    const misplaced = errors.filter(({ result, error: { path } }) => path && !holds(result, path));
    placed += errors.filter(({ result, error }) => 'path' in result && error.message.includes('row')).length;
    expect({ query, misplaced, failures: failures(errors.map(({ error }) => error)) }).toEqual({
      query,
      misplaced: [],
      failures: failures(whole.errors ?? []),
    });
  }
  expect(placed).toBeGreaterThan(10);
});
