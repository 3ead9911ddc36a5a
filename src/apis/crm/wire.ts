import { isObject, type JsonObject, kindOf, object, record, type UpstreamRecord } from '../../formats/decode.ts';
import { raw } from '../../formats/leaves.ts';
import type { KindOf } from '../../formats/same-values.ts';
import type { Changed } from '../../calls/writer.ts';
import { BadResponseError } from '../../errors.ts';
import { clientKeys, type Key, type Keys, postKeys, type SentKey } from './keys.ts';

// Requests and responses of the CRM. Its document names the fields of clients and posts without their types. Of the other
// records it names only the fields that a caller may send. So any key but the id may be absent, and the type of a value is
// checked when a GraphQL field reads it.

/** A record as upstream sends it: an id and any of these keys. */
type RecordWith<Key extends string> = { readonly id: string } & { readonly [K in Key]?: unknown };

/** The fields of a create or update request. Undefined is not sent, so upstream keeps its value; null clears it. */
type InputWith<Key extends string> = { readonly [K in Key]?: string | number | boolean | null | undefined };

/** Ids of a record in other systems, by system. */
export type ExternalIds = Readonly<Record<string, string>>;

interface WithExternalIds {
  readonly external_ids?: ExternalIds | null | undefined;
}

/** A record with the keys of a table, as upstream sends it. */
type RecordOf<Table extends Keys> = RecordWith<keyof Table & string>;

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

/** How values that were sent are compared with those that are read, by kind. Others are compared as texts. */
const comparedKinds = new Map<Key['kind'], ReturnType<KindOf>>([
  ['decimal', 'decimal'],
  ['date', 'instant'],
  ['instant', 'instant'],
  ['dateOrInstant', 'instant'],
]);

const sentKinds = new Map(
  [clientKeys, postKeys]
    .flatMap((keys: Keys) => Object.entries(keys))
    .flatMap(([name, { kind, readOnly }]) => (readOnly ? [] : [[name, comparedKinds.get(kind)] as const])),
);
sentKinds.set('price', 'decimal');

/** How the values that a caller may send are compared. */
export const sentKindOf: KindOf = (name) => sentKinds.get(name);

export type DealRecord = RecordWith<
  | 'name'
  | 'description'
  | 'client_id'
  | 'price'
  | 'external_ids'
  /** Not documented (A216): whether a read has it, in place of `client_id`. */
  | 'client'
>;

export type DealFields = InputWith<'name' | 'description' | 'client_id' | 'price'> &
  WithExternalIds & {
    /** Links the deal to this client. Upstream creates the client if it does not exist. */
    readonly client?: (InputWith<'name' | 'email'> & WithExternalIds) | null | undefined;
  };

type ContactField = 'name' | 'description' | 'first_name' | 'last_name' | 'responsible_id' | 'email' | 'phone';
export type ContactRecord = RecordWith<ContactField>;
export type ContactFields = InputWith<ContactField>;

export type ContactListRecord = RecordWith<'name'>;

export interface NewAccount {
  readonly account: InputWith<'prefix' | 'initial_module' | 'from_partner'>;
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
