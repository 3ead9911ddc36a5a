import { lost, MEMBER, REFUSAL, type Scenario } from './support.ts';

const TILES = 'entryId key kind size sizeText config { raw limit }';
const BOARD = `id name context contextText layout { ${TILES} } shared isDefault editable updatedAt`;
const newBoard = (input: string, selection: string) =>
  `mutation { createDashboard(input: ${input}) { ${REFUSAL} ... on Dashboard { ${selection} } } }`;
const changedBoard = (args: string, selection = BOARD) =>
  `mutation { updateDashboard(${args}) { ${REFUSAL} ... on Dashboard { ${selection} } } }`;
const deletedBoard = (id: string) => `mutation {
  deleteDashboard(id: "${id}") {
    ${REFUSAL} ... on DashboardDeletion { deletedId displayedDashboard { current { name } choices { name } } }
  }
}`;
const selected = (selection: string) => `mutation {
  selectDashboard(context: CRM, selection: ${selection}) {
    ${REFUSAL} ... on DisplayedDashboard { context current { name } layout { key } }
  }
}`;
const CHANGED_FIELD = `{ ${REFUSAL} ... on AccountFieldChange { key actionType value } }`;

/** Dashboards, tiles and fields of the account. */
export const dashboards: Scenario = {
  steps: {
    'no dashboard is selected': {
      query: `{ displayedDashboard { id context current { id } layout { ${TILES} } choices { id } } }`,
      calls: 1,
    },
    'a new dashboard with the fields that were sent': {
      query: newBoard('{ name: "A", context: CRM, shared: true }', 'name context shared'),
      calls: 1,
    },
    'a new dashboard with a field that was not sent': {
      query: newBoard('{ name: "B", layout: [{ key: "tasks" }] }', 'name isDefault layout { entryId key }'),
      calls: 1,
      differs: {
        unread: {
          data: { 'createDashboard.isDefault': null, 'createDashboard.layout': null },
          errors: [lost('createDashboard.isDefault'), lost('createDashboard.layout')],
        },
      },
    },
    'a new dashboard with all fields': {
      query: newBoard('{ name: "C" }', BOARD),
      calls: 1,
      differs: {
        unread: {
          data: { createDashboard: null },
          errors: [lost('createDashboard.id')],
        },
      },
    },
    'a new dashboard without the permission': {
      query: newBoard('{ name: "D" }', 'name'),
      token: MEMBER,
      calls: 1,
      refused: ['ForbiddenError'],
      differs: {
        'bare:refused-200': {
          data: {
            'createDashboard.__typename': 'ValidationError',
            'createDashboard.message': 'forbidden',
            'createDashboard.fields': [],
          },
        },
      },
    },
    'a new dashboard without a name': {
      query: newBoard('{ name: " " }', 'name'),
      calls: 1,
      refused: ['ValidationError'],
    },
    'a new dashboard with its id alone': {
      query: newBoard('{ name: "D" }', 'id'),
      calls: 1,
      differs: { unread: { data: { createDashboard: null }, errors: [lost('createDashboard.id')] } },
    },
    'a change with fields that were sent': {
      query: changedBoard('id: 1, input: { name: "E" }', 'id name'),
      calls: 1,
      differs: { unread: { calls: 2 } },
    },
    'a change with all fields': {
      query: changedBoard('id: 1, input: { name: "E", isDefault: true, layout: [{ key: "crm_deals" }] }'),
      calls: 1,
      differs: { unread: { calls: 2 } },
    },
    'a change with the other dashboards': {
      query: changedBoard('id: 1, input: { isDefault: true }', 'companyDashboards { name } displayedDashboard { id }'),
      calls: 2,
      differs: { unread: { calls: 3 } },
    },
    'a change of a dashboard that is missing': {
      query: changedBoard('id: 99, input: { name: "E" }'),
      calls: 1,
      refused: ['NotFoundError'],
    },
    'a change to a default that is not shared': {
      query: changedBoard('id: 2, input: { isDefault: true }'),
      calls: 1,
      refused: ['ValidationError'],
      differs: {
        'bare:refused-200': { data: { 'updateDashboard.message': 'is_default is for company dashboards only' } },
      },
    },
    'all dashboards': { query: `{ dashboards { ${BOARD} companyDashboards { name } } }`, calls: 3 },
    'the dashboards of a page': { query: '{ dashboards(context: CRM) { name } }', calls: 1 },
    'one dashboard': { query: `{ dashboard(id: "Dashboard:2") { ${BOARD} upstreamId } }`, calls: 1 },
    'a dashboard that is missing': { query: '{ dashboard(id: 99) { name } }', data: { dashboard: null }, calls: 1 },
    'the built-in layout': { query: selected('{ layout: BUILTIN }'), calls: 2 },
    'a selection': { query: selected('{ dashboard: "Dashboard:1" }'), calls: 2 },
    'a selection of a dashboard of another page': {
      query: selected('{ dashboard: 2 }'),
      calls: 1,
      refused: ['ValidationError'],
    },
    'a selection of a dashboard that is missing': {
      query: selected('{ dashboard: 99 }'),
      calls: 1,
      refused: ['NotFoundError'],
    },
    'the displayed dashboard': {
      query: `{ displayedDashboard(context: CRM) { current { ${BOARD} } layout { key } choices { name } } }`,
      calls: 1,
    },
    'a deletion': { query: deletedBoard('Dashboard:3'), calls: 2 },
    'a deletion again': { query: deletedBoard('3'), calls: 1, refused: ['NotFoundError'] },
    'a deletion without the permission': {
      query: 'mutation { deleteDashboard(id: 1) { __typename ... on MutationError { message } } }',
      token: MEMBER,
      calls: 1,
      refused: ['ForbiddenError'],
      differs: {
        'bare:refused-200': {
          data: { 'deleteDashboard.__typename': 'ValidationError', 'deleteDashboard.message': 'forbidden' },
        },
      },
    },
    'a tile': {
      query:
        '{ dashboardWidget(key: "inbox") { key name settings { name options default multiple text } config { raw } } }',
      calls: 1,
    },
    'tiles, and one that is missing': {
      query: '{ dashboardWidgets(keys: ["crm_deals", "none", "kpi"]) { key name settings { name } } }',
      calls: 3,
    },
    'dashboards for the account': { query: `mutation { enableDashboards ${CHANGED_FIELD} }`, calls: 1 },
    'dashboards for the account without the permission': {
      query: `mutation { enableDashboards ${CHANGED_FIELD} }`,
      token: MEMBER,
      calls: 1,
      refused: ['ForbiddenError'],
      differs: {
        'bare:refused-200': {
          data: {
            'enableDashboards.__typename': 'ValidationError',
            'enableDashboards.message': 'forbidden',
            'enableDashboards.fields': [],
          },
        },
      },
    },
    'a field of the account': {
      query: `mutation { setAccountField(input: { key: "account.settings.modules", actionType: "add", value: "crm" }) ${CHANGED_FIELD} }`,
      calls: 1,
    },
    'a field of the account that is wrong': {
      query: `mutation { setAccountField(input: { key: "nothing", actionType: "module", value: "1" }) ${CHANGED_FIELD} }`,
      calls: 1,
      refused: ['ValidationError'],
      differs: {
        'bare:refused-200': {
          data: {
            'setAccountField.message':
              'key is not a known setting; action_type must be add or remove; value is not a known module',
          },
        },
      },
    },
  },
};
