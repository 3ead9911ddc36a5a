import { expect, test } from 'vitest';
import { ask, merged, next, partsOf } from '../support/parts.ts';
import { keyedGateway } from './support.ts';

const CREATE =
  'mutation ($name: String, $email: String) { createClient(input: { name: $name, email: $email }) { __typename ... on Client { id name } } }';
const UPDATE = 'mutation { updateClient(id: "1", input: { name: "Bob" }) { __typename ... on Client { id name } } }';

const outcomeOf = (answer: { errors: readonly { extensions: Record<string, unknown> }[] }) =>
  answer.errors.map(({ extensions: { code, outcome } }) => `${String(code)} ${String(outcome)}`);

test('a write is sent once under a key, quoted or bare, and its record is given again with fields read when selected', async () => {
  const { under, upstream } = await keyedGateway();
  const first = await under('k')(CREATE, { name: 'Ada' });
  const again = await under('"k"')(CREATE, { name: 'Ada' });

  expect(first).toMatchObject({
    data: { createClient: { id: 'Client:1', name: 'Ada' } },
    errors: [],
    extensions: { idempotency: { createClient: 'FIRST' } },
  });
  expect(again).toMatchObject({
    data: first.data,
    errors: [],
    extensions: { idempotency: { createClient: 'REPLAYED' } },
  });
  expect(upstream.writes).toEqual(['POST /app/clients.json']);
});

test('a response without a key has no extensions', async () => {
  const { url } = await keyedGateway();
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer token' },
    body: JSON.stringify({ query: CREATE, variables: { name: 'Ada' } }),
  });
  expect(Object.keys(await response.json())).toEqual(['data']);
});

test.each([
  ['other variables', CREATE, { name: 'Bob' }],
  ['another document', CREATE.replace('id name', 'name'), { name: 'Ada' }],
  ['another name of the operation', CREATE.replace('mutation', 'mutation Other'), { name: 'Ada' }],
])('a key of another operation is refused: %s', async (_name, query, variables) => {
  const { under, upstream } = await keyedGateway();
  await under('k')(CREATE, { name: 'Ada' });
  const reused = await under('k')(query, variables);
  expect(outcomeOf(reused)).toEqual(['IDEMPOTENCY_KEY_REUSED REFUSED']);
  expect(reused.extensions).toBeUndefined();
  expect(upstream.writes).toHaveLength(1);
});

test('variables in another order are the same operation', async () => {
  const { under, upstream } = await keyedGateway();
  await under('k')(CREATE, { name: 'Ada', email: 'a@b.example' });
  const again = await under('k')(CREATE, { email: 'a@b.example', name: 'Ada' });
  expect(again.extensions).toEqual({ idempotency: { createClient: 'REPLAYED' } });
  expect(upstream.writes).toHaveLength(1);
});

test('a key under another credential is another key', async () => {
  const { under, upstream } = await keyedGateway();
  await under('k')(CREATE, { name: 'Ada' });
  const other = await under('k', { authorization: 'Bearer renewed' })(CREATE, { name: 'Ada' });
  expect(other.extensions).toEqual({ idempotency: { createClient: 'FIRST' } });
  expect(upstream.writes).toHaveLength(2);
});

test('a refused write is tried anew', async () => {
  const { under, upstream } = await keyedGateway();
  upstream.manners.push('refuses');
  const refused = await under('k')(CREATE, { name: 'Ada' });
  const second = await under('k')(CREATE, { name: 'Ada' });
  expect(refused).toMatchObject({ data: { createClient: { __typename: 'ValidationError' } }, extensions: undefined });
  expect(second.extensions).toEqual({ idempotency: { createClient: 'FIRST' } });
  expect(upstream.writes).toHaveLength(2);
});

