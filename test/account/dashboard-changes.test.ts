import { expect, test } from 'vitest';
import { accountGateway, gatewayOverAnswers } from './support.ts';

const CREATE = 'POST /toolkit/dashboards.json';
const UPDATE = 'PATCH /toolkit/dashboards/:id.json';

const create = `mutation ($input: CreateDashboardInput!) {
  createDashboard(input: $input) {
    __typename
    ... on Dashboard { id name context shared isDefault editable layout { entryId key } }
    ... on ValidationError { message fields { field } }
  }
}`;
const update = `mutation ($id: ID!, $input: UpdateDashboardInput!) {
  updateDashboard(id: $id, input: $input) {
    __typename
    ... on Dashboard { id name isDefault layout { entryId key config { raw } } }
    ... on ValidationError { fields { field } }
  }
}`;

test('createDashboard sends the given fields, and returns the new dashboard', async () => {
  const { execute, sandbox, bodies } = await accountGateway();

  const { data } = await execute(create, {
    variables: {
      input: {
        name: 'Sales',
        context: 'CRM',
        shared: true,
        isDefault: true,
        layout: [{ entryId: 'a', key: 'crm_deals', size: 'HALF', config: { limit: 20, hiddenCounters: null } }],
      },
    },
  });

  expect(data).toEqual({
    createDashboard: {
      __typename: 'Dashboard',
      id: 'Dashboard:1',
      name: 'Sales',
      context: 'CRM',
      shared: true,
      isDefault: true,
      editable: true,
      layout: [{ entryId: 'a', key: 'crm_deals' }],
    },
  });
  const layout = [{ id: 'a', key: 'crm_deals', size: 'half', config: { limit: '20' } }];
  const dashboard = { name: 'Sales', context: 'crm', shared: true, is_default: true, layout };
  expect(bodies()).toEqual([{ dashboard }]);
  expect(sandbox.calls()).toEqual([CREATE]);
});

test('a dashboard without context and layout gets the context MAIN and the standard layout', async () => {
  const { execute, bodies } = await accountGateway();

  const { data } = await execute(create, { variables: { input: { name: 'Plain' } } });

  expect(bodies()).toEqual([{ dashboard: { name: 'Plain' } }]);
  expect(data).toMatchObject({
    createDashboard: {
      context: 'MAIN',
      shared: false,
      isDefault: false,
      layout: [{ key: 'module_header' }, { key: 'module_icons' }],
    },
  });
});

test('isDefault is refused for a dashboard of one user: before any call on creation, by upstream on an update', async () => {
  const { execute, sandbox, makeDashboard } = await accountGateway();
  const { id } = await makeDashboard();

  const created = await execute(create, { variables: { input: { name: 'Own', isDefault: true } } });
  expect(sandbox.calls()).toEqual([]);
  const updated = await execute(update, { variables: { id, input: { isDefault: true } } });

  const refusal = { __typename: 'ValidationError', fields: [{ field: 'isDefault' }] };
  expect(created.data).toMatchObject({ createDashboard: refusal });
  expect(updated.data).toMatchObject({ updateDashboard: refusal });
});

test('a name of more than 100 characters is refused before any call', async () => {
  const { execute, sandbox, makeDashboard } = await accountGateway();
  const { id } = await makeDashboard();
  const tooLong = { name: '😀'.repeat(101) };

  const created = await execute(create, { variables: { input: tooLong } });
  const updated = await execute(update, { variables: { id, input: tooLong } });
  expect(created.data).toMatchObject({ createDashboard: { fields: [{ field: 'name' }] } });
  expect(updated.data).toMatchObject({ updateDashboard: { fields: [{ field: 'name' }] } });
  expect(sandbox.calls()).toEqual([]);

  const long = { name: '😀'.repeat(100) };
  expect((await execute(create, { variables: { input: long } })).data).toMatchObject({ createDashboard: long });
  expect((await execute(update, { variables: { id, input: long } })).data).toMatchObject({ updateDashboard: long });
});

test('updateDashboard sends the given fields, and a tile keeps the entryId that is sent back', async () => {
  const { execute, sandbox, bodies, makeDashboard } = await accountGateway();
  const { id } = await makeDashboard({ layout: [{ key: 'tasks', config: { scope: 'mine' } }, { key: 'mail' }] });

  const { data } = await execute(update, {
    variables: {
      id: `Dashboard:${id}`,
      input: { layout: [{ key: 'inbox' }, { entryId: 'tasks', key: 'tasks', config: { raw: { scope: 'mine' } } }] },
    },
  });

  const layout = [{ key: 'inbox' }, { id: 'tasks', key: 'tasks', config: { scope: 'mine' } }];
  expect(bodies()).toEqual([{ dashboard: { layout } }]);
  expect(data).toMatchObject({
    updateDashboard: {
      name: 'Board',
      layout: [{ entryId: 'inbox' }, { entryId: 'tasks', config: { raw: { scope: 'mine' } } }],
    },
  });
  expect(sandbox.calls()).toEqual([UPDATE]);
});

test.each(['context: CRM', 'shared: true'])('GraphQL refuses an update with %s', async (change) => {
  const { execute, sandbox } = await accountGateway();

  const { errors } = await execute(`mutation { updateDashboard(id: 1, input: { ${change} }) { __typename } }`);

  expect(errors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
  expect(sandbox.calls()).toEqual([]);
});

test('the layout that was sent is not shown in place of the one that upstream made of it', async () => {
  const { execute } = await gatewayOverAnswers({ 'PATCH /toolkit/dashboards/7.json': 'ok' });
  const tiles = '{ name: "x", layout: [{ key: "tasks" }] }';

  const { data, errors } = await execute(
    `mutation { updateDashboard(id: 7, input: ${tiles}) { ... on Dashboard { name layout { key } } } }`,
  );

  expect(data).toEqual({ updateDashboard: { name: 'x', layout: null } });
  const message = expect.stringMatching(/The change was made/);
  expect(errors).toMatchObject([{ path: ['updateDashboard', 'layout'], message, extensions: { outcome: 'APPLIED' } }]);
});
