/**
 * The upstream APIs, in the order of settings and reports.
 *
 * Settings, certificates, kept answers and reports are made of the rows of `apis`; `apis/apis.ts` in src has what calls them.
 */
export const apiNames = ['account', 'flex', 'crm', 'forum'] as const;

export type ApiName = (typeof apiNames)[number];

/** A value for each API. */
export type ByApi<T> = Readonly<Record<ApiName, T>>;

type Prefix = Uppercase<ApiName>;

interface ApiRow {
  /** The beginning of the names of its settings. */
  readonly prefix: Prefix;
  /** The API in the descriptions of its settings. */
  readonly words: string;
  /** The description of the setting of its base address. */
  readonly address: string;
  /** Has the address of this API, unless a setting says another one, and its certificates where both have the same origin. */
  readonly fallback?: Prefix;
  /** Whether it is called for anonymous callers: PUBLIC is true. */
  readonly isPublic?: boolean;
}

export const apis: ByApi<ApiRow> = {
  account: {
    prefix: 'ACCOUNT',
    words: 'the account API',
    address: 'Base address of the account API. When no API has an address the sandbox may be served, see SANDBOX.',
  },
  flex: {
    prefix: 'FLEX',
    words: 'the flex API',
    address: 'Base address of the flex API; by default ACCOUNT_URL.',
    fallback: 'ACCOUNT',
    isPublic: true,
  },
  crm: { prefix: 'CRM', words: 'the CRM', address: 'Base address of the CRM and helpdesk API.' },
  forum: { prefix: 'FORUM', words: 'the forum', address: 'Base address of the suggestion forum.' },
};

/** The API of an endpoint, by its path as descriptions of fields have it: `/app/deals/:id.json`. */
export function apiOf(path: string): ApiName {
  if (path.endsWith('.xml') || !/^\/\w/.test(path)) return 'forum'; // `/` and `/:category_name`, too
  if (path.startsWith('/app')) return 'crm';
  return path.startsWith('/flex/') ? 'flex' : 'account';
}

/** Makes a value for each API. */
export function byApi<T>(make: (name: ApiName) => T): ByApi<T>;
export function byApi(make: (name: ApiName) => unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(apiNames.map((name) => [name, make(name)]));
}

/** Makes the settings that each API has, such as ACCOUNT_URL, by the ends of their names. */
export function settingsByApi<End extends string, Setting>(
  make: Readonly<Record<End, (row: ApiRow) => Setting>>,
): { readonly [Name in `${Prefix}_${End}`]: Setting };
export function settingsByApi(
  make: Readonly<Record<string, (row: ApiRow) => unknown>>,
): Readonly<Record<string, unknown>> {
  const rows = Object.values(apis);
  return Object.fromEntries(
    rows.flatMap((row) => Object.entries(make).map(([end, setting]) => [`${row.prefix}_${end}`, setting(row)])),
  );
}

/** The base address of an API, if it has one. @param settings ACCOUNT_URL and its like */
export function addressOf(
  name: ApiName,
  settings: { readonly [Name in `${Prefix}_URL`]: URL | undefined },
): URL | undefined {
  const { prefix, fallback } = apis[name];
  return settings[`${prefix}_URL`] ?? (fallback && settings[`${fallback}_URL`]);
}
