import type { SandboxOptions } from '../../src/sandbox/server.ts';
import type { Config } from '../../src/config.ts';
import { gateway, gatewayOver } from '../support/gateway.ts';
import { callAt } from '../support/sandbox.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

export const DBS = 'GET /flex/dbs.json';
export const DB = 'GET /flex/dbs/:id.json';
export const RECORDS = 'GET /flex/dbs/:db_id/records.json';
export const SEARCH = 'GET /flex/dbs/:db_id/search.json';
export const CREATE = 'POST /flex/dbs/:db_id/records.json';
export const UPDATE = 'PATCH /flex/dbs/:db_id/records/:id.json';

/** The parts of a refusal that a caller reads. */
export const REFUSAL = `__typename ... on MutationError { message } ... on ValidationError { fields { field messages } }`;

type Database = Parameters<Awaited<ReturnType<typeof gateway>>['sandbox']['store']['createFlexDatabase']>[1];

/** A gateway over a fresh sandbox, with functions that fill the store directly, without calls. */
export async function flexGateway(settings: Partial<Config> = {}, options: SandboxOptions = {}) {
  const over = await gateway(settings, options);
  const { sandbox, account } = over;
  return {
    ...over,
    /** Sends a request to the flex API directly. It is recorded like a call of the gateway. */
    call: callAt(sandbox.urls.flex),
    /** Creates a database and returns its id. */
    makeDb: (fields: Partial<Database> = {}, owner = account) =>
      sandbox.store.createFlexDatabase(owner, { name: 'Shop', ...fields }).id,
    /** Creates records in this order and returns their ids. The last one is the newest. */
    makeRecords: (db: string, records: readonly Readonly<Record<string, unknown>>[], table: string | null = null) =>
      sandbox.store.createFlexRecords(db, records, table),
    /** The query parameters of each call, in order of arrival. */
    queries: () => sandbox.requests.map(({ query }) => query),
    /** The body of each call, in order of arrival. */
    bodies: () => sandbox.requests.map(({ body }) => body),
  };
}

type Shop = Partial<Database> & { readonly table?: string; readonly settings?: Partial<Config> };

/** As `flexGateway`, with a database `shop` that has records of this data, in this order, and with their ids. */
export async function flexShop(
  records: readonly Readonly<Record<string, unknown>>[] = [],
  { table, settings, ...fields }: Shop = {},
) {
  const over = await flexGateway(settings);
  const db = over.makeDb({ code: 'shop', ...fields });
  return { ...over, db, ids: over.makeRecords(db, records, table) };
}

interface Answer {
  readonly status?: number;
  readonly settings?: Partial<Config>;
}

/** A gateway over an upstream that answers each call with this text. */
export async function gatewayOverText(text: string, { status = 200, settings = {} }: Answer = {}) {
  const { url, received } = await stubUpstream(says(text, { status }));
  return { ...(await gatewayOver(url, settings, 'token')), received };
}

/** The data of records: `{ n: 1 }` … `{ n: count }`. */
export function numbered(count: number): { n: number }[] {
  return Array.from({ length: count }, (_, index) => ({ n: index + 1 }));
}
