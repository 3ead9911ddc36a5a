import { isObject, kindOf, object } from '../http/formats/decode.ts';
import { BadResponseError } from '../http/errors.ts';

// What the CRM sends and takes. Its document names the fields of clients and posts without their types, and of the other
// records only what a caller may send: any key but the id may be absent, and leaves are coerced where GraphQL reads them.

/** A record with any of these keys. */
type Sent<Key extends string> = { readonly id: string } & { readonly [K in Key]?: unknown };

/** What a creation or a change sends: an undefined key is not sent and stays as it is, null clears. */
type Fields<Key extends string> = { readonly [K in Key]?: string | number | boolean | null | undefined };

/** By system: the id that a record has there. */
export type ExternalIds = Readonly<Record<string, string>>;

interface WithExternalIds {
  readonly external_ids?: ExternalIds | null | undefined;
}

/** The kinds of additional fields, of each of which there are ten. */
export const customKinds = {
  string: 'short text',
  integer: 'whole number',
  decimal: 'decimal',
  checkbox: 'checkbox',
  date: 'date',
  text: 'long text',
  datetime: 'instant',
};
export const customNumbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;

export type CustomKind = keyof typeof customKinds;
export type CustomField = `${CustomKind}${(typeof customNumbers)[number]}`;

export type ClientField =
  | 'name'
  | 'tax_no'
  | 'post_code'
  | 'city'
  | 'street'
  | 'street_no'
  | 'country'
  | 'province'
  | 'first_name'
  | 'last_name'
  | 'email'
  | 'phone'
  | 'mobile_phone'
  | 'www'
  | 'fax'
  | 'kind'
  | 'bank'
  | 'bank_account'
  | 'bank_account_id'
  | 'shortcut'
  | 'note'
  | 'description'
  | 'discount'
  | 'payment_to_kind'
  | 'use_delivery_address'
  | 'delivery_address'
  | 'company'
  | 'register_number'
  | 'project_id'
  | 'contact_id'
  | 'status_id'
  | 'category_id'
  | 'department_id'
  | 'position'
  | 'responsible_id'
  | 'sensitive_data'
  | 'paid_from'
  | 'paid_to'
  | 'paid_total'
  | CustomField;

export type ClientRecord = Sent<
  | ClientField
  | 'created_at'
  | 'updated_at'
  | 'appendixes_count'
  | 'posts_count'
  | 'contacts_count'
  | 'last_activity'
  | 'avatar_file_name'
  | 'avatar_content_type'
  | 'avatar_file_size'
  | 'avatar_updated_at'
  | 'creator_id'
  | 'updater_id'
  /** One, beside the `external_ids` of a creation. */
  | 'external_id'
  /** Not documented: whether a read has them. */
  | 'external_ids'
  | 'token'
>;

export type ClientFields = Fields<ClientField> & WithExternalIds;

/** Of these the document's table of endpoints names seven: title, content, task_kind, client_id, responsible_id, post_id, kind. */
export type PostField =
  | 'post_id'
  | 'title'
  | 'content'
  | 'abstract'
  | 'kind'
  | 'task_kind'
  | 'nick'
  | 'responsible_id'
  | 'forum_id'
  | 'category_id'
  | 'status_id'
  | 'project_id'
  | 'client_id'
  | 'scheduled_at'
  | 'www'
  | 'email'
  | 'email_to'
  | 'email_cc'
  | 'email_bcc'
  | 'email_recipient'
  | 'email_reply_to'
  | 'duplicate_from_id'
  | 'tags'
  | 'use_html'
  | 'private'
  | 'priority'
  | 'title_note'
  | 'help_link'
  | 'help_content';

export type PostRecord = Sent<
  | PostField
  | 'user_id'
  | 'points'
  | 'votes_cache'
  | 'comments_cache'
  | 'view_count'
  | 'facebook_likes'
  | 'min_votes_to_start'
  | 'created_at'
  | 'updated_at'
  | 'ip'
  | 'agent'
  | 'referrer'
  | 'response'
  | 'response_user_id'
  | 'answer'
  | 'answered'
  | 'last_action_status'
  | 'uid'
  | 'spam_kind'
  | 'spam_score'
  | 'spam_report'
  | 'user_spam_report'
  | 'closed'
  | 'unread'
>;

export type PostFields = Fields<PostField>;

export type DealRecord = Sent<'name' | 'description' | 'client_id' | 'price' | 'external_ids'>;

export type DealFields = Fields<'name' | 'description' | 'client_id' | 'price'> &
  WithExternalIds & {
    /** Links the deal to this client, who is created where there is none. */
    readonly client?: (Fields<'name' | 'email'> & WithExternalIds) | null | undefined;
  };

type ContactField = 'name' | 'description' | 'first_name' | 'last_name' | 'responsible_id' | 'email' | 'phone';
export type ContactRecord = Sent<ContactField>;
export type ContactFields = Fields<ContactField>;

export type ContactListRecord = Sent<'name'>;

export interface NewAccount {
  readonly account: Fields<'prefix' | 'initial_module' | 'from_partner'>;
  readonly user: { readonly login: string; readonly email: string; readonly password: string };
}

/** Not documented. A sister API answers these; prefix and login may differ from what was asked for. */
export interface CreatedAccountAnswer {
  readonly prefix?: unknown;
  readonly login?: unknown;
  readonly email?: unknown;
  readonly url?: unknown;
  readonly api_token?: unknown;
}

/** An id as it is sent below a record's key: a number, as the CRM sends its own, where it is one. */
export function sentId(id: string): string | number {
  return /^[1-9]\d*$/.test(id) && Number.isSafeInteger(Number(id)) ? Number(id) : id;
}

export interface ExternalId {
  readonly system: string;
  readonly id: string;
}

/** A map of external ids as a list; a system whose id is null has none. */
export function externalIdList(ids: unknown): ExternalId[] | null {
  if (ids === null || ids === undefined || ids === '') return null;
  if (Array.isArray(ids) && ids.length === 0) return []; // how some write an empty map
  const given = Object.entries(object(ids)).filter(([, id]) => id !== null);
  return given.map(([system, id]) => {
    if (typeof id === 'string' || Number.isSafeInteger(id)) return { system, id: String(id) };
    throw new BadResponseError(`Expected an external id to be a text, got ${kindOf(id)}.`);
  });
}

/** Tags, as a list or, as a form would send them, separated by commas. Not documented: which. */
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
