// Every field of a client, in the order of the document: its name there, its path in GraphQL, the value that upstream
// sends, and the value that GraphQL returns.

export interface Field {
  readonly wire: string;
  /** `address.postCode` */
  readonly at: string;
  readonly sent: unknown;
  readonly read: unknown;
  /** Whether an input has it at the same place. */
  readonly writable: boolean;
}

const text = (wire: string, at: string, writable = true): Field => ({
  wire,
  at,
  sent: `${wire}: Ż "1"`,
  read: `${wire}: Ż "1"`,
  writable,
});
const of = (wire: string, at: string, sent: unknown, read: unknown = sent, writable = true): Field => ({
  wire,
  at,
  sent,
  read,
  writable,
});
const ids = (wire: string, at: string, id: number, writable = true): Field => of(wire, at, id, String(id), writable);
const readOnly = (wire: string, at: string, sent: unknown, read: unknown = sent): Field =>
  of(wire, at, sent, read, false);

const tenOf = (kind: string, value: (number: number) => unknown): Field[] =>
  Array.from({ length: 10 }, (_, index) =>
    of(`${kind}${index + 1}`, `customFields.${kind}${index + 1}`, value(index + 1)),
  );

const INSTANT = '2026-03-01T08:00:00.000Z';

export const clientFields: readonly Field[] = [
  text('name', 'name'),
  text('tax_no', 'taxNo'),
  text('post_code', 'address.postCode'),
  text('city', 'address.city'),
  text('street', 'address.street'),
  text('street_no', 'address.streetNo'),
  text('country', 'address.country'),
  text('province', 'address.province'),
  text('first_name', 'firstName'),
  text('last_name', 'lastName'),
  of('email', 'email', 'ada@example.com'),
  text('phone', 'phone'),
  text('mobile_phone', 'mobilePhone'),
  text('www', 'www'),
  text('fax', 'fax'),
  readOnly('created_at', 'createdAt', INSTANT),
  readOnly('updated_at', 'updatedAt', '2026-03-02T08:00:00+02:00'),
  of('kind', 'kind', 'seller', 'SELLER'),
  text('bank', 'bank.name'),
  text('bank_account', 'bank.account'),
  ids('bank_account_id', 'bank.accountId', 11),
  text('shortcut', 'shortcut'),
  text('note', 'note'),
  text('description', 'description'),
  of('discount', 'discount', '12.50'),
  of('payment_to_kind', 'paymentToKind', '14'),
  of('use_delivery_address', 'useDeliveryAddress', true),
  text('delivery_address', 'deliveryAddress'),
  of('company', 'company', false),
  text('register_number', 'registerNumber'),
  ids('project_id', 'projectId', 12),
  ids('contact_id', 'contactId', 1),
  readOnly('appendixes_count', 'appendixesCount', 3),
  readOnly('posts_count', 'postsCount', 4),
  readOnly('contacts_count', 'contactsCount', 5),
  readOnly('last_activity', 'lastActivity', '2026-03-03T08:00:00.000Z'),
  ...tenOf('string', (number) => `short ${number}`),
  ...tenOf('integer', (number) => number - 5),
  ...tenOf('decimal', (number) => `${number}.50`),
  ...tenOf('checkbox', (number) => number % 2 === 0),
  ...tenOf('date', (number) => `2026-03-${String(number).padStart(2, '0')}`),
  ...tenOf('text', (number) => `long\n${number}`),
  ...tenOf('datetime', (number) => `2026-04-${String(number).padStart(2, '0')}T10:00:00.000Z`),
  readOnly('avatar_file_name', 'avatar.fileName', 'a.png'),
  readOnly('avatar_content_type', 'avatar.contentType', 'image/png'),
  readOnly('avatar_file_size', 'avatar.fileSize', 3_000_000_000),
  readOnly('avatar_updated_at', 'avatar.updatedAt', '2026-03-04T08:00:00'),
  ids('status_id', 'statusId', 13),
  ids('category_id', 'categoryId', 14),
  ids('department_id', 'departmentId', 15),
  text('position', 'position'),
  ids('creator_id', 'creatorId', 16, false),
  ids('updater_id', 'updaterId', 17, false),
  ids('responsible_id', 'responsibleId', 18),
  text('sensitive_data', 'sensitiveData'),
  of('external_id', 'externalId', 'C-1'),
  readOnly('token', 'token', 't0ken'),
  of('paid_from', 'payments.from', '2026-01-01'),
  of('paid_to', 'payments.to', '2026-12-31'),
  of('paid_total', 'payments.total', '1999.90'),
];

