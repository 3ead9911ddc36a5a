import type { Key, Keys } from '../../formats/keys.ts';

// The keys of the CRM's records. Derived from these tables: the types of records and requests (wire.ts), GraphQL fields, inputs and
// null filters (graph/key-fields.ts), and what `trivium doctor --contract` expects.

/** The keys of a client that GraphQL shows in groups. */
export const clientGroups = {
  address: {
    street: { kind: 'text', about: 'Street.', isNull: 'The street.' },
    street_no: { kind: 'text', about: 'House number and flat number.' },
    post_code: { kind: 'text', about: 'Post code.', isNull: 'The post code.' },
    city: { kind: 'text', about: 'City.', isNull: 'The city.' },
    province: { kind: 'text', about: 'Province.', isNull: 'The province.' },
    country: { kind: 'text', about: 'Country, as upstream writes it.', input: 'Country.', isNull: 'The country.' },
  },
  bank: {
    bank: { kind: 'text', field: 'name', about: 'The bank.' },
    bank_account: {
      kind: 'text',
      field: 'account',
      about: 'Number of the account.',
      isNull: 'The number of the bank account.',
    },
    bank_account_id: { kind: 'id', field: 'accountId', about: 'Id of the account in the CRM.' },
  },
  payments: {
    paid_from: {
      kind: 'dateOrInstant',
      field: 'from',
      about: 'Start of the paid period.',
      isNull: 'The start of the paid period.',
    },
    paid_to: {
      kind: 'dateOrInstant',
      field: 'to',
      about: 'End of the paid period.',
      isNull: 'The end of the paid period.',
    },
    paid_total: {
      kind: 'decimal',
      field: 'total',
      about: 'Total of the payments.',
      isNull: 'The total of the payments.',
    },
  },
  avatar: {
    avatar_file_name: { kind: 'text', field: 'fileName', about: 'Name of the file.', readOnly: true },
    avatar_content_type: { kind: 'text', field: 'contentType', about: 'Media type.', readOnly: true },
    avatar_file_size: { kind: 'integer', field: 'fileSize', about: 'Size in bytes.', readOnly: true },
    avatar_updated_at: { kind: 'instant', field: 'updatedAt', about: 'When it was last changed.', readOnly: true },
  },
} as const satisfies Record<string, Keys>;

