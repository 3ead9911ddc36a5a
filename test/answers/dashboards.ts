import { change, creation, forbidden, invalid, missing, written } from './mutations.ts';
import { lostFields, REFUSAL, type Scenario } from './support.ts';

const TILES = 'entryId key kind size sizeText config { raw limit }';
const BOARD = `id name context contextText layout { ${TILES} } shared isDefault editable updatedAt`;
const newBoard = (input: string, selection: string) =>
  written('createDashboard', `input: ${input}`, 'Dashboard', selection);
const selected = (selection: string) =>
  written(
    'selectDashboard',
    `context: CRM, selection: ${selection}`,
    'DisplayedDashboard',
    'context current { name } layout { key }',
  );

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
      differs: { unread: lostFields('createDashboard', 'isDefault', 'layout') },
    },
    'a new dashboard with all fields': creation('createDashboard', 'input: { name: "C" }', 'Dashboard', BOARD),
    'a new dashboard without the permission': forbidden('createDashboard', 'input: { name: "D" }'),
    'a new dashboard without a name': invalid('createDashboard', 'input: { name: " " }'),
    'a new dashboard with its id alone': creation('createDashboard', 'input: { name: "D" }', 'Dashboard', 'id'),
    'a change with fields that were sent': change(
      'updateDashboard',
      'id: 1, input: { name: "E" }',
      'Dashboard',
      'id name',
    ),
    'a change with all fields': change(
      'updateDashboard',
      'id: 1, input: { name: "E", isDefault: true, layout: [{ key: "crm_deals" }] }',
      'Dashboard',
      BOARD,
    ),
    'a change with the other dashboards': change(
      'updateDashboard',
      'id: 1, input: { isDefault: true }',
      'Dashboard',
      'companyDashboards { name } displayedDashboard { id }',
      2,
    ),
    'a change of a dashboard that is missing': missing('updateDashboard', 'id: 99, input: { name: "E" }'),
    'a change to a default that is not shared': invalid(
      'updateDashboard',
      'id: 2, input: { isDefault: true }',
      'is_default is for company dashboards only',
    ),
    'all dashboards': { query: `{ dashboards { ${BOARD} companyDashboards { name } } }`, calls: 3 },
    'the dashboards of a page': { query: '{ dashboards(context: CRM) { name } }', calls: 1 },
    'one dashboard': { query: `{ dashboard(id: "Dashboard:2") { ${BOARD} upstreamId } }`, calls: 1 },
    'a dashboard that is missing': { query: '{ dashboard(id: 99) { name } }', data: { dashboard: null }, calls: 1 },
    'the built-in layout': { query: selected('{ layout: BUILTIN }'), calls: 2 },
    'a selection': { query: selected('{ dashboard: "Dashboard:1" }'), calls: 2 },
    'a selection of a dashboard of another page': invalid(
      'selectDashboard',
      'context: CRM, selection: { dashboard: 2 }',
    ),
    'a selection of a dashboard that is missing': missing(
      'selectDashboard',
      'context: CRM, selection: { dashboard: 99 }',
    ),
    'the displayed dashboard': {
      query: `{ displayedDashboard(context: CRM) { current { ${BOARD} } layout { key } choices { name } } }`,
      calls: 1,
    },
    'a deletion': {
      query: written(
        'deleteDashboard',
        'id: "Dashboard:3"',
        'DashboardDeletion',
        'deletedId displayedDashboard { current { name } choices { name } }',
      ),
      calls: 2,
    },
    'a deletion again': missing('deleteDashboard', 'id: 3'),
    'a deletion without the permission': forbidden('deleteDashboard', 'id: 1'),
    'a tile': {
      query:
        '{ dashboardWidget(key: "inbox") { key name settings { name options default multiple text raw } config { raw } } }',
      calls: 1,
    },
    'tiles, and one that is missing': {
      query: '{ dashboardWidgets(keys: ["crm_deals", "none", "kpi"]) { key name settings { name } } }',
      calls: 3,
    },
    'dashboards for the account': {
      query: `mutation { enableDashboards { ${REFUSAL} ... on AccountFieldChange { key actionType value } } }`,
      calls: 1,
    },
    'dashboards for the account without the permission': forbidden('enableDashboards', ''),
    'a field of the account': {
      query: written(
        'setAccountField',
        'input: { key: "account.settings.modules", actionType: "add", value: "crm" }',
        'AccountFieldChange',
        'key actionType value',
      ),
      calls: 1,
    },
    'a field of the account that is wrong': invalid(
      'setAccountField',
      'input: { key: "nothing", actionType: "module", value: "1" }',
      'key is not a known setting; action_type must be add or remove; value is not a known module',
    ),
  },
};
