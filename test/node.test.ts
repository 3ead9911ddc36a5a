import { expect, test } from 'vitest';
import { accountGateway, gatewayOverAnswers } from './account/support.ts';
import { flexGateway } from './flex/support.ts';
import { DEAD_ADDRESS } from './support/stub-upstream.ts';

const TOKEN = 'GET /account/api_tokens/:id.json';
const DASHBOARD = 'GET /toolkit/dashboards/:id.json';
const DASHBOARDS = 'GET /toolkit/dashboards.json';

const nodes = `query ($ids: [ID!]!) {
  nodes(ids: $ids) { __typename id ... on ApiToken { tokenName: name } ... on Dashboard { name } }
}`;

test('node reads one record of any type by its global id', async () => {
  const { execute, sandbox, makeToken, makeDashboard } = await accountGateway();
  const token = await makeToken({ name: 'Shop' });
  const dashboard = await makeDashboard({ name: 'Board' });

  const { data } = await execute(
    `query ($token: ID!, $dashboard: ID!) {
      token: node(id: $token) { __typename id ... on ApiToken { name } }
      dashboard: node(id: $dashboard) { __typename id ... on Dashboard { name } }
    }`,
    { variables: { token: `ApiToken:${token.id}`, dashboard: `Dashboard:${dashboard.id}` } },
  );

  expect(data).toEqual({
    token: { __typename: 'ApiToken', id: `ApiToken:${token.id}`, name: 'Shop' },
    dashboard: { __typename: 'Dashboard', id: `Dashboard:${dashboard.id}`, name: 'Board' },
  });
  expect(sandbox.calls().sort()).toEqual([TOKEN, DASHBOARD]);
});

test('node reads a database and its record, too', async () => {
  const { execute, sandbox, makeDb, makeRecords } = await flexGateway();
  const db = makeDb({ code: 'shop' });
  const [record] = makeRecords(db, [{ n: 1 }]);
  const read = (id: string) =>
    execute('query ($id: ID!) { node(id: $id) { __typename id ... on FlexDb { code } ... on FlexRecord { data } } }', {
      variables: { id },
    });

  const [dbId, recordId] = [`FlexDb:${db}`, `FlexRecord:${db}:${record}`];
  expect((await read(dbId)).data).toEqual({ node: { __typename: 'FlexDb', id: dbId, code: 'shop' } });
  expect((await read(recordId)).data).toEqual({ node: { __typename: 'FlexRecord', id: recordId, data: { n: 1 } } });
  expect(sandbox.calls()).toEqual(['GET /flex/dbs/:id.json', 'GET /flex/dbs/:db_id/records.json']);
});

