import { describe, expect, test } from 'vitest';
import { gatewayOver, type Result } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

// A malformed id reaches no upstream. The upstream here answers any request, and records it.

const FIELDS = {
  apiToken: 'query ($id: ID!) { field: apiToken(id: $id) { name } }',
  dashboard: 'query ($id: ID!) { field: dashboard(id: $id) { name } }',
  node: 'query ($id: ID!) { field: node(id: $id) { id } }',
  updateApiToken: 'mutation ($id: ID!) { field: updateApiToken(id: $id, input: { name: "x" }) { __typename } }',
  deleteApiToken: 'mutation ($id: ID!) { field: deleteApiToken(id: $id) { __typename } }',
  updateDashboard: 'mutation ($id: ID!) { field: updateDashboard(id: $id, input: { name: "x" }) { __typename } }',
  deleteDashboard: 'mutation ($id: ID!) { field: deleteDashboard(id: $id) { __typename } }',
  selectDashboard:
    'mutation ($id: ID!) { field: selectDashboard(context: MAIN, selection: { dashboard: $id }) { __typename } }',
};

const TYPE = {
  apiToken: 'ApiToken',
  dashboard: 'Dashboard',
  node: 'Dashboard',
  updateApiToken: 'ApiToken',
  deleteApiToken: 'ApiToken',
  updateDashboard: 'Dashboard',
  deleteDashboard: 'Dashboard',
  selectDashboard: 'Dashboard',
};

const NO_IDS: readonly [name: string, id: string][] = [
  ['the folder above', '..'],
  ['this folder', '.'],
  ['the folder above, encoded', '%2e%2e'],
  ['nothing', ''],
  ['a space', ' '],
  ['a slash', 'a/b'],
  ['a number and a slash', '1/../../app/clients'],
  ['an encoded slash', '%2f'],
  ['a backslash', '1\\2'],
  ['the name of a third, with its ending', '1.json'],
  ['a query', '1?for_account=yes'],
  ['a parameter', '1&x=y'],
  ['a fragment', '1#y'],
  ['half of a surrogate pair', '\ud800'],
  ['10,000 characters', 'x'.repeat(10_000)],
  ['10,000 digits', '1'.repeat(10_000)],
  ['a fraction', '1.5'],
  ['a plus sign', '+1'],
  ['NUL', '1\0'],
  ['a line end', '1\n'],
  ['a line end and a header', '1\r\nx: y'],
  ['digits of another script', '١٢'],
  ['a zero-width space', '1\u200b'],
  ['an id of a type that there is not', 'Nothing:42'],
  ['a global id of nothing', 'Dashboard:'],
  ['a global id of a global id', 'Dashboard:Dashboard:1'],
];

async function recording() {
  const upstream = await stubUpstream(({ url = '' }, response) => {
    const [, id = '1'] = /([^/]+)\.json$/.exec(url) ?? [];
    response.end(JSON.stringify({ id, name: 'other', for_account: false, layout: [], dashboards: [] }));
  });
  return { ...(await gatewayOver(upstream.url, {}, 'token')), upstream };
}

/** Refused as a member of the result, or as an error of the field: either says what an id is. */
function expectRefused({ data, errors }: Result): void {
  const [error] = errors;
  if (error) {
    expect(errors).toHaveLength(1);
    expect(error).toMatchObject({ path: ['field'], extensions: { code: 'BAD_USER_INPUT' } });
    expect(error.message).toMatch(/id/);
    expect(error.message.length).toBeLessThan(250);
    expect(error.extensions).not.toHaveProperty('upstream');
    expect(data).toEqual({ field: null });
  } else {
    expect(data).toEqual({ field: { __typename: 'ValidationError' } });
  }
}