test('an unknown write is not sent again by itself', async () => {
  const { under, upstream } = await keyedGateway();
  upstream.manners.push('drops');
  const first = await under('k')(CREATE, { name: 'Ada' });
  const again = await under('k')(CREATE, { name: 'Ada' });
  expect(outcomeOf(first)).toEqual(['UPSTREAM_UNAVAILABLE UNKNOWN']);
  expect(first.extensions).toEqual({ idempotency: { createClient: 'FIRST' } });
  expect(outcomeOf(again)).toEqual(['IDEMPOTENCY_OUTCOME_UNKNOWN UNKNOWN']);
  expect(again.errors[0]?.message).toMatch(/^The write was sent \d+ s ago .* No records were found/);
  expect(again.extensions).toBeUndefined();
  expect(upstream.writes).toHaveLength(1);
});

test('the second attempt waits for the first one', async () => {
  const { under, upstream } = await keyedGateway();
  upstream.manners.push('holds');
  const arrival = upstream.arrival();
  const first = under('k')(CREATE, { name: 'Ada' });
  await arrival;
  const second = under('k')(CREATE, { name: 'Ada' });
  // The second one has been read by the gateway when a later request of another connection has been answered.
  await under('other')('mutation { createDeal(input: { name: "x" }) { __typename } }');
  upstream.release();
  expect((await first).extensions).toEqual({ idempotency: { createClient: 'FIRST' } });
  expect(await second).toMatchObject({
    data: (await first).data,
    extensions: { idempotency: { createClient: 'REPLAYED' } },
  });
  expect(upstream.writes).toEqual(['POST /app/clients.json', 'POST /app/deals.json']);
});

test('the second attempt waits within its own deadline', async () => {
  const { under, upstream } = await keyedGateway();
  upstream.manners.push('holds');
  const arrival = upstream.arrival();
  const first = under('k')(CREATE, { name: 'Ada' });
  await arrival;
  const second = await under('k', { 'x-trivium-timeout-ms': '100' })(CREATE, { name: 'Ada' });
  expect(outcomeOf(second)).toEqual(['IDEMPOTENCY_IN_PROGRESS UNKNOWN']);
  upstream.release();
  await first;
});

test('each field has its own place under the key', async () => {
  const { under, upstream } = await keyedGateway();
  const both =
    'mutation { a: createDeal(input: { name: "x" }) { __typename } b: createDeal(input: { name: "x" }) { __typename } }';
  upstream.manners.push('answers', 'refuses');
  expect((await under('k')(both)).extensions).toEqual({ idempotency: { a: 'FIRST' } });
  expect((await under('k')(both)).extensions).toEqual({ idempotency: { a: 'REPLAYED', b: 'FIRST' } });
  expect(upstream.writes).toHaveLength(3);
});

test('a bulk mutation goes on where it stopped', async () => {
  const { under, upstream } = await keyedGateway();
  const bulk =
    'mutation { createClients(inputs: [{ name: "a" }, { name: "b" }, { name: "c" }]) { __typename ... on Client { id } } }';
  upstream.manners.push('answers', 'refuses');
  const first = await under('k')(bulk);
  const second = await under('k')(bulk);
  expect(first.data).toMatchObject({
    createClients: [{ id: 'Client:1' }, { __typename: 'ValidationError' }, { __typename: 'NotAttempted' }],
  });
  expect(first.extensions).toEqual({ idempotency: { 'createClients.0': 'FIRST' } });
  expect(second.data).toMatchObject({ createClients: [{ id: 'Client:1' }, { id: 'Client:2' }, { id: 'Client:3' }] });
  expect(second.extensions).toEqual({
    idempotency: { 'createClients.0': 'REPLAYED', 'createClients.1': 'FIRST', 'createClients.2': 'FIRST' },
  });
  expect(upstream.writes).toHaveLength(4);
});

test('a record that is gone since is null beside errors that say APPLIED', async () => {
  const { under, upstream } = await keyedGateway();
  await under('k')(CREATE, { name: 'Ada' });
  upstream.table('clients').splice(0);
  const again = await under('k')(CREATE, { name: 'Ada' });
  expect(again.data).toEqual({ createClient: { __typename: 'Client', id: 'Client:1', name: null } });
  expect(again.errors).toMatchObject(
    [{ path: ['createClient', 'name'], extensions: { outcome: 'APPLIED' }, message: /^The change was made, but/ }].map(
      (error) => ({ ...error, message: expect.stringMatching(error.message) }),
    ),
  );
  expect(upstream.writes).toHaveLength(1);
});

