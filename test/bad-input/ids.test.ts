import { describe, expect, test } from 'vitest';
import { asAda } from '../forum/support.ts';
import { gatewayOver, type Result } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

// A malformed id reaches no upstream. The upstream here answers any request, and records it.

interface Field {
  readonly query: string;
  readonly type: string;
  /** The calls for the id 42. Without them it takes global ids alone. */
  readonly calls?: readonly string[];
}

const read = (type: string, field: string, key: string, ...calls: string[]): [string, Field] => [
  field,
  { type, calls, query: `query ($id: ID!) { field: ${field}(id: $id) { ${key} } }` },
];
const REFUSAL = '__typename ... on ValidationError { fields { field } }';
const write = (type: string, field: string, args: string, ...calls: string[]): [string, Field] => [
  field,
  { type, calls, query: `mutation ($id: ID!) { field: ${field}(${args}) { ${REFUSAL} } }` },
];
const NAMED = 'id: $id, input: { name: "x" }';
const TOKEN = '/account/api_tokens/42.json';
const DASHBOARD = '/toolkit/dashboards/42.json';
const SELECTED = 'context: MAIN, selection: { dashboard: $id }';
const LIST = '/app/contact_lists/42.json';

const FIELDS: readonly (readonly [name: string, Field])[] = [
  ['node', { type: 'Dashboard', query: 'query ($id: ID!) { field: node(id: $id) { id } }' }],
  read('ApiToken', 'apiToken', 'name', `GET ${TOKEN}`),
  write('ApiToken', 'updateApiToken', NAMED, `PATCH ${TOKEN}`),
  write('ApiToken', 'deleteApiToken', 'id: $id', `GET ${TOKEN}`, `DELETE ${TOKEN}`),
  read('Dashboard', 'dashboard', 'name', `GET ${DASHBOARD}`),
  write('Dashboard', 'updateDashboard', NAMED, `PATCH ${DASHBOARD}`),
  write('Dashboard', 'deleteDashboard', 'id: $id', `DELETE ${DASHBOARD}`),
  write('Dashboard', 'selectDashboard', SELECTED, 'PATCH /toolkit/dashboards/select.json'),
  read('Client', 'client', 'name', 'GET /app/clients/42.json'),
  write('Client', 'updateClient', NAMED, 'PUT /app/clients/42.json'),
  write('Client', 'deleteClient', 'id: $id', 'DELETE /app/clients/42.json'),
  read('Post', 'post', 'title', 'GET /app/posts/42.json'),
  read('Deal', 'deal', 'name', 'GET /app/deals/42.json'),
  write('Deal', 'updateDeal', NAMED, 'PUT /app/deals/42.json'),
  write('Deal', 'deleteDeal', 'id: $id', 'DELETE /app/deals/42.json'),
  read('Contact', 'contact', 'name', 'GET /app/contacts/42.json'),
  write('Contact', 'updateContact', NAMED, 'PUT /app/contacts/42.json'),
  read('ContactList', 'contactList', 'name', `GET ${LIST}`),
  write('ContactList', 'updateContactList', 'id: $id, name: "x"', `PUT ${LIST}`),
  read('ForumPost', 'forumPost', 'title', 'GET /app/posts/42.xml'),
  write('ForumPost', 'deleteForumPost', 'id: $id', 'DELETE /app/posts/42.xml'),
];
const field = (name: string): Field => {
  const found = new Map(FIELDS).get(name);
  if (!found) throw new Error(`There is no ${name} in the table.`);
  return found;
};

