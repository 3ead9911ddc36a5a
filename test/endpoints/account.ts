import type { AccountSource } from '../../src/apis/account/source.ts';
import type { Rows } from './rows.ts';

export const account: Rows<AccountSource> = {
  apiTokens: ['GET /account/api_tokens.json', (source) => source.apiTokens(), '{ apiTokens { id } }'],
  accountApiTokens: [
    'GET /account/api_tokens.json?for_account=yes',
    (source) => source.accountApiTokens(),
    '{ apiTokens(scope: ACCOUNT) { id } }',
  ],
  apiToken: ['GET /account/api_tokens/:id.json', (source) => source.apiToken('1'), '{ apiToken(id: 1) { id } }'],
  createApiToken: [
    'POST /account/api_tokens.json',
    (source) => source.createApiToken({}),
    'mutation { createApiToken(input: {}) { __typename } }',
  ],
  updateApiToken: [
    'PATCH /account/api_tokens/:id.json',
    (source) => source.updateApiToken('1', {}),
    'mutation { updateApiToken(id: 1, input: { name: "x" }) { __typename } }',
  ],
  deleteApiToken: [
    'DELETE /account/api_tokens/:id.json',
    (source) => source.deleteApiToken('1'),
    'mutation { deleteApiToken(id: 1) { __typename } }',
  ],
  dashboards: ['GET /toolkit/dashboards.json', (source) => source.dashboards(), '{ dashboards { id } }'],
  dashboard: ['GET /toolkit/dashboards/:id.json', (source) => source.dashboard('1'), '{ dashboard(id: 1) { id } }'],
  createDashboard: [
    'POST /toolkit/dashboards.json',
    (source) => source.createDashboard({ name: 'Board' }),
    'mutation { createDashboard(input: { name: "Board" }) { __typename } }',
  ],
  updateDashboard: [
    'PATCH /toolkit/dashboards/:id.json',
    (source) => source.updateDashboard('1', {}),
    'mutation { updateDashboard(id: 1, input: { name: "x" }) { __typename } }',
  ],
  deleteDashboard: [
    'DELETE /toolkit/dashboards/:id.json',
    (source) => source.deleteDashboard('1'),
    'mutation { deleteDashboard(id: 1) { __typename } }',
  ],
  selectDashboard: [
    'PATCH /toolkit/dashboards/select.json',
    (source) => source.selectDashboard('main', 1),
    'mutation { selectDashboard(context: MAIN, selection: { dashboard: 1 }) { __typename } }',
  ],
  displayedDashboard: [
    'GET /toolkit/dashboards/widgets.json',
    (source) => source.displayedDashboard('main'),
    '{ displayedDashboard { layout { key } } }',
  ],
  dashboardWidget: [
    'GET /toolkit/dashboards/widget.json',
    (source) => source.dashboardWidget('tasks'),
    '{ dashboardWidget(key: "tasks") { key } }',
  ],
  setField: [
    'POST /account/set_field.json',
    (source) => source.setField('account.settings.modules', 'add', 'toolkit'),
    'mutation { enableDashboards { __typename } }',
  ],
};
