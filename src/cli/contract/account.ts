import {
  type ApiTokenRecord,
  type DashboardRecord,
  dashboardSegment,
  type DashboardWidgetAnswer,
  type DisplayedDashboardAnswer,
  type LayoutTile,
} from '../../apis/account/wire.ts';
import { kinds } from './kinds.ts';
import { type ContractRead, type FieldsOf, listAndRecord } from './shape.ts';

const token = {
  id: kinds.ownId,
  name: kinds.text,
  code: kinds.text,
  privileges: kinds.texts,
  token_info: kinds.text,
  active: kinds.boolean,
  expires_at: kinds.dateOrInstant,
  kind: kinds.text,
  integration_app_code: kinds.text,
  for_account: kinds.boolean,
  token: kinds.nothing,
} satisfies FieldsOf<ApiTokenRecord & { readonly token: unknown }>;

const tile = {
  id: kinds.ownId,
  key: kinds.text,
  size: kinds.text,
  config: kinds.object,
} satisfies FieldsOf<LayoutTile>;

const dashboard = {
  id: kinds.ownId,
  name: kinds.text,
  context: kinds.text,
  layout: { rows: tile },
  shared: kinds.boolean,
  is_default: kinds.boolean,
  editable: kinds.boolean,
  updated_at: kinds.instant,
} satisfies FieldsOf<DashboardRecord>;

const { currentId, ...displayed } = {
  currentId: kinds.id,
  layout: { rows: tile },
  dashboards: { rows: dashboard, recordKey: 'dashboard' },
} satisfies FieldsOf<DisplayedDashboardAnswer>;

const widget = {
  key: kinds.text,
  name: kinds.text,
  settings: kinds.objectOrList,
  config: kinds.object,
} satisfies FieldsOf<DashboardWidgetAnswer>;

const [tokens, oneToken] = listAndRecord(
  ['GET /account/api_tokens.json', 'GET /account/api_tokens/:id.json'],
  'api_token',
  token,
);
const [dashboards, oneDashboard] = listAndRecord(
  ['GET /toolkit/dashboards.json', 'GET /toolkit/dashboards/:id.json'],
  'dashboard',
  dashboard,
);

export const accountReads: readonly ContractRead[] = [
  tokens,
  { ...tokens, endpoint: 'GET /account/api_tokens.json?for_account=yes' },
  oneToken,
  dashboards,
  { ...oneDashboard, segment: dashboardSegment },
  {
    endpoint: 'GET /toolkit/dashboards/widgets.json',
    query: () => ({ context: 'main' }),
    fields: { current_id: currentId, ...displayed },
  },
  {
    endpoint: 'GET /toolkit/dashboards/widget.json',
    query: () => ({ key: 'module_header' }), // needs no module
    fields: widget,
  },
];
