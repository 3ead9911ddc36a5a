import { expect, test } from 'vitest';
import { accountGateway } from './support.ts';

const ONE = 'GET /toolkit/dashboards/:id.json';
const CREATE = 'POST /toolkit/dashboards.json';
const UPDATE = 'PATCH /toolkit/dashboards/:id.json';
const DELETE = 'DELETE /toolkit/dashboards/:id.json';

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
const remove = 'mutation ($id: ID!) { deleteDashboard(id: $id) { __typename ... on DashboardDeletion { deletedId } } }';
const shown = 'query ($context: DashboardContext!) { displayedDashboard(context: $context) { current { name } } }';

test('createDashboard sends the given fields, and the new dashboard becomes the selected one of its context', async () => {
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
  expect((await execute(shown, { variables: { context: 'CRM' } })).data).toEqual({
    displayedDashboard: { current: { name: 'Sales' } },
  });
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

test('a context that upstream does not take on creation is a ValidationError', async () => {
  const { execute } = await accountGateway();

  const { data } = await execute(create, { variables: { input: { name: 'Letters', context: 'MAIL' } } });

  expect(data).toMatchObject({ createDashboard: { __typename: 'ValidationError', fields: [{ field: 'context' }] } });
});

test('only one company dashboard per context is the default: the next one clears the flag', async () => {
  const { execute, makeDashboard } = await accountGateway();
  await makeDashboard({ name: 'Elsewhere', context: 'cms', shared: true, is_default: true });
  const first = await makeDashboard({ name: 'First', shared: true, is_default: true });
  const second = await makeDashboard({ name: 'Second', shared: true });

  await execute(update, { variables: { id: second.id, input: { isDefault: true } } });

  const { data } = await execute('{ dashboards { name isDefault } }');
  expect(data).toEqual({
    dashboards: [
      { name: 'Elsewhere', isDefault: true },
      { name: 'First', isDefault: false },
      { name: 'Second', isDefault: true },
    ],
  });
  const { data: cleared } = await execute(update, { variables: { id: first.id, input: { isDefault: false } } });
  expect(cleared).toMatchObject({ updateDashboard: { isDefault: false } });
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

test('when a selected dashboard is deleted, the company default is shown, else the built-in layout', async () => {
  const { execute, sandbox, makeDashboard } = await accountGateway();
  const company = await makeDashboard({ name: 'Company', shared: true, is_default: true });
  const own = await makeDashboard({ name: 'Own' });

  const { data } = await execute(remove, { variables: { id: own.id } });
  expect(data).toEqual({ deleteDashboard: { __typename: 'DashboardDeletion', deletedId: `Dashboard:${own.id}` } });
  expect(sandbox.calls()).toEqual([DELETE]);
  expect((await execute(shown, { variables: { context: 'MAIN' } })).data).toEqual({
    displayedDashboard: { current: { name: 'Company' } },
  });

  await execute(remove, { variables: { id: `Dashboard:${company.id}` } });
  expect((await execute(shown, { variables: { context: 'MAIN' } })).data).toEqual({
    displayedDashboard: { current: null },
  });
});

test('a mutation without permission is a ForbiddenError', async () => {
  const { ask, sandbox, makeDashboard } = await accountGateway({}, { demo: true });
  const { id } = await makeDashboard({ shared: true }, 'demo-admin');

  const asked = async (token: string, query: string, variables: object) => {
    const data = await ask(query, { token, variables: { ...variables } });
    return data;
  };
  const forbidden = { __typename: 'ForbiddenError' };
  const input = { name: 'Changed' };

  // without account_settings
  const shared = { input: { ...input, shared: true } };
  expect(await asked('demo-editor', create, shared)).toEqual({ createDashboard: forbidden });
  expect(await asked('demo-editor', update, { id, input })).toEqual({ updateDashboard: forbidden });
  expect(await asked('demo-editor', remove, { id })).toEqual({ deleteDashboard: forbidden });
  expect(await asked('demo-editor', create, { input })).toMatchObject({ createDashboard: { name: 'Changed' } });
  // without dashboard_advanced
  expect(await asked('demo-member', create, { input })).toEqual({ createDashboard: forbidden });
  expect(await asked('demo-member', update, { id, input })).toEqual({ updateDashboard: forbidden });
  expect(sandbox.calls()).toEqual([CREATE, UPDATE, DELETE, CREATE, CREATE, UPDATE]);
});

test('a dashboard of another user is null by id, and a NotFoundError in a mutation', async () => {
  const { execute, sandbox, makeDashboard, user } = await accountGateway();
  const { id } = await makeDashboard({}, user('dashboard_advanced').token);
  const missing = { __typename: 'NotFoundError' };

  const read = await execute('query ($id: ID!) { dashboard(id: $id) { name } }', { variables: { id } });
  expect({ data: read.data, errors: read.errors }).toEqual({ data: { dashboard: null }, errors: [] });
  const updated = await execute(update, { variables: { id, input: { name: 'Mine now' } } });
  expect(updated.data).toEqual({ updateDashboard: missing });
  expect((await execute(remove, { variables: { id } })).data).toEqual({ deleteDashboard: missing });
  expect(sandbox.calls()).toEqual([ONE, UPDATE, DELETE]);
});
