import type { RecordKind } from '../json-answers.ts';

/** The keys of the response to a creation, and the one that is named for reads. */
const token: RecordKind = {
  wrapper: 'api_token',
  keys: [
    ...['id', 'token', 'kind', 'name', 'for_account', 'integration_app_code', 'expires_at', 'active'],
    'token_info',
  ],
};

const layoutEntry: RecordKind = { keys: ['id', 'key', 'size', 'config'] };

const dashboard: RecordKind = {
  wrapper: 'dashboard',
  keys: ['id', 'name', 'context', 'layout', 'shared', 'is_default', 'editable', 'updated_at'],
  nested: new Map([['layout', layoutEntry]]),
};

const displayed: RecordKind = {
  keys: ['current_id', 'layout', 'dashboards'],
  nested: new Map([
    ['layout', layoutEntry],
    ['dashboards', dashboard],
  ]),
};

/** The documented form of the account API's answers. Not documented (A198): those of a selection and of a setting. */
export const accountKinds: ReadonlyMap<string, RecordKind> = new Map<string, RecordKind>([
  ['/account/api_tokens.json', token],
  ['/account/api_tokens/:id.json', token],
  ['/toolkit/dashboards.json', dashboard],
  ['/toolkit/dashboards/:id.json', dashboard],
  ['/toolkit/dashboards/select.json', { keys: ['context', 'dashboard_id'] }],
  ['/toolkit/dashboards/widgets.json', displayed],
  ['/toolkit/dashboards/widget.json', { keys: ['key', 'name', 'settings', 'config'] }],
  ['/account/set_field.json', { keys: ['key', 'value'] }],
]);
