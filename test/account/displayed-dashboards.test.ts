import { expect, test } from 'vitest';
import { accountGateway, gatewayOverAnswers } from './support.ts';

const SHOWN = 'GET /toolkit/dashboards/widgets.json';
const SELECT = 'PATCH /toolkit/dashboards/select.json';

/** A gateway over an upstream that answers this for the main page. */
const displaying = async (answer: object) =>
  gatewayOverAnswers({ 'GET /toolkit/dashboards/widgets.json?context=main': answer });

const select = `mutation ($context: DashboardContext!, $selection: DashboardSelection!) {
  selectDashboard(context: $context, selection: $selection) {
    __typename
    ... on DisplayedDashboard { context current { name } }
    ... on ValidationError { fields { field } }
  }
}`;

test('the context alone makes no call, and all fields together make one', async () => {
  const { execute, sandbox, makeDashboard } = await accountGateway();
  await makeDashboard({ name: 'Own', layout: [{ key: 'tasks' }] });

  expect((await execute('{ displayedDashboard { __typename context } }')).data).toEqual({
    displayedDashboard: { __typename: 'DisplayedDashboard', context: 'MAIN' },
  });
  expect(sandbox.calls()).toEqual([]);

  const { data } = await execute(`{ displayedDashboard {
    context current { id name layout { key } updatedAt } layout { entryId key kind size config { scope } } choices { id name editable }
  } }`);
  expect(data).toEqual({
    displayedDashboard: {
      context: 'MAIN',
      current: { id: 'Dashboard:1', name: 'Own', layout: [{ key: 'tasks' }], updatedAt: expect.any(String) },
      layout: [{ entryId: 'tasks', key: 'tasks', kind: 'TASKS', size: 'HALF', config: { scope: 'ALL' } }],
      choices: [{ id: 'Dashboard:1', name: 'Own', editable: true }],
    },
  });
  expect(sandbox.calls()).toEqual([SHOWN]);
});

test.each(['MAIN', 'CRM', 'CMS', 'ORGANIZE', 'MAIL', 'KB', 'MARKETING', 'ACCOUNT'])(
  '%s is asked for by its upstream name, and shows its built-in layout where nothing was selected',
  async (context) => {
    const { ask, sandbox } = await accountGateway();

    const data = await ask(
      `query ($context: DashboardContext!) { displayedDashboard(context: $context) {
        context current { id } choices { id } layout { key config { module } }
      } }`,
      { variables: { context } },
    );

    const layout = expect.arrayContaining([{ key: 'module_header', config: { module: context } }]);
    expect(data).toEqual({ displayedDashboard: { context, current: null, choices: [], layout } });
    expect(sandbox.requests.map(({ query }) => query)).toEqual([{ context: context.toLowerCase() }]);
  },
);

test.each([
  [{ dashboard: '1' }, 1],
  [{ dashboard: 'Dashboard:1' }, 1],
  [{ dashboard: 1 }, 1],
  [{ layout: 'BUILTIN' }, 'builtin'],
  [{ layout: 'COMPANY_DEFAULT' }, ''],
])('the selection %j is sent as %j', async (selection, dashboard_id) => {
  const { execute, sandbox, bodies, makeDashboard } = await accountGateway();
  await makeDashboard({ context: 'crm' });

  const { errors } = await execute(
    `mutation ($selection: DashboardSelection!) { selectDashboard(context: CRM, selection: $selection) { __typename } }`,
    { variables: { selection } },
  );

  expect(errors).toEqual([]);
  expect(bodies()).toEqual([{ context: 'crm', dashboard_id }]);
  expect(sandbox.calls()).toEqual([SELECT]);
});

test.each([
  {},
  { dashboard: '1', layout: 'BUILTIN' },
  { dashboard: null },
  { layout: null },
  { dashboard: '1', layout: null },
])('the selection %j is refused: it takes exactly one of its fields', async (selection) => {
  const { execute, sandbox } = await accountGateway();

  const { errors } = await execute(select, { variables: { context: 'MAIN', selection } });

  expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  expect(sandbox.calls()).toEqual([]);
});