/** The keys of a client that are in no group. */
export const ownClientKeys = {
  name: { kind: 'text', about: 'Its name.', input: 'Its name; a new client needs one.', isNull: 'The name.' },
  shortcut: { kind: 'text', about: 'Abbreviation of the name.', isNull: 'The abbreviation of the name.' },
  kind: { kind: 'text', isNull: 'Whether it is a buyer or a seller.' },
  company: { kind: 'boolean', about: 'Whether it is a company.' },
  first_name: { kind: 'text', about: 'Given name.', isNull: 'The given name.' },
  last_name: { kind: 'text', about: 'Family name.', isNull: 'The family name.' },
  position: { kind: 'text', about: 'Position.', isNull: 'The position.' },
  tax_no: { kind: 'text', about: 'Tax identification number.', isNull: 'The tax identification number.' },
  register_number: { kind: 'text', about: 'Registration number.', isNull: 'The registration number.' },
  email: { kind: 'text', about: 'Email address.', isNull: 'The email address.' },
  phone: { kind: 'text', about: 'Phone number.', isNull: 'The phone number.' },
  mobile_phone: { kind: 'text', about: 'Mobile phone number.', isNull: 'The mobile phone number.' },
  fax: { kind: 'text', about: 'Fax number.', isNull: 'The fax number.' },
  www: { kind: 'text', about: 'Web site.', isNull: 'The web site.' },
  use_delivery_address: { kind: 'boolean', about: 'Whether the delivery address is used.' },
  delivery_address: { kind: 'text', about: 'Delivery address.', isNull: 'The delivery address.' },
  discount: { kind: 'decimal', about: 'Discount.', isNull: 'The discount.' },
  payment_to_kind: { kind: 'text', about: 'Default payment term.', isNull: 'The default payment term.' },
  note: { kind: 'text', about: 'A note.', isNull: 'The note.' },
  description: { kind: 'text', about: 'A longer note.', isNull: 'The longer note.' },
  sensitive_data: {
    kind: 'text',
    about: 'Sensitive data, hidden in the application. The response is marked `no-store`.',
    input: 'Sensitive data, hidden in the application.',
  },
  token: { kind: 'text', about: "The client's token: a secret. The response is marked `no-store`.", readOnly: true },
  external_id: { kind: 'text', isNull: 'The id in another system.' },
  /** Not documented (A136): whether a read has them. */
  external_ids: { kind: 'objectOrList', isNull: 'The ids in other systems.' },
  status_id: { kind: 'id', about: 'Upstream id of the status.', isNull: 'The status.' },
  category_id: { kind: 'id', about: 'Upstream id of the category.', isNull: 'The category.' },
  department_id: { kind: 'id', about: 'Upstream id of the department.', isNull: 'The department.' },
  project_id: { kind: 'id', about: 'Upstream id of the project.', isNull: 'The project.' },
  responsible_id: { kind: 'id', about: 'Upstream id of the responsible user.', isNull: 'The responsible user.' },
  creator_id: {
    kind: 'id',
    about: 'Upstream id of the user who created it.',
    readOnly: true,
    isNull: 'The user who created it.',
  },
  updater_id: {
    kind: 'id',
    about: 'Upstream id of the user who changed it last.',
    readOnly: true,
    isNull: 'The user who changed it last.',
  },
  contact_id: {
    kind: 'id',
    of: 'Contact',
    about: 'Upstream id of the main contact.',
    input: 'Global id or upstream id of the main contact.',
    isNull: 'The main contact.',
  },
  appendixes_count: { kind: 'integer', about: 'How many attachments it has.', readOnly: true },
  posts_count: { kind: 'integer', about: 'How many mails and tasks it has.', readOnly: true },
  contacts_count: { kind: 'integer', about: 'How many contacts it has.', readOnly: true },
  last_activity: {
    kind: 'instant',
    about: 'When the last activity was.',
    readOnly: true,
    isNull: 'The last activity.',
  },
  created_at: { kind: 'instant', about: 'When it was created.', readOnly: true },
  updated_at: { kind: 'instant', about: 'When it was last changed.', readOnly: true },
} as const satisfies Keys;

/** The kinds of additional fields, described in words. A client has ten fields of each kind. */
export const customFieldKinds = {
  string: { kind: 'text', words: 'short text' },
  integer: { kind: 'integer', words: 'whole number' },
  decimal: { kind: 'decimal', words: 'decimal' },
  checkbox: { kind: 'boolean', words: 'checkbox' },
  date: { kind: 'date', words: 'date' },
  text: { kind: 'text', words: 'long text' },
  datetime: { kind: 'instant', words: 'instant' },
} as const satisfies Record<string, { kind: Key['kind']; words: string }>;
export const customFieldNumbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;

export type CustomFieldKind = keyof typeof customFieldKinds;
export type CustomFieldKey = `${CustomFieldKind}${(typeof customFieldNumbers)[number]}`;

/** The keys of the additional fields: `string1` to `datetime10`. */
export const customFieldKeys = numberedKeys();

function numberedKeys(): Readonly<Record<CustomFieldKey, Key & { about: string }>>;
function numberedKeys(): Keys {
  return Object.fromEntries(
    Object.entries(customFieldKinds).flatMap(([name, { kind, words }]) =>
      customFieldNumbers.map((number) => [
        `${name}${number}`,
        { kind, about: `Additional field: ${words} ${number}.` },
      ]),
    ),
  );
}

export const clientKeys = {
  ...ownClientKeys,
  ...clientGroups.address,
  ...clientGroups.bank,
  ...clientGroups.payments,
  ...clientGroups.avatar,
  ...customFieldKeys,
};

