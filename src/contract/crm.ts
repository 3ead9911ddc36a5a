import { idSegment, path } from '../http/transport/path.ts';
import {
  type ClientRecord,
  type ContactListRecord,
  type ContactRecord,
  customFieldNumbers,
  type DealRecord,
  type PostRecord,
} from '../crm/wire.ts';
import { type Kind, kinds } from './kinds.ts';
import type { ContractRead, FieldsOf } from './shape.ts';

/** The same kind for each of these keys. */
function fieldsOf<const Key extends string>(kind: Kind, keys: readonly Key[]): Readonly<Record<Key, Kind>>;
function fieldsOf(kind: Kind, keys: readonly string[]): Readonly<Record<string, Kind>> {
  return Object.fromEntries(keys.map((key) => [key, kind]));
}

const numbered = <const Name extends string>(name: Name, kind: Kind) =>
  fieldsOf(
    kind,
    customFieldNumbers.map((number) => `${name}${number}` as const),
  );

const client = {
  id: kinds.ownId,
  ...fieldsOf(kinds.text, [
    'name',
    'tax_no',
    'post_code',
    'city',
    'street',
    'street_no',
    'country',
    'province',
    'first_name',
    'last_name',
    'email',
    'phone',
    'mobile_phone',
    'www',
    'fax',
    'kind',
    'bank',
    'bank_account',
    'shortcut',
    'note',
    'description',
    'payment_to_kind',
    'delivery_address',
    'register_number',
    'position',
    'sensitive_data',
    'avatar_file_name',
    'avatar_content_type',
    'token',
  ]),
  ...fieldsOf(kinds.id, [
    'bank_account_id',
    'project_id',
    'contact_id',
    'status_id',
    'category_id',
    'department_id',
    'responsible_id',
    'creator_id',
    'updater_id',
    'external_id',
  ]),
  ...fieldsOf(kinds.boolean, ['use_delivery_address', 'company']),
  ...fieldsOf(kinds.decimal, ['discount', 'paid_total']),
  ...fieldsOf(kinds.integer, ['appendixes_count', 'posts_count', 'contacts_count', 'avatar_file_size']),
  ...fieldsOf(kinds.instant, ['created_at', 'updated_at', 'last_activity', 'avatar_updated_at']),
  ...fieldsOf(kinds.dateOrInstant, ['paid_from', 'paid_to']),
  ...numbered('string', kinds.text),
  ...numbered('integer', kinds.integer),
  ...numbered('decimal', kinds.decimal),
  ...numbered('checkbox', kinds.boolean),
  ...numbered('date', kinds.date),
  ...numbered('text', kinds.text),
  ...numbered('datetime', kinds.instant),
  external_ids: kinds.objectOrList,
} satisfies FieldsOf<ClientRecord>;

const post = {
  id: kinds.ownId,
  ...fieldsOf(kinds.text, [
    'title',
    'content',
    'abstract',
    'kind',
    'task_kind',
    'nick',
    'www',
    'email',
    'email_to',
    'email_cc',
    'email_bcc',
    'email_recipient',
    'email_reply_to',
    'title_note',
    'help_link',
    'help_content',
    'ip',
    'agent',
    'referrer',
    'response',
    'answer',
    'last_action_status',
    'uid',
    'spam_kind',
    'spam_report',
    'user_spam_report',
    'priority',
  ]),
  ...fieldsOf(kinds.id, [
    'post_id',
    'responsible_id',
    'forum_id',
    'category_id',
    'status_id',
    'project_id',
    'client_id',
    'duplicate_from_id',
    'user_id',
    'response_user_id',
  ]),
  ...fieldsOf(kinds.boolean, ['use_html', 'private', 'closed', 'unread', 'answered']),
  ...fieldsOf(kinds.integer, [
    'points',
    'votes_cache',
    'comments_cache',
    'view_count',
    'facebook_likes',
    'min_votes_to_start',
  ]),
  ...fieldsOf(kinds.instant, ['scheduled_at', 'created_at', 'updated_at']),
  spam_score: kinds.decimal,
  tags: kinds.textOrList,
} satisfies FieldsOf<PostRecord>;

const deal = {
  id: kinds.ownId,
  name: kinds.text,
  description: kinds.text,
  client_id: kinds.id,
  price: kinds.decimal,
  external_ids: kinds.objectOrList,
  client: kinds.object,
} satisfies FieldsOf<DealRecord>;

const contact = {
  id: kinds.ownId,
  responsible_id: kinds.id,
  ...fieldsOf(kinds.text, ['name', 'description', 'first_name', 'last_name', 'email', 'phone']),
} satisfies FieldsOf<ContactRecord>;

const contactList = { id: kinds.ownId, name: kinds.text } satisfies FieldsOf<ContactListRecord>;

export const crmReads: readonly ContractRead[] = [
  {
    endpoint: 'GET /app/clients.json',
    path: () => path`/app/clients.json`,
    fields: client,
    recordKey: 'client',
    isList: true,
    gives: ({ id, contact_id: contactId }) => ({ client: id, contact: contactId }),
  },
  {
    endpoint: 'GET /app/clients/:id.json',
    needs: ['client'],
    path: ({ client: id = '' }) => path`/app/clients/${idSegment(id)}.json`,
    fields: client,
    recordKey: 'client',
  },
  {
    endpoint: 'GET /app.json',
    path: () => path`/app.json`,
    fields: post,
    recordKey: 'post',
    isList: true,
    gives: ({ id }) => ({ post: id }),
  },
  {
    endpoint: 'GET /app/posts/:id.json',
    needs: ['post'],
    path: ({ post: id = '' }) => path`/app/posts/${idSegment(id)}.json`,
    fields: post,
    recordKey: 'post',
  },
  {
    endpoint: 'GET /app/deals.json',
    path: () => path`/app/deals.json`,
    fields: deal,
    recordKey: 'deal',
    isList: true,
    gives: ({ id }) => ({ deal: id }),
  },
  {
    endpoint: 'GET /app/deals/:id.json',
    needs: ['deal'],
    path: ({ deal: id = '' }) => path`/app/deals/${idSegment(id)}.json`,
    fields: deal,
    recordKey: 'deal',
  },
  {
    endpoint: 'GET /app/contacts/:id.json',
    needs: ['contact'],
    path: ({ contact: id = '' }) => path`/app/contacts/${idSegment(id)}.json`,
    fields: contact,
    recordKey: 'contact',
  },
  {
    endpoint: 'GET /app/contact_lists/:id.json',
    needs: ['contactList'], // no answer names one
    path: ({ contactList: id = '' }) => path`/app/contact_lists/${idSegment(id)}.json`,
    fields: contactList,
    recordKey: 'contact_list',
  },
];