test('a once-only value is null with its error', async () => {
  const { under } = await keyedGateway();
  const create =
    'mutation { createApiToken(input: { name: "t" }) { ... on CreatedApiToken { token apiToken { id name } } } }';
  const first = await under('k')(create);
  const again = await under('k')(create);
  expect(first.data).toEqual({ createApiToken: { token: 'raw-1', apiToken: { id: 'ApiToken:1', name: 't' } } });
  expect(again.data).toEqual({ createApiToken: { token: null, apiToken: { id: 'ApiToken:1', name: 't' } } });
  expect(again.errors).toMatchObject([{ path: ['createApiToken', 'token'], extensions: { outcome: 'APPLIED' } }]);
});

test.each([
  ['deleteClient', 'clients', {}, 'mutation { deleteClient(id: "1") { __typename ... on DeletedNode { deletedId } } }'],
  [
    'deleteApiToken',
    'api_tokens',
    { for_account: false },
    'mutation { deleteApiToken(id: "1") { __typename ... on ApiTokenDeletion { deletedId deleted } } }',
  ],
  [
    'deleteFlexDb',
    'dbs',
    { code: 'shop', name: 'Shop' },
    'mutation { deleteFlexDb(id: "shop") { __typename ... on DeletedNode { deletedId } } }',
  ],
])('the payload of a deletion is the same again: %s', async (field, table, fields, query) => {
  const { under, upstream } = await keyedGateway();
  upstream.add(table, fields);
  const first = await under('k')(query);
  const again = await under('k')(query);
  expect(first).toMatchObject({ errors: [], extensions: { idempotency: { [field]: 'FIRST' } } });
  expect(JSON.stringify(first.data)).toContain(':1"');
  expect(again).toEqual({ ...first, extensions: { idempotency: { [field]: 'REPLAYED' } } });
  expect(upstream.writes).toHaveLength(1);
});

test('a change of a code, by the old code, is given again', async () => {
  const { under, upstream } = await keyedGateway();
  upstream.add('dbs', { code: 'old', name: 'Shop' });
  const rename =
    'mutation { updateFlexDb(id: "old", input: { code: "new" }) { __typename ... on FlexDb { id code } } }';
  const first = await under('k')(rename);
  const again = await under('k')(rename);
  expect(first.data).toEqual({ updateFlexDb: { __typename: 'FlexDb', id: 'FlexDb:1', code: 'new' } });
  expect(again).toEqual({ ...first, extensions: { idempotency: { updateFlexDb: 'REPLAYED' } } });
  expect(upstream.writes).toHaveLength(1);
});

test.each([
  ['enableDashboards', 'mutation { enableDashboards { __typename } }'],
  ['selectDashboard', 'mutation { selectDashboard(context: MAIN, selection: { layout: BUILTIN }) { __typename } }'],
])('a write whose answer is no record is given again: %s', async (field, query) => {
  const { under, upstream } = await keyedGateway();
  const first = await under('k')(query);
  const again = await under('k')(query);
  expect(first).toMatchObject({ errors: [], extensions: { idempotency: { [field]: 'FIRST' } } });
  expect(again).toEqual({ ...first, extensions: { idempotency: { [field]: 'REPLAYED' } } });
  expect(upstream.writes).toHaveLength(1);
});

test('a key is one over both ways of a request, and the first part has what became of its writes', async () => {
  const { under, upstream, url } = await keyedGateway();
  const deferred = CREATE.replace('id name', 'id ... @defer { name }');
  const headers = { 'idempotency-key': 'k' };
  const variables = { name: 'Ada' };
  const first = await ask(url, deferred, { headers, variables });
  const parts = partsOf(first);
  expect(await next(parts)).toMatchObject({ extensions: { idempotency: { createClient: 'FIRST' } }, hasNext: true });
  await parts.return();

  const again = await ask(url, deferred, { headers, variables });
  expect(await merged(partsOf(again))).toEqual({
    createClient: { __typename: 'Client', id: 'Client:1', name: 'Ada' },
  });

  // Chunked bodies go to Yoga, others take the direct way.
  await under('both')(CREATE, variables);
  const chunked = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer token', 'idempotency-key': 'both' },
    body: new Blob([JSON.stringify({ query: CREATE, variables })]).stream(),
    duplex: 'half',
  } as RequestInit);
  expect(await chunked.json()).toMatchObject({ extensions: { idempotency: { createClient: 'REPLAYED' } } });
  expect(upstream.writes).toHaveLength(2);
});