/** The keys of a post that GraphQL shows in groups. */
export const postGroups = {
  mail: {
    email: {
      kind: 'text',
      about: "The author's address.",
      isNull: "The author's mail address.",
      isNullName: 'MAIL_EMAIL',
    },
    email_to: { kind: 'text', field: 'to', about: 'Recipients in To.' },
    email_cc: { kind: 'text', field: 'cc', about: 'Recipients in Cc.' },
    email_bcc: { kind: 'text', field: 'bcc', about: 'Recipients in Bcc.' },
    email_recipient: {
      kind: 'text',
      field: 'recipient',
      about: 'The recipient who received it.',
      isNull: 'The recipient of the mail.',
      isNullName: 'MAIL_RECIPIENT',
    },
    email_reply_to: { kind: 'text', field: 'replyTo', about: 'The address for replies.' },
  },
  help: {
    help_link: { kind: 'text', field: 'link', about: 'Key of the link.' },
    help_content: { kind: 'text', field: 'content', about: 'Content.' },
  },
  request: {
    ip: { kind: 'text', about: 'IP address of the sender.', readOnly: true },
    agent: { kind: 'text', about: 'User agent of the sender.', readOnly: true },
    referrer: { kind: 'text', about: 'Page that the request came from.', readOnly: true },
  },
  spam: {
    spam_kind: {
      kind: 'text',
      field: 'kind',
      about: 'Result of the check.',
      readOnly: true,
      isNull: 'The result of the spam check.',
    },
    spam_score: { kind: 'decimal', field: 'score', about: 'Spam score.', readOnly: true, isNull: 'The spam score.' },
    spam_report: { kind: 'text', field: 'report', about: 'Report of the check.', readOnly: true },
    user_spam_report: { kind: 'text', field: 'userReport', about: 'Report of users.', readOnly: true },
  },
} as const satisfies Record<string, Keys>;

/** The keys that a new post and a new comment share. */
export const sharedPostKeys = {
  nick: { kind: 'text', about: "The author's nickname.", isNull: "The author's nickname." },
  abstract: { kind: 'text', about: 'Summary.', isNull: 'The summary.' },
  use_html: { kind: 'boolean', about: 'Whether the body is HTML.' },
  private: { kind: 'boolean', about: 'Whether it is private.' },
} as const satisfies Keys;

/**
 * The keys of a post that are in no group. The endpoint table of the document names seven that a caller may send: title, content,
 * task_kind, client_id, responsible_id, post_id, kind. Not documented (A257): those that a new post may have beside what it says.
 */