test.each(['{}', '{ dashboard: 1, layout: BUILTIN }', '{ layout: null }'])(
  'the literal selection %s is refused before any call',
  async (selection) => {
    const { execute, sandbox } = await accountGateway();

    const { errors } = await execute(
      `mutation { selectDashboard(context: MAIN, selection: ${selection}) { __typename } }`,
    );

    expect(errors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
    expect(sandbox.calls()).toEqual([]);
  },
);

test('a dashboard is read again after a selection in the same operation', async () => {
  const { execute, sandbox, makeDashboard } = await accountGateway();
  const { id } = await makeDashboard({ name: 'Own' });

  const { data } = await execute(
    `mutation ($id: ID!) {
      first: selectDashboard(context: MAIN, selection: { layout: BUILTIN }) { ...shown }
      second: selectDashboard(context: MAIN, selection: { dashboard: $id }) { ...shown }
    }
    fragment shown on DisplayedDashboard { current { name } choices { name } }`,
    { variables: { id } },
  );

  expect(data).toEqual({
    first: { current: null, choices: [{ name: 'Own' }] },
    second: { current: { name: 'Own' }, choices: [{ name: 'Own' }] },
  });
  expect(sandbox.calls()).toEqual([SELECT, SHOWN, SELECT, SHOWN]);
});

test('a displayed dashboard that is not among the choices is read by id', async () => {
  const { execute, received } = await gatewayOverAnswers({
    'GET /toolkit/dashboards/widgets.json?context=kb': { current_id: '7', layout: [], dashboards: [{ id: 8 }] },
    'GET /toolkit/dashboards/7.json': { id: 7, name: 'Elsewhere' },
  });

  const { data } = await execute('{ displayedDashboard(context: KB) { current { id name } } }');

  expect(data).toEqual({ displayedDashboard: { current: { id: 'Dashboard:7', name: 'Elsewhere' } } });
  expect(received).toEqual(['GET /toolkit/dashboards/widgets.json?context=kb', 'GET /toolkit/dashboards/7.json']);
});

test('each choice can be selected, whatever its id', async () => {
  const ids = ['builtin', '9007199254740993', 'a7', '8', 7];
  const shown = 'GET /toolkit/dashboards/widgets.json?context=main';
  const { execute, ask, sent } = await gatewayOverAnswers({
    [shown]: { current_id: 7, layout: [], dashboards: ids.map((id) => ({ id })) },
    'PATCH /toolkit/dashboards/select.json': {},
  });
  const choices = ids.map((id) => ({ id: `Dashboard:${id}`, upstreamId: String(id) }));

  const data = await ask('{ displayedDashboard { choices { id upstreamId } } }');
  expect(data).toEqual({ displayedDashboard: { choices } });

  for (const { id } of choices) {
    const selection = { dashboard: id };
    const selected = await execute(select.replace('current { name }', ''), {
      variables: { context: 'MAIN', selection },
    });
    expect(selected.data).toMatchObject({ selectDashboard: { __typename: 'DisplayedDashboard' } });
  }
  const dashboardIds = ['builtin', '9007199254740993', 'a7', 8, 7];
  expect(sent.filter((body) => body !== '').map((body) => JSON.parse(body))).toEqual(
    dashboardIds.map((dashboard_id) => ({ context: 'main', dashboard_id })),
  );
});

test.each([
  ['a/b', ['displayedDashboard', 'current']],
  ['..', ['displayedDashboard', 'current']],
  ['select', ['displayedDashboard', 'current', 'id']],
  ['1.json', ['displayedDashboard', 'current', 'id']],
])('the id %j is not handed out, for it would not be taken back', async (id, path) => {
  const layout = [{ id: 'it', key: 'tasks' }];
  const { execute, received } = await displaying({ current_id: id, layout, dashboards: [{ id, name: 'Odd' }] });

  const { data, errors } = await execute('{ displayedDashboard { current { id name } layout { key } } }');

  expect(data).toEqual({ displayedDashboard: { current: null, layout: [{ key: 'tasks' }] } });
  expect(errors).toMatchObject([{ path, extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
  expect(received).toEqual(['GET /toolkit/dashboards/widgets.json?context=main']);
});

test.each([undefined, null, '', 'builtin'])('the `current_id` %j means the built-in layout', async (current_id) => {
  const { ask } = await displaying({ current_id, layout: [{ id: 'it', key: 'tasks' }] });

  const data = await ask('{ displayedDashboard { current { id } layout { key } choices { id } } }');

  expect(data).toEqual({ displayedDashboard: { current: null, layout: [{ key: 'tasks' }], choices: [] } });
});

test.each(['dashboard', 'dashboards', 'widgets'])('the answer may be inside the key %s', async (key) => {
  const shown = { current_id: 1, layout: [{ id: 'it', key: 'tasks' }], dashboards: [{ id: 1, name: 'Own' }] };
  const { ask } = await displaying({ [key]: shown });

  expect(await ask('{ displayedDashboard { current { name } layout { key } choices { name } } }')).toEqual({
    displayedDashboard: { current: { name: 'Own' }, layout: [{ key: 'tasks' }], choices: [{ name: 'Own' }] },
  });
});

test.each([{}, { status: 'ok' }, { dashboard: { id: 1, name: 'Own' } }])(
  'an answer that tells nothing of what is displayed is no built-in layout: %j',
  async (body) => {
    const { execute } = await displaying(body);

    const { data, errors } = await execute(
      '{ displayedDashboard { current { name } layout { key } choices { name } } }',
    );

    expect(data).toEqual({ displayedDashboard: { current: null, layout: null, choices: null } });
    expect(errors).toMatchObject(
      ['current', 'layout', 'choices'].map((field) => ({
        path: ['displayedDashboard', field],
        extensions: { code: 'UPSTREAM_BAD_RESPONSE' },
      })),
    );
  },
);
