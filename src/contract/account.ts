import {
  type ApiTokenRecord,
  type DashboardRecord,
  dashboardSegment,
  type DashboardWidgetAnswer,
  type DisplayedDashboardAnswer,
  type LayoutTile,
} from '../account/wire.ts';
import { idSegment, path, withQuery } from '../http/transport/path.ts';
import { kinds } from './kinds.ts';
import type { ContractRead, FieldsOf } from './shape.ts';

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

export const accountReads: readonly ContractRead[] = [
  {
    endpoint: 'GET /account/api_tokens.json',
    path: () => path`/account/api_tokens.json`,
    fields: token,
    recordKey: 'api_token',
    isList: true,
    gives: ({ id }) => ({ token: id }),
  },
  {
    endpoint: 'GET /account/api_tokens.json?for_account=yes',
    path: () => withQuery(path`/account/api_tokens.json`, { for_account: 'yes' }),
    fields: token,
    recordKey: 'api_token',
    isList: true,
    gives: ({ id }) => ({ token: id }),
  },
  {
    endpoint: 'GET /account/api_tokens/:id.json',
    needs: ['token'],
    path: ({ token: id = '' }) => path`/account/api_tokens/${idSegment(id)}.json`,
    fields: token,
    recordKey: 'api_token',
  },
  {
    endpoint: 'GET /toolkit/dashboards.json',
    path: () => path`/toolkit/dashboards.json`,
    fields: dashboard,
    recordKey: 'dashboard',
    isList: true,
    gives: ({ id }) => ({ dashboard: id }),
  },
  {
    endpoint: 'GET /toolkit/dashboards/:id.json',
    needs: ['dashboard'],
    path: ({ dashboard: id = '' }) => path`/toolkit/dashboards/${dashboardSegment(id)}.json`,
    fields: dashboard,
    recordKey: 'dashboard',
  },
  {
    endpoint: 'GET /toolkit/dashboards/widgets.json',
    path: () => withQuery(path`/toolkit/dashboards/widgets.json`, { context: 'main' }),
    fields: { current_id: currentId, ...displayed },
  },
  {
    endpoint: 'GET /toolkit/dashboards/widget.json',
    path: () => withQuery(path`/toolkit/dashboards/widget.json`, { key: 'module_header' }), // needs no module
    fields: widget,
  },
];
