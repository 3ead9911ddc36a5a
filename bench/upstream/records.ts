// The records of the canned upstream: the same in every run, shaped like those of the API documents.

const FIRST_NAMES = ['Anna', 'Piotr', 'Maria', 'Jan', 'Ewa', 'Tomasz', 'Zofia', 'Adam', 'Olga', 'Marek'];
const LAST_NAMES = ['Kowalska', 'Nowak', 'Wójcik', 'Mazur', 'Krawczyk', 'Zając', 'Król', 'Wrona', 'Lis', 'Sikora'];
const CITIES = ['Warszawa', 'Kraków', 'Gdańsk', 'Łódź', 'Poznań', 'Wrocław'];

/** The clients that posts, deals and contacts point to are the first ones. */
const LINKED = 100;

const pick = (values: readonly string[], index: number) => values[index % values.length];
const time = (minutes: number) => new Date(1_700_000_000_000 + minutes * 61_000).toISOString();
const nulls = (fields: readonly string[]) => Object.fromEntries(fields.map((field) => [field, null]));

const CUSTOM_FIELDS = ['string', 'integer', 'decimal', 'checkbox', 'date', 'text', 'datetime'].flatMap((kind) =>
  Array.from({ length: 10 }, (_, index) => `${kind}${index + 1}`),
);
// Most fields of a record are empty: they cost bytes all the same.
const EMPTY_CLIENT = nulls([
  ...['province', 'mobile_phone', 'www', 'fax', 'bank', 'bank_account', 'bank_account_id', 'description'],
  ...['payment_to_kind', 'delivery_address', 'register_number', 'project_id', ...CUSTOM_FIELDS],
  ...['avatar_file_name', 'avatar_content_type', 'avatar_file_size', 'avatar_updated_at', 'department_id', 'position'],
  ...['sensitive_data', 'paid_from', 'paid_to'],
]);

/** A client of about 2.1 KB as JSON, with some text beyond ASCII. */
export function client(id: number) {
  const [first, last] = [pick(FIRST_NAMES, id), pick(LAST_NAMES, id * 7)];
  return {
    id,
    ...EMPTY_CLIENT,
    name: `${first} ${last} ${id}`,
    first_name: first,
    last_name: last,
    email: `client${id}@example.test`,
    phone: `+48 22 ${1_000_000 + id}`,
    tax_no: String(5_250_000_000 + id),
    post_code: `00-${String(id % 1000).padStart(3, '0')}`,
    city: pick(CITIES, id),
    street: 'ul. Długa',
    street_no: String((id % 90) + 1),
    country: 'PL',
    created_at: time(id),
    updated_at: time(id + 500),
    last_activity: time(id + 900),
    kind: pick(['buyer', 'seller'], id),
    shortcut: `C${id}`,
    note: id % 4 === 0 ? `Note of client ${id}: prefers e-mail, see "file ${id}".` : null,
    discount: id % 5,
    use_delivery_address: false,
    company: id % 2 === 0,
    contact_id: (id % LINKED) + 1,
    appendixes_count: id % 3,
    posts_count: id % 17,
    contacts_count: id % 4,
    string1: `s1-${id}`,
    integer1: id * 3,
    status_id: (id % 5) + 1,
    category_id: (id % 7) + 1,
    creator_id: 1,
    updater_id: 2,
    responsible_id: (id % 9) + 1,
    external_id: `ext-${id}`,
    token: `tok${id}x9`,
    paid_total: (id * 12.5).toFixed(2),
  };
}

const EMPTY_POST = nulls([
  ...['post_id', 'project_id', 'scheduled_at', 'referrer', 'www', 'response', 'response_user_id', 'answer', 'answered'],
  ...['facebook_likes', 'min_votes_to_start', 'last_action_status', 'email_to', 'email_cc', 'email_bcc'],
  ...['email_recipient', 'email_reply_to', 'spam_kind', 'spam_score', 'spam_report', 'user_spam_report'],
  ...['duplicate_from_id', 'title_note', 'help_link', 'help_content'],
]);