describe.each(Object.entries(FIELDS))('%s refuses', (field, query) => {
  const type = Object.entries(TYPE).find(([name]) => name === field)?.[1] ?? '';

  test('every text that is no id, by itself and behind its type', async () => {
    const { execute, upstream } = await recording();
    for (const [name, id] of NO_IDS) {
      for (const given of [id, `${type}:${id}`]) {
        expectRefused(await execute(query, { variables: { id: given } }));
        expect(upstream.received, name).toEqual([]);
      }
    }
  });

  test('an id of another type, which would be good there', async () => {
    const { execute, upstream } = await recording();
    const other = field === 'node' ? 'Nothing:1' : type === 'Dashboard' ? 'ApiToken:1' : 'Dashboard:1';
    expectRefused(await execute(query, { variables: { id: other } }));
    expect(upstream.received).toEqual([]);
  });

  test('variables that are no id', async () => {
    const { execute, upstream } = await recording();
    expectRefused(await execute(query, { variables: { id: 1e21 } }));
    for (const id of [1.5, true, null, [1, 2], { id: 1 }]) {
      expect((await execute(query, { variables: { id } })).errors).toMatchObject([
        { extensions: { code: 'BAD_USER_INPUT' } },
      ]);
    }
    expect(upstream.received).toEqual([]);
  });
});

test('malformed ids within the document are refused', async () => {
  const { execute, upstream } = await recording();
  for (const id of ['"a/b"', '".."', '"""\n..\n"""', '"\\u0031/"']) {
    expectRefused(await execute(`{ field: apiToken(id: ${id}) { name } }`));
  }
  expect(upstream.received).toEqual([]);
});

test.each([
  ['apiToken', 'GET /account/api_tokens/42.json'],
  ['dashboard', 'GET /toolkit/dashboards/42.json'],
  ['updateApiToken', 'PATCH /account/api_tokens/42.json'],
  ['updateDashboard', 'PATCH /toolkit/dashboards/42.json'],
  ['deleteDashboard', 'DELETE /toolkit/dashboards/42.json'],
  ['selectDashboard', 'PATCH /toolkit/dashboards/select.json'],
] as const)('%s takes an id in each of its forms', async (field, call) => {
  for (const id of ['42', 42, `${TYPE[field]}:42`]) {
    const { execute, upstream } = await recording();
    expect((await execute(FIELDS[field], { variables: { id } })).errors).toEqual([]);
    expect(upstream.received).toEqual([call]);
  }
});

test.each(['dashboard', 'updateDashboard', 'deleteDashboard', 'selectDashboard', 'node'] as const)(
  '%s refuses the name of an endpoint',
  async (field) => {
    const { execute, upstream } = await recording();
    for (const id of ['select', 'widgets', 'widget', 'Widget']) {
      expectRefused(await execute(FIELDS[field], { variables: { id: `Dashboard:${id}` } }));
    }
    expect(upstream.received).toEqual([]);
  },
);

test.each(['builtin', '9007199254740993', '-1', '007', '1e3', 'a7_b'])('the id %j is opaque', async (id) => {
  const { execute, upstream } = await recording();
  expect((await execute(FIELDS.dashboard, { variables: { id: `Dashboard:${id}` } })).errors).toEqual([]);
  expect((await execute(FIELDS.updateApiToken, { variables: { id } })).errors).toEqual([]);
  expect(upstream.received).toEqual([`GET /toolkit/dashboards/${id}.json`, `PATCH /account/api_tokens/${id}.json`]);
});

test('one bad id among `nodes` costs its own place only', async () => {
  const { execute, upstream } = await recording();
  const ids = ['Dashboard:1', 'Dashboard:../1', '..', '', 'ApiToken:a.b', 'Nothing:1', 'ApiToken:2'];
  const { data, errors } = await execute('query ($ids: [ID!]!) { nodes(ids: $ids) { __typename } }', {
    variables: { ids },
  });
  const [board, token] = [{ __typename: 'Dashboard' }, { __typename: 'ApiToken' }];
  expect(data).toEqual({ nodes: [board, null, null, null, null, null, token] });
  expect(errors.map(({ path }) => path?.[1]).sort()).toEqual([1, 2, 3, 4, 5]);
  expect(upstream.received.toSorted()).toEqual(['GET /account/api_tokens/2.json', 'GET /toolkit/dashboards/1.json']);
});
