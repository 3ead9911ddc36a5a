import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { compared } from '../contract/support.ts';
import { gatewayOver } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

// The documents show no bodies of reads: a record may be inside its key, a list inside the plural of it.

type Row = Readonly<Record<string, unknown>>;

/** A list and a record as an upstream may send them. */
interface Shape {
  readonly list: (rows: readonly Row[], key: string) => unknown;
  readonly record: (row: Row, key: string) => unknown;
}

const inKey = (row: Row, key: string) => ({ [key]: row });
const shapes: Readonly<Record<string, Shape>> = {
  'each record in its key': { list: (rows, key) => rows.map((row) => inKey(row, key)), record: inKey },
  'a list in the plural': { list: (rows, key) => ({ [`${key}s`]: rows }), record: inKey },
  'a list in the key': { list: (rows, key) => ({ [key]: rows }), record: inKey },
  'a list and its records': {
    list: (rows, key) => ({ [`${key}s`]: rows.map((row) => inKey(row, key)), meta: { page: 1 } }),
    record: (row, key) => ({ meta: { version: 2 }, ...inKey(row, key) }),
  },
  'beside an id that is null': {
    list: (rows, key) => ({ id: null, [`${key}s`]: rows }),
    record: (row, key) => ({ id: null, ...inKey(row, key) }),
  },
};
const bare: Shape = { list: (rows) => rows, record: (row) => row };

/** The fields of the record inside would be another record, were they taken for a wrapper. */
const DATA = { name: 'Crate', record: { id: 'stranger' }, db: { id: 'stranger' } };
const FLEX = { data: DATA, table_name: null, created_at: '2026-01-02T03:04:05Z', updated_at: '2026-01-02T03:04:05Z' };
const deal = (id: number) => ({ id, name: `Deal ${id}`, client: { id } });

/** The records by the path of their list, and the key that the document has for one. */
const lists: Readonly<Record<string, readonly [key: string, rows: readonly Row[]]>> = {
  '/account/api_tokens.json': ['api_token', [1, 2].map((id) => ({ id, name: `Token ${id}`, privileges: [] }))],
  '/toolkit/dashboards.json': ['dashboard', [1, 2].map((id) => ({ id, name: `Board ${id}`, context: 'main' }))],
  '/flex/dbs.json': ['db', [1, 2].map((id) => ({ id, name: `Db ${id}`, code: `db-${id}`, schema: null }))],
  '/flex/dbs/1/records.json': ['record', ['a', 'b'].map((id) => ({ id, ...FLEX }))],
  '/flex/dbs/1/search.json': ['record', ['a', 'b'].map((id) => ({ id, ...DATA }))],
  '/flex/db/db-1/list': ['record', ['a', 'b'].map((id) => ({ id, ...FLEX }))],
  '/flex/db/db-1/search': ['record', ['a', 'b'].map((id) => ({ id, ...DATA }))],
  '/app/clients.json': ['client', [1, 2].map((id) => ({ id, name: `Client ${id}`, email: null }))],
  '/app.json': ['post', [1, 2].map((id) => ({ id, title: `Post ${id}`, client_id: id }))],
  '/app/deals.json': ['deal', [1, 2].map(deal)],
};

const records: Readonly<Record<string, readonly [key: string, row: Row]>> = {
  '/flex/dbs/db-1.json': ['db', { id: 1, name: 'Db 1', code: 'db-1', schema: null }],
  '/flex/db/db-1/get': ['record', { id: 'a', ...FLEX }],
  '/app/posts/1.json': ['post', { id: 1, title: 'Post 1', client_id: 1 }],
  '/app/contacts/1.json': ['contact', { id: 1, name: 'Bo', email: 'bo@example.com' }],
  '/app/contact_lists/1.json': ['contact_list', { id: 1, name: 'News' }],
};

/** The answer to a read. Undefined for a path that the stub does not have. */
function bodyOf(path: string, { list, record }: Shape): unknown {
  const [key = '', rows] = lists[path] ?? [];
  if (rows) return list(rows, key);
  const [ownKey = '', own] = records[path] ?? [];
  if (own) return record(own, ownKey);
  if (path === '/toolkit/dashboards/widgets.json') {
    const boards = [1, 2].map((id) => ({ id, name: `Board ${id}` }));
    const dashboards = list === bare.list ? boards : boards.map((row) => inKey(row, 'dashboard'));
    return { current_id: 2, layout: [], dashboards };
  }
  const [, folder = '', id] = /^(.+)\/(\d+)\.json$/.exec(path) ?? [];
  const [listKey = '', siblings] = lists[`${folder}.json`] ?? [];
  const found = siblings?.find((row) => String(row['id']) === id);
  return found && record(found, listKey);
}

const answering = (shape: Shape) => (request: IncomingMessage, response: ServerResponse) => {
  const body = bodyOf(new URL(request.url ?? '', 'http://stub').pathname, shape);
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body ?? null));
};

async function gatewayOverShape(shape: Shape) {
  const { url } = await stubUpstream(answering(shape));
  const settings = { FLEX_URL: new URL(url), CRM_URL: new URL(url), CRM_SHARES_TOKEN: 'true' } as const;
  return gatewayOver(url, settings, 'token');
}

