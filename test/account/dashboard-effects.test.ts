import { expect, test } from 'vitest';
import { accountGateway, gatewayOverAnswers } from './support.ts';

// The effects of a change on other dashboards, in its own payload.

const LIST = 'GET /toolkit/dashboards.json';
const SHOWN = 'GET /toolkit/dashboards/widgets.json';
const CREATE = 'POST /toolkit/dashboards.json';
const UPDATE = 'PATCH /toolkit/dashboards/:id.json';
const DELETE = 'DELETE /toolkit/dashboards/:id.json';

test('a creation shows that the new dashboard is displayed on its page', async () => {
  const { ask, sandbox } = await accountGateway();

  const data = await ask(`mutation { createDashboard(input: { name: "Sales", context: CRM }) {
    ... on Dashboard { id displayedDashboard { id context current { id } choices { name } } }
  } }`);

  expect(data).toEqual({
    createDashboard: {
      id: 'Dashboard:1',
      displayedDashboard: {
        id: 'DisplayedDashboard:crm',
        context: 'CRM',
        current: { id: 'Dashboard:1' },
        choices: [{ name: 'Sales' }],
      },
    },
  });
  expect(sandbox.calls()).toEqual([CREATE, SHOWN]);
});

test('a change of the default shows which dashboard lost it', async () => {
  const { ask, sandbox, makeDashboard } = await accountGateway();
  await makeDashboard({ name: 'Own' });
  await makeDashboard({ name: 'Elsewhere', shared: true, is_default: true, context: 'crm' });
  const before = await makeDashboard({ name: 'Before', shared: true, is_default: true });
  const { id } = await makeDashboard({ name: 'After', shared: true });

  const data = await ask(
    `mutation ($id: ID!) { updateDashboard(id: $id, input: { isDefault: true }) {
      ... on Dashboard { id companyDashboards { id isDefault } }
    } }`,
    { variables: { id } },
  );

  expect(data).toEqual({
    updateDashboard: {
      id: `Dashboard:${id}`,
      companyDashboards: [
        { id: `Dashboard:${before.id}`, isDefault: false },
        { id: `Dashboard:${id}`, isDefault: true },
      ],
    },
  });
  expect(sandbox.calls()).toEqual([UPDATE, LIST]);
  expect(sandbox.requests.at(-1)?.query).toEqual({ context: 'main' });
});

test('a deletion shows the dashboard that is displayed now, of any page', async () => {
  const { ask, sandbox, makeDashboard } = await accountGateway();
  await makeDashboard({ name: 'Company', shared: true, is_default: true });
  const { id } = await makeDashboard({ name: 'Own' });

  const data = await ask(
    `mutation ($id: ID!) { deleteDashboard(id: $id) { ... on DashboardDeletion {
      deletedId displayedDashboard { id current { name } } crm: displayedDashboard(context: CRM) { id current { name } }
    } } }`,
    { variables: { id } },
  );

  expect(data).toEqual({
    deleteDashboard: {
      deletedId: `Dashboard:${id}`,
      displayedDashboard: { id: 'DisplayedDashboard:main', current: { name: 'Company' } },
      crm: { id: 'DisplayedDashboard:crm', current: null },
    },
  });
  expect(sandbox.calls()).toEqual([DELETE, SHOWN, SHOWN]);
});

test('a selection shows the displayed dashboard under the same id', async () => {
  const { execute } = await accountGateway();
  const select = 'selectDashboard(context: KB, selection: { layout: BUILTIN })';

  const { data } = await execute(`mutation { ${select} { ... on DisplayedDashboard { id } } }`);

  expect(data).toEqual({ selectDashboard: { id: 'DisplayedDashboard:kb' } });
  expect((await execute('{ displayedDashboard(context: KB) { id } }')).data).toEqual({
    displayedDashboard: { id: 'DisplayedDashboard:kb' },
  });
});

test('neither field makes a call unless it is selected, and several dashboards share one', async () => {
  const { execute, sandbox, makeDashboard } = await accountGateway();
  await makeDashboard({ name: 'One', shared: true });
  await makeDashboard({ name: 'Two', shared: true });

  await execute('{ dashboards { name displayedDashboard { id } } }');
  expect(sandbox.calls()).toEqual([LIST]);

  sandbox.forgetCalls();
  const { data } = await execute(
    '{ dashboards(context: MAIN) { companyDashboards { name } displayedDashboard { current { name } } } }',
  );
  const each = {
    companyDashboards: [{ name: 'One' }, { name: 'Two' }],
    displayedDashboard: { current: { name: 'Two' } },
  };
  expect(data).toEqual({ dashboards: [each, each] });
  expect(sandbox.calls()).toEqual([LIST, SHOWN]);
});

test('an unknown page has a text, company dashboards, and no displayed dashboard', async () => {
  const { execute } = await gatewayOverAnswers({
    'GET /toolkit/dashboards/1.json': { id: 1, context: 'garden' },
    'GET /toolkit/dashboards.json?context=garden': [
      { id: 1, shared: true },
      { id: 2, shared: false },
      { id: 3, shared: '?' },
    ],
  });

  const { data, errors } = await execute(
    '{ dashboard(id: 1) { context contextText companyDashboards { id } displayedDashboard { id } } }',
  );

  expect(data).toEqual({
    dashboard: {
      context: null,
      contextText: 'garden',
      companyDashboards: [{ id: 'Dashboard:1' }],
      displayedDashboard: null,
    },
  });
  expect(errors.map(({ path }) => path?.[1]).sort()).toEqual(['companyDashboards', 'context', 'displayedDashboard']);
});
