import { expect, test } from 'vitest';
import { accountGateway, gatewayOverAnswers } from './support.ts';

const LIST = 'GET /toolkit/dashboards.json';
const ONE = 'GET /toolkit/dashboards/:id.json';

test('a dashboard returns every documented field', async () => {
  const { execute, sandbox, makeDashboard } = await accountGateway({}, { now: () => new Date('2026-03-01T08:00:00Z') });
  const { id } = await makeDashboard({
    name: 'Sales',
    context: 'crm',
    shared: true,
    is_default: true,
    layout: [{ id: 'deals', key: 'crm_deals', size: 'three_quarters', config: { scope: 'mine' } }],
  });

  const { data } = await execute(
    `query ($id: ID!) { dashboard(id: $id) {
      __typename id upstreamId name context shared isDefault editable updatedAt
      layout { entryId key kind size config { scope raw } }
    } }`,
    { variables: { id } },
  );

  expect(data).toEqual({
    dashboard: {
      __typename: 'Dashboard',
      id: `Dashboard:${id}`,
      upstreamId: id,
      name: 'Sales',
      context: 'CRM',
      shared: true,
      isDefault: true,
      editable: true,
      updatedAt: '2026-03-01T08:00:00.000Z',
      layout: [
        {
          entryId: 'deals',
          key: 'crm_deals',
          kind: 'CRM_DEALS',
          size: 'THREE_QUARTERS',
          config: { scope: 'MINE', raw: { scope: 'mine' } },
        },
      ],
    },
  });
  expect(sandbox.calls()).toEqual([ONE]);
});

test("the list holds the company's dashboards and the caller's own, of one context or of all", async () => {
  const { execute, sandbox, makeDashboard, user } = await accountGateway();
  const editor = user('dashboard_advanced');
  await makeDashboard({ name: 'Company', shared: true });
  await makeDashboard({ name: "The admin's own" });
  await makeDashboard({ name: 'Mine', context: 'crm' }, editor.token);

  const all = await execute('{ dashboards { name editable } }', { token: editor.token });
  expect(all.data).toEqual({
    dashboards: [
      { name: 'Company', editable: false },
      { name: 'Mine', editable: true },
    ],
  });
  const ofCrm = await execute('{ dashboards(context: CRM) { name } }', { token: editor.token });
  expect(ofCrm.data).toEqual({ dashboards: [{ name: 'Mine' }] });
  expect(sandbox.requests.map(({ path, query }) => ({ path, query }))).toEqual([
    { path: '/toolkit/dashboards.json', query: {} },
    { path: '/toolkit/dashboards.json', query: { context: 'crm' } },
  ]);
  expect(sandbox.calls()).toEqual([LIST, LIST]);
});

test('an invalid value is an error of its own field only', async () => {
  const { execute } = await gatewayOverAnswers({
    [LIST]: [
      {
        id: 1,
        name: 'Odd',
        context: 'garden',
        layout: {},
        shared: 'so',
        is_default: 1,
        editable: '1',
        updated_at: 'now',
      },
      { id: '2', name: 'Fine', context: null, layout: null, shared: '0', is_default: 0, editable: false },
    ],
    'GET /toolkit/dashboards/2.json': { id: 2 },
  });

  const { data, errors } = await execute(
    '{ dashboards { id name context layout { key } shared isDefault editable updatedAt } }',
  );

  const odd = { context: null, layout: null, shared: null, updatedAt: null };
  const fine = { context: null, layout: null, shared: false, updatedAt: null };
  expect(data).toEqual({
    dashboards: [
      { id: 'Dashboard:1', name: 'Odd', ...odd, isDefault: true, editable: true },
      { id: 'Dashboard:2', name: 'Fine', ...fine, isDefault: false, editable: false },
    ],
  });
  expect(errors.map(({ path }) => path?.join('.')).sort()).toEqual(
    Object.keys(odd).map((field) => `dashboards.0.${field}`),
  );
});

test('a field that the list lacks is read by id, only when it is selected', async () => {
  const { execute, received } = await gatewayOverAnswers({
    [LIST]: [{ id: 1, name: 'Brief' }],
    'GET /toolkit/dashboards/1.json': { id: 1, name: 'Brief', layout: [{ id: 'tasks', key: 'tasks' }] },
  });

  expect((await execute('{ dashboards { id name } }')).data).toEqual({
    dashboards: [{ id: 'Dashboard:1', name: 'Brief' }],
  });
  expect(received).toEqual([LIST]);
  expect((await execute('{ dashboards { layout { key size } editable } }')).data).toEqual({
    dashboards: [{ layout: [{ key: 'tasks', size: null }], editable: null }],
  });
  expect(received).toEqual([LIST, LIST, 'GET /toolkit/dashboards/1.json']);
});