test('ids of all types may be mixed, and one API that is down costs its own places', async () => {
  const { execute, makeToken } = await accountGateway({ FLEX_URL: new URL(DEAD_ADDRESS) });
  const { id } = await makeToken({});

  const ids = ['FlexDb:7', `ApiToken:${id}`, 'FlexRecord:7:b', 'PublicFlexRecord:1'];
  const { data, errors } = await execute('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { variables: { ids } });

  expect(data).toEqual({ nodes: [null, { id: `ApiToken:${id}` }, null, null] });
  expect(errors.map(({ path, extensions }) => [path?.join('.'), extensions['code']]).sort()).toEqual([
    ['nodes.0', 'UPSTREAM_UNAVAILABLE'],
    ['nodes.2', 'UPSTREAM_UNAVAILABLE'],
    ['nodes.3', 'BAD_USER_INPUT'],
  ]);
});

test('a record that the caller cannot see is null, without an error', async () => {
  const { execute, makeDashboard, user } = await accountGateway();
  const { id } = await makeDashboard({}, user('dashboard_advanced').token);

  const { data, errors } = await execute('query ($id: ID!) { node(id: $id) { id } }', {
    variables: { id: `Dashboard:${id}` },
  });

  expect({ data, errors }).toEqual({ data: { node: null }, errors: [] });
});

test.each([
  '',
  '1',
  'Dashboard',
  'Dashboard:',
  'dashboard:1',
  'Robot:1',
  'Query:1',
  'CreatedApiToken:1',
  'constructor:1',
])('%j is no global id: refused before any call', async (id) => {
  const { execute, sandbox } = await accountGateway();

  const { data, errors } = await execute('query ($id: ID!) { node(id: $id) { id } }', { variables: { id } });

  expect(data).toEqual({ node: null });
  expect(errors).toMatchObject([{ path: ['node'], extensions: { code: 'BAD_USER_INPUT' } }]);
  expect(sandbox.calls()).toEqual([]);
});

test('nodes answers in the order of its ids, and an id that fails costs its own place only', async () => {
  const { execute, makeToken, makeDashboard } = await accountGateway();
  const token = await makeToken({ name: 'Shop' });
  const dashboard = await makeDashboard({ name: 'Board' });
  const shop = { __typename: 'ApiToken', id: `ApiToken:${token.id}`, tokenName: 'Shop' };

  const ids = ['7', shop.id, 'Robot:1', 'Dashboard:99', 'Dashboard:select', `Dashboard:${dashboard.id}`, shop.id];
  const { data, errors } = await execute(nodes, { variables: { ids } });

  const board = { __typename: 'Dashboard', id: `Dashboard:${dashboard.id}`, name: 'Board' };
  expect(data).toEqual({ nodes: [null, shop, null, null, null, board, shop] });
  expect(errors.map(({ path, extensions }) => [path?.join('.'), extensions['code']]).sort()).toEqual([
    ['nodes.0', 'BAD_USER_INPUT'],
    ['nodes.2', 'BAD_USER_INPUT'],
    ['nodes.4', 'BAD_USER_INPUT'],
  ]);
});

test('a failure of one call costs one place', async () => {
  const { execute } = await gatewayOverAnswers({
    'GET /toolkit/dashboards/1.json': ['no record'],
    'GET /toolkit/dashboards/2.json': { id: 2, name: 'Board' },
  });

  const { data, errors } = await execute(nodes, { variables: { ids: ['Dashboard:1', 'Dashboard:2'] } });

  expect(data).toMatchObject({ nodes: [null, { id: 'Dashboard:2' }] });
  expect(errors).toMatchObject([{ path: ['nodes', 0], extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
});

test('nodes takes MAX_NODES ids at most, and calls nothing for more', async () => {
  const { execute, sandbox } = await accountGateway({ MAX_NODES: 3 });

  const fine = await execute(nodes, { variables: { ids: ['ApiToken:1', 'ApiToken:1', 'ApiToken:1'] } });
  expect(fine.errors).toEqual([]);
  sandbox.forgetCalls();
  const tooMany = await execute(nodes, { variables: { ids: ['ApiToken:1', 'ApiToken:1', 'ApiToken:1', 'x'] } });

  expect(tooMany.errors).toMatchObject([
    { message: expect.stringContaining('MAX_NODES'), path: ['nodes'], extensions: { code: 'QUERY_LIMIT_EXCEEDED' } },
  ]);
  expect(sandbox.calls()).toEqual([]);
});

test('nodes without ids is an empty list', async () => {
  const { execute, sandbox } = await accountGateway();

  expect((await execute('{ nodes(ids: []) { id } }')).data).toEqual({ nodes: [] });
  expect(sandbox.calls()).toEqual([]);
});

test.each([
  ['nodes', (ids: readonly string[]) => `{ nodes(ids: ${JSON.stringify(ids)}) { id } }`],
  [
    'fields of their own',
    (ids: readonly string[]) => `{ ${ids.map((id, index) => `d${index}: dashboard(id: "${id}") { id }`).join(' ')} }`,
  ],
])('as many dashboards as are read at once are as many calls, more are one list call: by %s', async (_way, query) => {
  const { execute, sandbox, makeDashboard } = await accountGateway({ READS_AT_ONCE: 4 });
  const ids: string[] = [];
  for (let count = 1; count <= 6; count += 1) ids.push(`Dashboard:${(await makeDashboard()).id}`);

  const four = await execute(query(ids.slice(0, 4)));
  expect(sandbox.calls()).toEqual([DASHBOARD, DASHBOARD, DASHBOARD, DASHBOARD]);
  sandbox.forgetCalls();
  const five = await execute(query(ids.slice(1)));
  expect(sandbox.calls()).toEqual([DASHBOARDS]);

  const found = [...JSON.stringify([four.data, five.data]).matchAll(/Dashboard:\d+/g)].map(([id]) => id);
  expect(found).toEqual([...ids.slice(0, 4), ...ids.slice(1)]);
});

test('what the list lacks is read by id', async () => {
  const listed = [1, 2, 3, 4].map((id) => ({ id, name: `Board ${id}` }));
  const answers = { [DASHBOARDS]: listed, 'GET /toolkit/dashboards/7.json': { id: 7, name: 'Elsewhere' } };
  const { execute, received } = await gatewayOverAnswers(answers, { READS_AT_ONCE: 4 });

  const ids = [1, 7, 2, 8, 3, 4].map((id) => `Dashboard:${id}`);
  const { data, errors } = await execute(nodes, { variables: { ids } });

  const names = ['Board 1', 'Elsewhere', 'Board 2', null, 'Board 3', 'Board 4'];
  expect(errors).toEqual([]);
  expect(data).toMatchObject({ nodes: names.map((name) => name && { name }) });
  expect(received[0]).toBe(DASHBOARDS);
  expect(received.slice(1).sort()).toEqual(['GET /toolkit/dashboards/7.json', 'GET /toolkit/dashboards/8.json']);
});

test('a token of the account that is no own one is found among many, though the own list lacks it', async () => {
  const { execute, sandbox, makeToken, user } = await accountGateway({ READS_AT_ONCE: 4 });
  const admin = user('account_settings');
  const shared = await makeToken({ name: 'Shared', for_account: true }, admin.token);
  const ids = ['ApiToken:1', `ApiToken:${shared.id}`];
  for (let count = 1; count <= 3; count += 1) ids.push(`ApiToken:${(await makeToken({})).id}`);

  const { data } = await execute(nodes, { variables: { ids } });

  expect(data).toMatchObject({ nodes: ids.map((id) => ({ id })) });
  expect(sandbox.calls()).toEqual(['GET /account/api_tokens.json', TOKEN]);
});

test('identical reads of one operation are one call', async () => {
  const { execute, sandbox, makeDashboard } = await accountGateway();
  const { id } = await makeDashboard();

  await execute(
    `query ($id: ID!, $global: ID!) {
      a: dashboard(id: $id) { name } b: dashboard(id: $global) { id } c: node(id: $global) { id }
      d: dashboards { id } e: dashboards { name } f: dashboards(context: CRM) { id }
      g: displayedDashboard { layout { key } } h: displayedDashboard(context: MAIN) { current { id } }
    }`,
    { variables: { id, global: `Dashboard:${id}` } },
  );

  expect(sandbox.calls().sort()).toEqual([DASHBOARDS, DASHBOARDS, DASHBOARD, 'GET /toolkit/dashboards/widgets.json']);
});