test('a field that sends no credential refuses a key', async () => {
  const { under, upstream } = await keyedGateway({ FORUM_URL: new URL('http://127.0.0.1:1') });
  const register =
    'mutation { createForumUser(input: { login: "a", email: "a@b.example", password: "secret-word" }) { __typename ... on MutationError { message } } }';
  const forum = await under('k', { 'x-forum-authorization': 'Basic YTpi' })(register);
  expect(forum.data).toMatchObject({
    createForumUser: { __typename: 'ValidationError', message: expect.stringMatching(/takes no Idempotency-Key/) },
  });
  const publicly = await under('k')(
    'mutation { createPublicFlexRecord(code: "shop", data: {}) { __typename ... on MutationError { message } } }',
  );
  expect(JSON.stringify([publicly.data, publicly.errors])).toMatch(/takes no Idempotency-Key/);
  expect(upstream.writes).toEqual([]);
});

test('a missing credential is UNAUTHENTICATED, and needs no receipt', async () => {
  const { under, upstream } = await keyedGateway({ IDEMPOTENCY: 'off' });
  const answer = await under('k', { authorization: '' })(CREATE, { name: 'Ada' });
  expect(outcomeOf(answer)).toEqual(['UNAUTHENTICATED REFUSED']);
  expect(upstream.writes).toEqual([]);
});

test.each([
  ['off', { IDEMPOTENCY: 'off' }, 'IDEMPOTENCY=off'],
  ['auto with several workers', { WORKERS: 2 }, 'REDIS_URL'],
] as const)(
  'where keys are off a write with a key is refused before anything is sent: %s',
  async (_name, settings, setting) => {
    const { under, upstream } = await keyedGateway(settings);
    const answer = await under('k')(CREATE, { name: 'Ada' });
    expect(outcomeOf(answer)).toEqual(['IDEMPOTENCY_UNAVAILABLE REFUSED']);
    expect(answer.errors[0]?.message).toContain(setting);
    expect(upstream.writes).toEqual([]);
  },
);

test('who exceeds a share of the receipts is refused, others are not', async () => {
  const { under, upstream } = await keyedGateway({ IDEMPOTENCY_MAX_RECEIPTS: 6 });
  const answers = [];
  for (const key of ['1', '2', '3', '4', '5']) answers.push(await under(key)(CREATE, { name: key }));
  expect(answers.flatMap(outcomeOf)).toEqual(['IDEMPOTENCY_LIMIT_EXCEEDED REFUSED']);
  expect(answers[4]?.errors[0]?.message).toContain('IDEMPOTENCY_MAX_RECEIPTS');
  const other = await under('1', { authorization: 'Bearer other' })(CREATE, { name: '1' });
  expect(other.extensions).toEqual({ idempotency: { createClient: 'FIRST' } });
  expect(upstream.writes).toHaveLength(5);
});

test('invented credentials have one share together', async () => {
  const { under, upstream } = await keyedGateway({ IDEMPOTENCY_MAX_RECEIPTS: 20 });
  await under('1')(CREATE, { name: 'Ada' });
  const invented = [];
  for (let token = 0; token < 12; token++) {
    upstream.manners.push('drops'); // its end is unknown, so its receipt stays
    invented.push(await under('k', { authorization: `Bearer invented-${token}` })(CREATE, { name: 'x' }));
  }
  const unknown = invented.filter((answer) => outcomeOf(answer)[0]?.endsWith('UNKNOWN'));
  expect(unknown).toHaveLength(9);
  upstream.manners.splice(0);
  for (const key of ['2', '3', '4']) {
    expect((await under(key)(CREATE, { name: 'Ada' })).extensions).toEqual({ idempotency: { createClient: 'FIRST' } });
  }
});