const RECORDS = 'nodes { upstreamId data }';
const QUERIES = [
  '{ apiTokens { upstreamId name privileges } apiToken(id: 1) { upstreamId name } }',
  '{ apiTokens(scope: ACCOUNT) { upstreamId name } }',
  '{ dashboards { upstreamId name context } dashboard(id: 2) { upstreamId name } }',
  '{ displayedDashboard { current { upstreamId name } choices { upstreamId name } } }',
  '{ flexDbs { upstreamId name } flexDb(id: "db-1") { upstreamId name schema } }',
  `{ flexDb(id: 1) { records { ${RECORDS} } record(id: "a") { upstreamId data } search { ${RECORDS} } } }`,
  `{ publicFlexDb(code: "db-1") { list { ${RECORDS} } search { ${RECORDS} } get(id: "a") { upstreamId data } } }`,
  '{ clients { nodes { upstreamId name email } } client(id: 2) { upstreamId name } }',
  '{ posts { nodes { upstreamId title client { upstreamId name } } } post(id: 1) { upstreamId title } }',
  '{ deals { nodes { upstreamId name client { upstreamId } } } deal(id: 2) { upstreamId client { name } } }',
  '{ contact(id: 1) { upstreamId email } contactList(id: 1) { upstreamId name } }',
  '{ nodes(ids: ["Client:1", "Client:2", "Deal:1", "Deal:2", "FlexRecord:1:a", "Dashboard:1", "ApiToken:2"]) { id } }',
];

describe.each(Object.entries(shapes))('%s', (_name, shape) => {
  test.each(QUERIES)('is read as if it were bare: %s', async (query) => {
    const [expected, found] = await Promise.all(
      [bare, shape].map(async (each) => (await gatewayOverShape(each)).execute(query)),
    );
    expect(expected?.errors).toEqual([]);
    expect(JSON.stringify(expected?.data)).not.toContain('null,null');
    expect(found).toMatchObject({ data: expected?.data, errors: [] });
  });

  test('is no difference for the doctor', async () => {
    const { url } = await stubUpstream(answering(shape));
    const urls = { ACCOUNT_URL: new URL(url), FLEX_URL: new URL(url), CRM_URL: new URL(url) };
    const { reports } = await compared({ ...urls, CRM_SHARES_TOKEN: 'true' });
    const unlike = reports.filter(({ result, reason }) => result === 'differs' || reason?.includes('status') === false);
    expect(unlike.filter(({ result }) => result !== 'skipped')).toEqual([]);
    for (const { comparison } of reports) expect(comparison?.isEmpty ?? false).toBe(false);
  });
});

describe('is not taken off', () => {
  test.each([
    ['where the outer object has an id', { id: 1, name: 'Outer', client: { id: 7 } }, '1'],
    ['by another name', { user: { id: 7 } }, undefined],
    ['where the inner object has no id', { client: { name: 'Ada' } }, undefined],
    ['where the id inside is null', { client: { id: null } }, undefined],
    ['where the value is a list', { client: [{ id: 7 }] }, undefined],
  ])('a wrapper %s', async (_name, body, id) => {
    const { execute } = await gatewayOverShape({ ...bare, record: () => body });
    const { data, errors } = await execute('{ client(id: 1) { upstreamId } }');
    if (id !== undefined) expect(data).toEqual({ client: { upstreamId: id } });
    else expect(errors).toMatchObject([{ message: 'The crm API: A record has no id.' }]);
  });

  test('from a flat row that has lost its id, and has a field with that name', async () => {
    const rows = [{ record: { id: 'stranger' }, name: 'Crate' }];
    const { execute } = await gatewayOverShape({ ...bare, list: () => rows });
    const { data, errors } = await execute(`{ publicFlexDb(code: "db-1") { search { ${RECORDS} } } }`);
    expect(data).toEqual({ publicFlexDb: { search: { nodes: [] } } });
    expect(errors).toMatchObject([{ message: 'The flex API: 1 of 1 rows was left out: A record has no id.' }]);
  });
});

test.each([null, { record: null }])('no record of a public method is %j', async (body) => {
  const { execute } = await gatewayOverShape({ ...bare, record: () => body });
  const { data, errors } = await execute('{ publicFlexDb(code: "db-1") { get(id: "a") { upstreamId } } }');
  expect(data).toEqual({ publicFlexDb: { get: null } });
  expect(errors).toEqual([]);
});

test('a list in a wrapper obeys the limit of a list, and may have thousands of rows', async () => {
  const rows = Array.from({ length: 5_000 }, (_none, index) => ({ id: index + 1, name: 'x'.repeat(50) }));
  const shape = { ...bare, list: () => ({ clients: rows }) };
  const { url } = await stubUpstream(answering(shape));
  const over = async (MAX_LIST_BYTES: number) => {
    const settings = { CRM_URL: new URL(url), CRM_SHARES_TOKEN: 'true', MAX_LIST_BYTES } as const;
    return (await gatewayOver(url, settings, 'token')).execute('{ clients { totalCount } }');
  };
  expect(await over(10_000_000)).toMatchObject({ data: { clients: { totalCount: 5_000 } }, errors: [] });
  expect(await over(10_000)).toMatchObject({ errors: [{ message: expect.stringContaining('MAX_LIST_BYTES') }] });
});
