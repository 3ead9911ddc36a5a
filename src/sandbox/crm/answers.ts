import type { RecordKind } from '../json-answers.ts';

const numbered = (...names: readonly string[]) =>
  names.flatMap((name) => Array.from({ length: 10 }, (_, index) => `${name}${index + 1}`));

const client: RecordKind = {
  wrapper: 'client',
  keys: [
    ...['id', 'name', 'tax_no', 'post_code', 'city', 'street', 'street_no', 'country', 'province'],
    ...['first_name', 'last_name', 'email', 'phone', 'mobile_phone', 'www', 'fax', 'created_at', 'updated_at'],
    ...['kind', 'bank', 'bank_account', 'bank_account_id', 'shortcut', 'note', 'description', 'discount'],
    ...['payment_to_kind', 'use_delivery_address', 'delivery_address', 'company', 'register_number', 'project_id'],
    ...['contact_id', 'appendixes_count', 'posts_count', 'contacts_count', 'last_activity'],
    ...numbered('string', 'integer', 'decimal', 'checkbox', 'date', 'text', 'datetime'),
    ...['avatar_file_name', 'avatar_content_type', 'avatar_file_size', 'avatar_updated_at'],
    ...['status_id', 'category_id', 'department_id', 'position', 'creator_id', 'updater_id', 'responsible_id'],
    ...['sensitive_data', 'external_id', 'token', 'paid_from', 'paid_to', 'paid_total'],
  ],
};

const post: RecordKind = {
  wrapper: 'post',
  keys: [
    ...['id', 'post_id', 'title', 'content', 'abstract', 'kind', 'task_kind', 'user_id', 'nick', 'responsible_id'],
    ...['points', 'votes_cache', 'comments_cache', 'view_count', 'facebook_likes', 'min_votes_to_start'],
    ...['forum_id', 'category_id', 'status_id', 'project_id', 'client_id', 'created_at', 'updated_at', 'scheduled_at'],
    ...['ip', 'agent', 'referrer', 'www', 'response', 'response_user_id', 'answer', 'answered', 'last_action_status'],
    ...['email', 'email_to', 'email_cc', 'email_bcc', 'email_recipient', 'email_reply_to', 'uid'],
    ...['spam_kind', 'spam_score', 'spam_report', 'user_spam_report', 'duplicate_from_id', 'tags', 'use_html'],
    ...['closed', 'private', 'unread', 'priority', 'title_note', 'help_link', 'help_content'],
  ],
};

// The names that requests take, and the id. Not documented (A198): which fields these answers have.
const deal: RecordKind = {
  wrapper: 'deal',
  keys: ['id', 'name', 'description', 'client_id', 'price', 'external_ids'],
};
const contact: RecordKind = {
  wrapper: 'contact',
  keys: ['id', 'name', 'description', 'first_name', 'last_name', 'responsible_id', 'email', 'phone'],
};
const contactList: RecordKind = { wrapper: 'contact_list', keys: ['id', 'name'] };
const account: RecordKind = { wrapper: 'account', keys: ['prefix', 'login', 'email'] };

/** The documented form of the CRM's answers. */
export const crmKinds: ReadonlyMap<string, RecordKind> = new Map([
  ['/app/clients.json', client],
  ['/app/clients/:id.json', client],
  ['/app.json', post],
  ['/app/posts.json', post],
  ['/app/posts/:id.json', post],
  ['/app/deals.json', deal],
  ['/app/deals/:id.json', deal],
  ['/app/contacts.json', contact],
  ['/app/contacts/:id.json', contact],
  ['/app/contact_lists.json', contactList],
  ['/app/contact_lists/:id.json', contactList],
  ['/app/account.json', account],
]);
