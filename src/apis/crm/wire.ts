import type { Key, Keys, RecordOf, SentKey } from '../../formats/keys.ts';
import { isObject, type JsonObject, kindOf, object, record, type UpstreamRecord } from '../../formats/decode.ts';
import { raw } from '../../formats/leaves.ts';
import type { KindOf } from '../../formats/same-values.ts';
import type { Changed } from '../../calls/writer.ts';
import { BadResponseError } from '../../errors.ts';
import { clientKeys, type contactKeys, type contactListKeys, dealKeys, postKeys } from './keys.ts';

// Requests and responses of the CRM. Its document names the fields of clients and posts without their types. Of the other
// records it names only the fields that a caller may send. So any key but the id may be absent, and the type of a value is
// checked when a GraphQL field reads it. The keys of the records are in keys.ts.

/** Ids of a record in other systems, by system. */
export type ExternalIds = Readonly<Record<string, string>>;

/** The keys of a create or update request. Undefined is not sent, so upstream keeps its value; null clears it. */
type FieldsOf<Table extends Keys> = {
  readonly [Wire in SentKey<Table>]?:
    | (Wire extends 'external_ids' ? ExternalIds : string | number | boolean)
    | null
    | undefined;
};

export type ClientRecord = RecordOf<typeof clientKeys>;
export type ClientFields = FieldsOf<typeof clientKeys>;

export type PostRecord = RecordOf<typeof postKeys>;
export type PostFields = FieldsOf<typeof postKeys>;

export type DealRecord = RecordOf<typeof dealKeys>;
export type DealFields = FieldsOf<typeof dealKeys> & {
  /** Links the deal to this client. Upstream creates the client if it does not exist. */
  readonly client?: Pick<ClientFields, 'name' | 'email' | 'external_ids'> | null | undefined;
};

export type ContactRecord = RecordOf<typeof contactKeys>;
export type ContactFields = FieldsOf<typeof contactKeys>;

export type ContactListRecord = RecordOf<typeof contactListKeys>;

/** How values that were sent are compared with those that are read, by kind. Others are compared as texts. */
const comparedKinds = new Map<Key['kind'], ReturnType<KindOf>>([
  ['decimal', 'decimal'],
  ['date', 'instant'],
  ['instant', 'instant'],
  ['dateOrInstant', 'instant'],
]);

const sentKinds = new Map(
  [clientKeys, postKeys, dealKeys]
    .flatMap((keys: Keys) => Object.entries(keys))
    .flatMap(([name, { kind, readOnly }]) => (readOnly ? [] : [[name, comparedKinds.get(kind)] as const])),
);

/** How the values that a caller may send are compared. */
export const sentKindOf: KindOf = (name) => sentKinds.get(name);

export interface NewAccount {
  readonly account: {
    readonly prefix: string;
    readonly initial_module?: string | null | undefined;
    readonly from_partner?: string | null | undefined;
  };
  readonly user: { readonly login: string; readonly email: string; readonly password: string };
}

/** Not documented (A166). A sister API answers these; prefix and login may differ from what was asked for. */
export interface CreatedAccountResponse {
  readonly prefix?: unknown;
  readonly login?: unknown;
  readonly email?: unknown;
  readonly url?: unknown;
  readonly api_token?: unknown;
}

/**
 * The account in the response to its creation: the keys of the body, or those inside the keys of the request, `account` and
 * `user`. A key that the response lacks is missing.
 */
export function createdAccount({ body, text: token }: Changed<unknown>): CreatedAccountResponse {
  const outer = isObject(body) ? body : {};
  const account = isObject(outer['account']) ? outer['account'] : {};
  const user = isObject(outer['user']) ? outer['user'] : {};
  return {
    ...told('prefix', [account, outer]),
    ...told('url', [account, outer]),
    ...told('login', [user, outer, account]),
    ...told('email', [user, outer, account]),
    ...(token !== undefined && { api_token: token }),
  };
}

/** The key with its value, of the first object that has one; else with the null of one that has the key. */
function told(key: string, objects: readonly JsonObject[]): JsonObject {
  const having = objects.filter((object) => Object.hasOwn(object, key));
  const found = having.find((object) => raw(object[key]) !== null) ?? having[0];
  return found ? { [key]: found[key] } : {};
}

/** Not documented (A216): a deal may name its client by a nested record only. The id in it; undefined without one. */
export function nestedClientId({ client_id: id, client }: DealRecord): unknown {
  return raw(id) === null && isObject(client) ? (raw(client['id']) ?? undefined) : undefined;
}

/** Decodes a deal as `withClientId` does. */
export function dealRecord(body: unknown, key?: string): UpstreamRecord {
  return withClientId(record(body, key));
}

/** The fields of deals whose `client_id` was set here, as upstream sent them. */
const sentFieldsOf = new WeakMap<DealRecord, JsonObject>();

/** Sets the `client_id` of a deal that names its client by a nested record only. Returns the deal itself. */
export function withClientId<Deal extends DealRecord>(deal: Deal): Deal {
  const clientId = nestedClientId(deal);
  if (clientId === undefined) return deal;
  sentFieldsOf.set(deal, { ...deal });
  return Object.assign(deal, { client_id: clientId });
}

/** The fields of a deal as upstream sent them. */
export const sentDeal = (deal: DealRecord): JsonObject => sentFieldsOf.get(deal) ?? { ...deal };

export interface ExternalId {
  readonly system: string;
  /** The id in that system. */
  readonly value: string;
}

/**
 * Decodes the `external_ids` of a record into a list. A system whose id is null is left out.
 *
 * @throws BadResponseError for a value that is no map of ids
 */
export function externalIdList(ids: unknown): ExternalId[] | null {
  if (ids === null || ids === undefined || ids === '') return null;
  if (Array.isArray(ids) && ids.length === 0) return []; // some servers write an empty map as an empty list
  const entries = Object.entries(object(ids)).filter(([, value]) => value !== null);
  return entries.map(([system, value]) => {
    if (typeof value === 'string' || Number.isSafeInteger(value)) return { system, value: String(value) };
    throw new BadResponseError(`Expected an external id to be a text, got ${kindOf(value)}.`);
  });
}

/** Tags, as a list or, as a form would send them, separated by commas. Not documented (A150): which. */
export function tagList(tags: unknown): string[] | null {
  if (tags === null || tags === undefined) return null;
  const list: readonly unknown[] = typeof tags === 'string' ? tags.split(',') : Array.isArray(tags) ? tags : [tags];
  return list
    .map((tag) => {
      const name = isObject(tag) ? tag['name'] : tag;
      if (typeof name === 'string') return name.trim();
      throw new BadResponseError(`Expected a tag to be a text, got ${kindOf(name)}.`);
    })
    .filter((tag) => tag !== '');
}