const WRONG_KEYS = ['""', '"', '"open', 'a b', 'ä', `${'x'.repeat(256)}`, '"a", "b"', '"a";p=1', 'a\tb'];

test.each(WRONG_KEYS)('a header that holds no key is refused with 400 on both ways: %s', async (header) => {
  const { under, upstream } = await keyedGateway();
  for (const more of [{}, { accept: 'multipart/mixed, application/json' }]) {
    const answer = await under(Buffer.from(header).toString('latin1'), more)(CREATE, { name: 'Ada' });
    expect(answer.status).toBe(400);
    expect(answer.errors[0]?.message).toBe(
      'The header Idempotency-Key takes one key of 1 to 255 visible ASCII characters, bare or in quotes.',
    );
  }
  expect(upstream.writes).toEqual([]);
});

test('two headers of the name are refused', async () => {
  const { url } = await keyedGateway();
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: [
      ['content-type', 'application/json'],
      ['idempotency-key', 'a'],
      ['idempotency-key', 'a'],
    ],
    body: JSON.stringify({ query: '{ __typename }' }),
  });
  expect(response.status).toBe(400);
});

test('keys of 1 and 255 characters and an escaped one are keys', async () => {
  const { under, upstream } = await keyedGateway();
  for (const key of ['x', 'y'.repeat(255), String.raw`"a\"b\\"`]) {
    expect((await under(key)(CREATE, { name: 'Ada' })).extensions).toEqual({ idempotency: { createClient: 'FIRST' } });
  }
  expect((await under(String.raw`a"b\ `.trim())(CREATE, { name: 'Ada' })).extensions).toEqual({
    idempotency: { createClient: 'REPLAYED' },
  });
  expect(upstream.writes).toHaveLength(3);
});

test('on a query a key is ignored', async () => {
  const { under } = await keyedGateway({ IDEMPOTENCY: 'off' });
  const answer = await under('k')('{ apiTokens { id } }');
  expect(answer).toEqual({ status: 200, data: { apiTokens: [] }, errors: [], extensions: undefined });
});

test('a web page of a listed origin may send a key', async () => {
  const { url } = await keyedGateway({ CORS_ORIGINS: ['https://app.example'] });
  const response = await fetch(`${url}/graphql`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://app.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'idempotency-key',
    },
  });
  expect(response.headers.get('access-control-allow-headers')).toContain('Idempotency-Key');
});

test('variables that nest too deeply are refused, and do not end the process', async () => {
  const { url, upstream } = await keyedGateway();
  const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer token', 'idempotency-key': 'k' },
    body: `{"query":${JSON.stringify(CREATE)},"variables":{"name":"Ada","unused":${deep}}}`,
  });
  expect(JSON.stringify(await response.json())).toContain('"ValidationError"');
  expect(upstream.writes).toEqual([]);
});

test('the key goes to no upstream, and stands in no log, metric, trace or answer', async () => {
  const key = 'canary-key-4711';
  const { under, upstream, logs, metrics } = await keyedGateway({
    LOG_LEVEL: 'debug',
    METRICS_PORT: 0,
    TRACE: 'true',
  });
  const answers = [];
  upstream.manners.push('cuts', 'answers');
  for (const query of [CREATE, CREATE, UPDATE, CREATE.replace('id name', 'name')]) {
    answers.push(await under(key, { 'x-trivium-trace': '1' })(query, { name: 'Ada' }));
  }
  answers.push(await under(`${key} `.repeat(2).trim())(CREATE, { name: 'Ada' }));
  expect(upstream.writes.length).toBeGreaterThan(0);
  const said = JSON.stringify([answers, logs, upstream.requests, await metrics()]);
  expect(said).not.toContain('canary');
  expect(said.toLowerCase()).not.toContain('idempotency-key"');
});