/** A post of one of the first clients. */
export function post(id: number, clients: number) {
  return {
    id,
    ...EMPTY_POST,
    title: `Task ${id}: please check order ${id * 13}`,
    content: `Hello,\nthis is task number ${id}. ${'The parcel has not arrived yet: where is it? '.repeat(4)}`,
    abstract: `task ${id}`,
    kind: 'question',
    task_kind: pick(['task', 'email', 'phone', 'lead'], id),
    client_id: ((id - 1) % Math.min(LINKED, clients)) + 1,
    user_id: (id % 9) + 1,
    nick: pick(FIRST_NAMES, id),
    responsible_id: (id % 9) + 1,
    points: id % 50,
    votes_cache: id % 11,
    comments_cache: id % 5,
    view_count: id * 2,
    forum_id: 1,
    category_id: (id % 7) + 1,
    status_id: (id % 5) + 1,
    created_at: time(id),
    updated_at: time(id + 60),
    ip: `10.0.0.${id % 250}`,
    agent: 'Mozilla/5.0',
    email: `p${id}@example.test`,
    uid: `u${id}`,
    tags: 'order,delivery',
    use_html: false,
    closed: id % 3 === 0,
    private: false,
    unread: id % 2 === 0,
    priority: id % 4,
  };
}

export const deal = (id: number, clients: number) => ({
  id,
  name: `Deal ${id}`,
  description: `Description of deal ${id}`,
  client_id: ((id * 3) % Math.min(LINKED, clients)) + 1,
  price: (id * 99.9).toFixed(2),
  external_ids: { erp: `d-${id}` },
  created_at: time(id),
  updated_at: time(id + 9),
});

export const contact = (id: number) => ({
  id,
  name: `${pick(FIRST_NAMES, id)} ${pick(LAST_NAMES, id)}`,
  description: null,
  first_name: pick(FIRST_NAMES, id),
  last_name: pick(LAST_NAMES, id),
  responsible_id: (id % 9) + 1,
  email: `contact${id}@example.test`,
  phone: `+48 600 ${100_000 + id}`,
});

export const apiToken = (id: number) => ({
  id,
  name: `Token ${id}`,
  code: `code_${id}`,
  active: id % 7 !== 0,
  expires_at: null,
  kind: null,
  integration_app_code: null,
  for_account: id % 3 === 0,
  privileges: ['clients_read', 'posts_read'],
  token_info: `abcd...${id}`,
});

export const dashboard = (id: number) => ({
  id,
  name: `Dashboard ${id}`,
  context: pick(['main', 'crm', 'cms'], id),
  shared: id % 2 === 0,
  is_default: id === 2,
  editable: true,
  updated_at: time(id),
  layout: Array.from({ length: 12 }, (_, index) => ({
    id: `tile-${index}`,
    key: pick(['module_header', 'tasks', 'mail', 'crm_deals', 'kpi'], index),
    size: pick(['quarter', 'half', 'full'], index),
    config: { scope: 'mine', limit: '10' },
  })),
});

export const flexDatabase = (id: number) => ({
  id,
  name: `Base ${id}`,
  code: `base${id}`,
  app_id: null,
  schema: {
    fields: { title: 'string', amount: 'integer', when: { type: 'datetime', required: true } },
    indexed_fields: ['title', 'amount'],
  },
  public_methods: { list: true },
  created_at: time(id),
  updated_at: time(id),
});

export const flexHit = (id: number) => ({
  id,
  created_at: time(id),
  updated_at: time(id),
  title: `Row ${id}`,
  amount: id * 10,
  when: time(id),
});

/** The forum's list as XML. */
export function forumPosts(count: number): string {
  const posts = Array.from({ length: count }, (_, index) => forumPost(index + 1));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<posts type="array">\n${posts.join('\n')}\n</posts>\n`;
}

function forumPost(id: number): string {
  return `  <post>${[
    '<agent>Mozilla/5.0 (X11; Linux)</agent>',
    `<comments-cache type="integer">${id % 4}</comments-cache>`,
    `<content>Suggestion ${id}: add &quot;export&quot; &amp; import of items</content>`,
    `<created-at type="datetime">${time(id)}</created-at>`,
    `<id type="integer">${id}</id>`,
    `<title>Suggestion ${id}</title>`,
    `<updated-at type="datetime">${time(id + 3)}</updated-at>`,
    `<votes-cache type="integer">${id % 31}</votes-cache>`,
  ].join('')}</post>`;
}