const mail = (wire: string, at: string) => of(wire, at, `${at.replace('.', '-')}@example.com`);

/** Every field of a post, except the ids of other posts and of the client. The document gives its counters no bound. */
export const postFields: readonly Field[] = [
  text('title', 'title'),
  text('content', 'content'),
  text('abstract', 'abstract'),
  of('kind', 'kind', 'praise', 'PRAISE'),
  of('task_kind', 'taskKind', 'phone', 'PHONE'),
  ids('user_id', 'userId', 21),
  text('nick', 'nick'),
  ids('responsible_id', 'responsibleId', 22),
  readOnly('points', 'points', -(2 ** 31) - 1),
  readOnly('votes_cache', 'votesCount', 2 ** 31),
  readOnly('comments_cache', 'commentsCount', 2 ** 31 + 1),
  readOnly('view_count', 'viewCount', `${2 ** 31 + 2}`, 2 ** 31 + 2),
  readOnly('facebook_likes', 'facebookLikes', 2 ** 31 + 3),
  of('min_votes_to_start', 'minVotesToStart', Number.MAX_SAFE_INTEGER),
  ids('forum_id', 'forumId', 23),
  ids('category_id', 'categoryId', 24),
  ids('status_id', 'statusId', 25),
  ids('project_id', 'projectId', 26),
  of('created_at', 'createdAt', INSTANT),
  readOnly('updated_at', 'updatedAt', '2026-03-02T08:00:00+02:00'),
  of('scheduled_at', 'scheduledAt', '2026-05-01T08:00:00.000Z'),
  readOnly('ip', 'request.ip', '192.0.2.7'),
  readOnly('agent', 'request.agent', 'Browser 1.0'),
  readOnly('referrer', 'request.referrer', 'https://example.com/from'),
  text('www', 'www'),
  of('response', 'response', 'We did.'),
  ids('response_user_id', 'responseUserId', 27),
  of('answer', 'answer', 'Yes.'),
  of('answered', 'answered', true),
  readOnly('last_action_status', 'lastActionStatus', 'new'),
  mail('email', 'mail.email'),
  mail('email_to', 'mail.to'),
  mail('email_cc', 'mail.cc'),
  mail('email_bcc', 'mail.bcc'),
  mail('email_recipient', 'mail.recipient'),
  mail('email_reply_to', 'mail.replyTo'),
  readOnly('uid', 'uid', 'u1d'),
  readOnly('spam_kind', 'spam.kind', 'ham'),
  readOnly('spam_score', 'spam.score', 0.25, '0.25'),
  readOnly('spam_report', 'spam.report', 'Nothing found.'),
  readOnly('user_spam_report', 'spam.userReport', 'Nobody said so.'),
  of('tags', 'tags', 'oak, urgent', ['oak', 'urgent']),
  of('use_html', 'useHtml', true),
  of('closed', 'closed', true),
  of('private', 'private', true),
  of('unread', 'unread', false),
  of('priority', 'priority', '2'),
  text('title_note', 'titleNote'),
  text('help_link', 'help.link'),
  text('help_content', 'help.content'),
];

/** A selection of the fields: `address { postCode city } name`. */
export function selectionOf(fields: readonly Pick<Field, 'at'>[]): string {
  const groups = new Map<string, string[]>();
  for (const { at } of fields) {
    const [head = '', tail] = at.split('.');
    groups.set(head, [...(groups.get(head) ?? []), ...(tail === undefined ? [] : [tail])]);
  }
  return [...groups].map(([head, tails]) => (tails.length === 0 ? head : `${head} { ${tails.join(' ')} }`)).join(' ');
}

type Nested = Readonly<Record<string, unknown>>;

/** Values at their places: `{ address: { postCode: … } }`. */
export function placed(values: readonly (readonly [at: string, value: unknown])[]): Nested {
  const root: Record<string, unknown> = {};
  const groups: Record<string, Record<string, unknown>> = {};
  for (const [at, value] of values) {
    const [head = '', tail] = at.split('.');
    if (tail === undefined) {
      root[head] = value;
      continue;
    }
    const group = { ...groups[head], [tail]: value };
    groups[head] = group;
    root[head] = group;
  }
  return root;
}

/** A record as upstream sends it, with all of these fields. */
export function sentRecord(fields: readonly Field[], id: unknown = 7): Nested {
  return { id, ...Object.fromEntries(fields.map(({ wire, sent }) => [wire, sent])) };
}

/** The GraphQL response for that record. */
export function readRecord(fields: readonly Field[]): Nested {
  return placed(fields.map(({ at, read }) => [at, read]));
}