const NO_IDS: readonly (readonly [name: string, id: string])[] = [
  ['the folder above', '..'],
  ['this folder', '.'],
  ['the folder above, with a slash', '../'],
  ['the folder above, with a backslash', '..\\'],
  ['the folder above, behind a name', 'x/..'],
  ['the folder above, encoded', '%2e%2e'],
  ['nothing', ''],
  ['a space', ' '],
  ['a space that does not break', '\u00a0'],
  ['a space behind it', '1 '],
  ['a space before it', ' 1'],
  ['a slash alone', '/'],
  ['a slash', 'a/b'],
  ['an encoded slash', '%2f'],
  ['a way to another endpoint', '../deals/1'],
  ['a longer way to another endpoint', '1/../../app/clients'],
  ['an encoded way to another endpoint', '..%2fdeals%2f1'],
  ['one that is encoded twice', '..%252fdeals%252f1'],
  ['a backslash', '1\\2'],
  ['an ending', '1.json'],
  ['another ending', '1.xml'],
  ['a query', '1?for_account=yes'],
  ['a parameter', '1&api_token=x'],
  ['a fragment', '1#y'],
  ['a path parameter', '1;x=y'],
  ['a list', '1,2'],
  ['half of a surrogate pair', '\ud800'],
  ['the other half, within', 'a\udc00b'],
  ['65 characters', 'x'.repeat(65)],
  ['10,000 characters', 'x'.repeat(10_000)],
  ['10,000 digits', '1'.repeat(10_000)],
  ['a fraction', '1.5'],
  ['a plus sign', '+1'],
  ['NUL', '1\0'],
  ['DEL', 'a\u007fb'],
  ['a tab', '\t'],
  ['a line end', '1\n'],
  ['a line end and a header', '1\r\nx: y'],
  ['a letter beyond ASCII', 'ą'],
  ['digits of another script', '١٢'],
  ['a zero-width space', '1\u200b'],
  ['an id of a type that there is not', 'Nothing:42'],
  ['a global id of nothing', 'Dashboard:'],
  ['a global id of a global id', 'Dashboard:Dashboard:1'],
];

async function recording() {
  const upstream = await stubUpstream(({ url = '' }, response) => {
    const [, id = '1'] = /([^/?]+)\.\w+(\?.*)?$/.exec(url) ?? [];
    if (url.includes('.xml')) response.end(`<post><id>${id}</id><title>other</title></post>`);
    else response.end(JSON.stringify({ id, name: 'other', title: '', for_account: false, layout: [], dashboards: [] }));
  });
  const url = new URL(upstream.url);
  const { execute } = await gatewayOver(upstream.url, { CRM_URL: url, FORUM_URL: url }, 'token');
  return {
    run: (query: string, id?: unknown) => execute(query, { variables: { id }, headers: asAda }),
    calls: () => upstream.received.map((call) => call.replace(/\?.*/, '')),
  };
}

/** Refused as a member of the result, or as an error of the field: either names the argument. */
function expectRefused({ data, errors }: Result, name: string): void {
  const [error] = errors;
  if (error) {
    expect(errors, name).toHaveLength(1);
    expect(error, name).toMatchObject({ path: ['field'], extensions: { code: 'BAD_USER_INPUT' } });
    expect(error.message, name).toMatch(/id/);
    expect(error.message.length, name).toBeLessThan(250);
    expect(error.extensions, name).not.toHaveProperty('upstream');
    expect(data, name).toEqual({ field: null });
  } else {
    const fields = [{ field: expect.stringMatching(/^(id|selection\.dashboard)$/) }];
    expect(data, name).toEqual({ field: { __typename: 'ValidationError', fields } });
  }
}

