import { type JsonObject, object, record, recordId } from '../http/formats/decode.ts';
import { BadResponseError, ValidationError } from '../http/errors.ts';

// What the account API sends and takes. Not documented: which keys a read has beyond those of a creation. Its document names the keys of a token's creation and of a dashboard;
// any key but the id may be absent, and leaves are coerced where GraphQL reads them.

export interface ApiTokenRecord {
  readonly id: string;
  readonly name?: unknown;
  /** Absent from a creation, like the next two; a list may lack them too. */
  readonly code?: unknown;
  readonly privileges?: unknown;
  /** A masked fragment of the token. */
  readonly token_info?: unknown;
  readonly active?: unknown;
  /** A date, a datetime, or empty for no expiry. */
  readonly expires_at?: unknown;
  /** null, `""` and `api_token` are an ordinary token, `web_token` is one of a web session. */
  readonly kind?: unknown;
  readonly integration_app_code?: unknown;
  readonly for_account?: unknown;
}

/** The answer to a creation: the only one that holds the raw value. */
export interface CreatedApiTokenRecord extends ApiTokenRecord {
  readonly token: string;
}

/** What a creation or a change sends: an undefined key is not sent and stays as it is, null clears. */
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

export interface DashboardFields {
  readonly name?: string | null | undefined;
  /** POST only, like `shared`. */
  readonly context?: string | null | undefined;
  readonly shared?: boolean | null | undefined;
  readonly layout?: readonly LayoutEntry[] | null | undefined;
  readonly is_default?: boolean | null | undefined;
}

/** A tile as it is read. */
export interface LayoutTile {
  readonly id: string;
  readonly key: string;
  readonly size: unknown;
  readonly config: unknown;
}

/** A tile as it is sent. */
export interface LayoutEntry {
  readonly id?: string | null | undefined;
  readonly key: string;
  readonly size?: string | null | undefined;
  readonly config?: JsonObject | undefined;
}

/** What the caller sees at one place: `current_id` is null for the built-in layout. */
export interface DisplayedDashboardAnswer {
  readonly currentId: string | null;
  readonly layout: unknown;
  /** The choices, checked where they are read. */
  readonly dashboards: unknown;
}

/** One kind of tile, as far as the caller may use it. */
export interface DashboardWidgetAnswer {
  readonly key?: unknown;
  readonly name?: unknown;
  /** Not documented: whether by name or a list of entries with a name. Both are read. */
  readonly settings?: unknown;
  readonly config?: unknown;
}

export function createdApiToken(body: unknown): CreatedApiTokenRecord {
  const { token, ...created } = record(body);
  if (typeof token !== 'string' || token === '')
    throw new BadResponseError('The created token came without its value.');
  return { ...created, token };
}

/** Not documented: what `current_id` is for the built-in layout. The last two are what `select` calls it. */
const noDashboard: readonly unknown[] = [null, undefined, '', 'builtin'];

export function displayedDashboard(body: unknown): DisplayedDashboardAnswer {
  const { current_id: currentId, layout, dashboards } = object(body);
  return {
    currentId: noDashboard.includes(currentId) ? null : recordId(currentId),
    layout,
    dashboards,
  };
}

/**
 * The account API numbers its records. Anything else is nobody's id and, like `select` or `widgets`, could be
 * the name of another endpoint.
 */
export function wholeNumberId(id: string, field = 'id'): string {
  if (/^(0|[1-9]\d*)$/.test(id) && Number.isSafeInteger(Number(id))) return id;
  const shown = JSON.stringify(id.length > 40 ? `${id.slice(0, 40)}…` : id);
  throw new ValidationError(`${shown} is no id here: expected a whole number, such as 42.`, {
    [field]: ['is no whole number'],
  });
}

/** A layout as it is stored: every entry is an object with an id and a key. */
export function layoutTiles(layout: unknown): LayoutTile[] | null {
  if (layout === null || layout === undefined) return null;
  if (!Array.isArray(layout)) throw new BadResponseError('Expected a layout to be a list.');
  return layout.map((entry) => {
    const { id, key, size, config } = object(entry);
    if (typeof id === 'string' && typeof key === 'string') return { id, key, size, config };
    throw new BadResponseError('A tile of the layout has no id or no key.');
  });
}