export const ownPostKeys = {
  ...sharedPostKeys,
  title: { kind: 'text', about: 'Title.', input: 'Title; a task needs one.', isNull: 'The title.' },
  title_note: { kind: 'text', about: 'A note on the title.' },
  content: { kind: 'text', about: 'Body.', isNull: 'The body.' },
  kind: { kind: 'text', isNull: 'The kind.' },
  task_kind: { kind: 'text', isNull: 'The kind in the helpdesk.' },
  tags: { kind: 'textOrList', isNull: 'The tags.' },
  priority: { kind: 'text', about: 'Priority, as upstream writes it.', isNull: 'The priority.' },
  closed: { kind: 'boolean', about: 'Whether it is done.', unproven: true },
  unread: { kind: 'boolean', about: 'Whether it is unread.', unproven: true },
  last_action_status: { kind: 'text', about: 'Status.', readOnly: true },
  user_id: { kind: 'id', about: 'Upstream id of its author.', unproven: true, isNull: 'The author.' },
  uid: {
    kind: 'text',
    about: "The author's token: a secret. The response is marked `no-store`.",
    readOnly: true,
  },
  www: { kind: 'text', about: "The author's web site." },
  responsible_id: { kind: 'id', about: 'Upstream id of the assignee.', isNull: 'The assignee.' },
  forum_id: { kind: 'id', about: 'Upstream id of the forum.', isNull: 'The forum.' },
  category_id: { kind: 'id', about: 'Upstream id of the category.', isNull: 'The category.' },
  status_id: { kind: 'id', about: 'Upstream id of the status.', isNull: 'The status.' },
  project_id: { kind: 'id', about: 'Upstream id of the project.', isNull: 'The project.' },
  client_id: {
    kind: 'id',
    of: 'Client',
    about: 'Upstream id of the client.',
    input: 'Global id or upstream id of the client.',
    isNull: 'The client.',
  },
  post_id: {
    kind: 'id',
    of: 'Post',
    field: 'parentId',
    about: 'Upstream id of the parent.',
    input: 'Global id or upstream id of the post that it comments on.',
    isNull: 'The parent.',
    isNullName: 'PARENT',
  },
  duplicate_from_id: {
    kind: 'id',
    of: 'Post',
    field: 'duplicateOfId',
    about: 'Upstream id of the post that this one repeats.',
    input: 'Global id or upstream id of the post that it repeats.',
    isNull: 'The post that it repeats.',
    isNullName: 'DUPLICATE_OF',
  },
  response: { kind: 'text', about: 'Response.', unproven: true, isNull: 'The response.' },
  response_user_id: { kind: 'id', about: 'Upstream id of the user who responded.', unproven: true },
  answer: { kind: 'text', about: 'Answer.', unproven: true, isNull: 'The answer.' },
  answered: { kind: 'boolean', about: 'Whether it is answered.', unproven: true },
  points: { kind: 'integer', about: 'Points.', readOnly: true },
  votes_cache: { kind: 'integer', field: 'votesCount', about: 'How many votes it has.', readOnly: true },
  min_votes_to_start: {
    kind: 'integer',
    about: 'How many votes it needs to be started.',
    input: 'Votes that it needs to be started.',
    unproven: true,
  },
  comments_cache: { kind: 'integer', field: 'commentsCount', about: 'How many comments it has.', readOnly: true },
  view_count: { kind: 'integer', about: 'How often it was viewed.', readOnly: true },
  facebook_likes: { kind: 'integer', about: 'Likes on Facebook.', readOnly: true },
  created_at: {
    kind: 'instant',
    about: 'When it was created.',
    input: 'When it was created. A creation with it, whose response was lost, stays UNKNOWN.',
    unproven: true,
  },
  updated_at: { kind: 'instant', about: 'When it was last changed.', readOnly: true },
  scheduled_at: { kind: 'instant', about: 'When it is planned for.', isNull: 'When it is planned for.' },
} as const satisfies Keys;

export const postKeys = {
  ...ownPostKeys,
  ...postGroups.mail,
  ...postGroups.help,
  ...postGroups.request,
  ...postGroups.spam,
};

export const dealKeys = {
  name: { kind: 'text', about: 'Its name.', input: 'Its name; a new deal needs one.', isNull: 'The name.' },
  description: { kind: 'text', about: 'What it is about.', isNull: 'The description.' },
  price: {
    kind: 'decimal',
    about: 'Expected value. Upstream states no currency.',
    isNull: 'The expected value.',
  },
  client_id: { kind: 'id', isNull: 'The client.' },
  external_ids: { kind: 'objectOrList', isNull: 'The ids in other systems.' },
  /** Not documented (A216): whether a read has it, in place of `client_id`. */
  client: { kind: 'object', readOnly: true },
} as const satisfies Keys;

export const contactKeys = {
  name: { kind: 'text', about: 'Name.' },
  first_name: { kind: 'text', about: 'Given name.' },
  last_name: { kind: 'text', about: 'Family name.' },
  email: { kind: 'text', about: 'Email address.' },
  phone: { kind: 'text', about: 'Phone number.' },
  description: { kind: 'text', about: 'A note.' },
  responsible_id: { kind: 'id', about: 'Upstream id of the responsible user.' },
} as const satisfies Keys;

export const contactListKeys = { name: { kind: 'text', about: 'Its name.' } } as const satisfies Keys;