describe.each(FIELDS)('%s', (name, { query, type }) => {
  test('refuses what is no id, by itself and behind its type', async () => {
    const { run, calls } = await recording();
    for (const [what, id] of NO_IDS) {
      for (const given of [id, `${type}:${id}`]) expectRefused(await run(query, given), what);
      expect(calls(), what).toEqual([]);
    }
  });

  test('refuses an id of another type, and variables that are no id', async () => {
    const { run, calls } = await recording();
    const other = name === 'node' ? 'Nothing:1' : type === 'Dashboard' ? 'ApiToken:1' : 'Dashboard:1';
    expectRefused(await run(query, other), other);
    for (const id of [1e21, 1.5, true, null, [1, 2], { id: 1 }]) {
      expect((await run(query, id)).errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    }
    expect(calls()).toEqual([]);
  });
});

test.each(FIELDS.filter(([, { calls }]) => calls))(
  '%s calls its own endpoint for whatever else may be an id',
  async (_name, { query, type, calls = [] }) => {
    const { run, calls: made } = await recording();
    const expected: string[] = [];
    const ids = ['42', 42, '__proto__', 'constructor', 'a-b_C', '007', '-1', '1e3', 'x'.repeat(64)];
    for (const id of type === 'Dashboard' ? ids : [...ids, 'widgets']) {
      for (const given of [id, `${type}:${id}`]) expect((await run(query, given)).errors, `${given}`).toEqual([]);
      const own = calls.map((call) => call.replace('42', String(id)));
      expected.push(...own, ...own);
    }
    expect(made()).toEqual(expected);
  },
);

test.each(FIELDS.filter(([, { type }]) => type === 'Dashboard'))(
  '%s refuses the name of an endpoint',
  async (_name, { query }) => {
    const { run, calls } = await recording();
    for (const id of ['select', 'widgets', 'widget', 'Widget']) expectRefused(await run(query, `Dashboard:${id}`), id);
    expect(calls()).toEqual([]);
  },
);

test('malformed ids within the document are refused', async () => {
  const { run, calls } = await recording();
  for (const id of ['"a/b"', '".."', '"""\n..\n"""', '"\\u0031/"']) {
    expectRefused(await run(`{ field: apiToken(id: ${id}) { name } }`), id);
  }
  expect(calls()).toEqual([]);
});

test.each(['builtin', '9007199254740993', 'a7_b'])('the id %j is opaque', async (id) => {
  const { run, calls } = await recording();
  expect((await run(field('dashboard').query, `Dashboard:${id}`)).errors).toEqual([]);
  expect((await run(field('updateApiToken').query, id)).errors).toEqual([]);
  expect(calls()).toEqual([`GET /toolkit/dashboards/${id}.json`, `PATCH /account/api_tokens/${id}.json`]);
});

test('one bad id among `nodes` costs its own place only', async () => {
  const { run, calls } = await recording();
  const bad = ['Dashboard:../1', '..', '', '1', 'ApiToken:a.b', 'Nothing:1', 'client:1', 'Client:', 'Client: 1'];
  const { data, errors } = await run('query ($id: [ID!]!) { nodes(ids: $id) { __typename } }', [
    'Dashboard:1',
    ...bad,
    'ApiToken:2',
  ]);
  const [board, token] = [{ __typename: 'Dashboard' }, { __typename: 'ApiToken' }];
  expect(data).toEqual({ nodes: [board, ...bad.map(() => null), token] });
  expect(errors.map(({ path }) => path?.[1]).toSorted()).toEqual(bad.map((_id, index) => index + 1).toSorted());
  for (const { extensions } of errors) expect(extensions['code']).toBe('BAD_USER_INPUT');
  expect(calls().toSorted()).toEqual(['GET /account/api_tokens/2.json', 'GET /toolkit/dashboards/1.json']);
});

test.each([
  ['client(id: "client:1") { name }', 'id', 'Client'],
  ['forumPost(id: "forumpost:1") { title }', 'id', 'ForumPost'],
  ['flexDb(id: "flexdb:shop") { name }', 'id', 'FlexDb'],
  ['clients(filter: { contactIds: ["contact:1"] }) { totalCount }', 'filter.contactIds.0', 'Contact'],
])('the type of an id in other letters is said in the right ones: %s', async (selection, path, type) => {
  const { run, calls } = await recording();
  const { errors } = await run(`{ field: ${selection} }`);
  const message = `\`${path}\` is no id: expected one such as ${type}:42, or 42 alone.`;
  expect(errors).toMatchObject([{ message: expect.stringContaining(message), extensions: { code: 'BAD_USER_INPUT' } }]);
  expect(calls()).toEqual([]);
});
