import { isObject, type JsonObject, object, readableRows } from '../../formats/decode.ts';
import { BadResponseError, ValidationError } from '../../errors.ts';
import type { Rows } from '../../formats/rows.ts';
import { identifier } from '../../formats/leaves.ts';
import { idSegment, shownIdBy } from '../../calls/transport/path.ts';

// Requests and responses of the account API. Not documented (A11, A30): which keys a read has beyond those of a creation.
// Its document names the keys of a token's creation and of a dashboard; Any key but the id may be absent. GraphQL
// scalars coerce the leaves.

/** An API token as a read sends it. */
export interface ApiTokenRecord {
  readonly id: string;
  readonly name?: unknown;
  /** `code`, `privileges` and `token_info` are absent from the response to a creation, and may be absent from a list. */
  readonly code?: unknown;
  readonly privileges?: unknown;
  /** A masked fragment of the raw value. */
  readonly token_info?: unknown;
  readonly active?: unknown;
  /** A date or a datetime; empty: the token does not expire. */
  readonly expires_at?: unknown;
  /** null, `""` and `api_token` mean an ordinary token, `web_token` a token of a web session. */
  readonly kind?: unknown;
  readonly integration_app_code?: unknown;
  readonly for_account?: unknown;
}

/** The response to `POST /account/api_tokens.json`, the only one with the raw value. A token that is found by its code lacks it. */
export interface CreatedApiTokenRecord extends ApiTokenRecord {
  readonly token?: unknown;
}

/** The body of a creation or an update. An undefined key is not sent, so its value stays; null clears the value. */
export interface ApiTokenFields {
  readonly name?: string | null | undefined;
  readonly code?: string | null | undefined;
  readonly active?: boolean | null | undefined;
  readonly expires_at?: string | null | undefined;
  readonly kind?: string | null | undefined;
  readonly integration_app_code?: string | null | undefined;
  readonly for_account?: boolean | null | undefined;
  readonly privileges?: readonly string[] | null | undefined;
}

/** A dashboard as a read sends it. */
export interface DashboardRecord {
  readonly id: string;
  readonly name?: unknown;
  readonly context?: unknown;
  readonly layout?: unknown;
  readonly shared?: unknown;
  readonly is_default?: unknown;
  readonly editable?: unknown;
  readonly updated_at?: unknown;
}

/** The body of a creation or an update. An undefined key is not sent, so its value stays. */
export interface DashboardFields {
  readonly name?: string | null | undefined;
  /** Only POST takes `context` and `shared`. */
  readonly context?: string | null | undefined;
  readonly shared?: boolean | null | undefined;
  readonly layout?: readonly LayoutEntry[] | null | undefined;
  readonly is_default?: boolean | null | undefined;
}

/** A tile of a layout as a read sends it. */
export interface LayoutTile {
  readonly id: string;
  readonly key: string;
  readonly size: unknown;
  readonly config: unknown;
}

/** A tile of a layout as a write takes it. */
export interface LayoutEntry {
  readonly id?: string | null | undefined;
  readonly key: string;
  readonly size?: string | null | undefined;
  readonly config?: JsonObject | undefined;
}

/** The response of `GET /toolkit/dashboards/widgets.json`. */
export interface DisplayedDashboardAnswer {
  /** Null for the built-in layout. */
  readonly currentId: string | null;
  readonly layout: unknown;
  /** The dashboards that the caller can select. The resolvers check them. */
  readonly dashboards: unknown;
}

/** The response of `GET /toolkit/dashboards/widget.json`. */
export interface DashboardWidgetAnswer {
  readonly key?: unknown;
  readonly name?: unknown;
  /** Not documented (A55): whether by name or a list of entries with a name. Both are read. */
  readonly settings?: unknown;
  readonly config?: unknown;
}

/** Not documented (A41): what `current_id` is for the built-in layout. The last two are what `select` calls it. */
const BUILTIN_LAYOUT_IDS: readonly unknown[] = [null, undefined, '', 'builtin'];

/** The keys of the response of `GET /toolkit/dashboards/widgets.json`. */
const DISPLAYED_KEYS = ['current_id', 'layout', 'dashboards'];

/**
 * Checks the response of `GET /toolkit/dashboards/widgets.json`. Not documented (A229): it may be the value of an only key.
 *
 * @throws BadResponseError for an invalid id, and for an object without any of the keys, which does not tell what is displayed
 */
export function parseDisplayedDashboard(body: unknown): DisplayedDashboardAnswer {
  const { current_id: currentId, layout, dashboards } = displayed(object(body));
  return {
    currentId: BUILTIN_LAYOUT_IDS.includes(currentId) ? null : identifier(currentId),
    layout,
    dashboards,
  };
}

function displayed(body: JsonObject): JsonObject {
  const [only, ...others] = Object.values(body);
  const candidates = others.length === 0 ? [only, body] : [body];
  const found = candidates.filter(isObject).find((each) => DISPLAYED_KEYS.some((key) => Object.hasOwn(each, key)));
  if (found) return found;
  throw new BadResponseError('Expected the displayed dashboard, got an object with other keys.');
}

/** Endpoints beside `/toolkit/dashboards/:id.json`: a dashboard with such an id could not be addressed. */
const DASHBOARD_ENDPOINTS: ReadonlySet<string> = new Set(['select', 'widgets', 'widget']);

/**
 * Checks the id of a dashboard before it becomes a path segment. Ids are opaque: `builtin` and any digits are allowed.
 *
 * @param field input path of the id
 * @throws ValidationError for an id that could lead to another endpoint
 */
export function dashboardSegment(id: string, field = 'id'): string {
  if (DASHBOARD_ENDPOINTS.has(id.toLowerCase())) {
    throw new ValidationError(`${JSON.stringify(id)} is no id of a dashboard.`, { [field]: ['is no id'] });
  }
  return idSegment(id, field);
}

/** The id of a dashboard for callers. @throws BadResponseError for one that would be refused when it is sent back */
export const shownDashboardId = shownIdBy((id) => dashboardSegment(id));

/**
 * Reads a stored layout. Not documented (A220): a tile that is no object with an id and a key is left out, and is a problem of the list.
 *
 * @returns null for a missing layout
 * @throws BadResponseError unless the layout is a list
 */
export function parseLayout(layout: unknown): Rows<LayoutTile> | null {
  if (layout === null || layout === undefined) return null;
  if (!Array.isArray(layout)) throw new BadResponseError('Expected a layout to be a list.');
  return readableRows(layout, (entry: unknown) => {
    const { id, key, size, config } = isObject(entry) ? entry : {};
    return typeof id === 'string' && typeof key === 'string'
      ? { id, key, size, config }
      : 'A tile has no id or no key.';
  });
}
