import { expect, test } from 'vitest';
import { ask, merged, next, partsOf } from '../support/parts.ts';
import { keyedGateway, type Manner } from './support.ts';

const CREATE =
  'mutation ($name: String, $email: String) { createClient(input: { name: $name, email: $email }) { __typename ... on Client { id name } } }';
const UPDATE = 'mutation { updateClient(id: "1", input: { name: "Bob" }) { __typename ... on Client { id name } } }';

const ADA = { name: 'Ada' };
const MAILED = { ...ADA, email: 'a@b.example' };
const FIRST = { idempotency: { createClient: 'FIRST' } };
const REPLAYED = { idempotency: { createClient: 'REPLAYED' } };

const post = async (url: string, headers: readonly [string, string][], body: BodyInit, more: object = {}) =>
  fetch(`${url}/graphql`, {
    method: 'POST',
    headers: [['content-type', 'application/json'], ['authorization', 'Bearer token'], ...headers],
    body,
    ...more,
  });

const outcomeOf = (answer: { errors: readonly { extensions: Record<string, unknown> }[] }) =>
  answer.errors.map(({ extensions: { code, outcome } }) => `${String(code)} ${String(outcome)}`);

test('a write is sent once under a key, quoted or bare, and its record is given again with fields read when selected', async () => {
  const { under, upstream } = await keyedGateway();
  const first = await under('k')(CREATE, ADA);
  const again = await under('"k"')(CREATE, ADA);

  expect(first).toMatchObject({
    data: { createClient: { id: 'Client:1', name: 'Ada' } },
    errors: [],
    extensions: FIRST,
  });
  expect(again).toMatchObject({
    data: first.data,
    errors: [],
    extensions: REPLAYED,
  });
  expect(upstream.writes).toEqual(['POST /app/clients.json']);
});

test('a response without a key has no extensions', async () => {
  const { url } = await keyedGateway();
  const response = await post(url, [], JSON.stringify({ query: CREATE, variables: ADA }));
  expect(Object.keys(await response.json())).toEqual(['data']);
});

test.each<[string, Manner, Readonly<Record<string, string>>, object, object]>([
  ['variables in another order are the same write', 'answers', {}, { email: 'a@b.example', ...ADA }, REPLAYED],
  ['a key under another credential is another key', 'answers', { authorization: 'Bearer renewed' }, MAILED, FIRST],
  ['a refused write is tried anew', 'refuses', {}, MAILED, FIRST],
])('%s', async (_rule, manner, headers, variables, extensions) => {
  const { under, upstream } = await keyedGateway();
  upstream.manners.push(manner);
  const first = await under('k')(CREATE, MAILED);
  const second = await under('k', headers)(CREATE, variables);
  if (manner === 'refuses') {
    expect(first).toMatchObject({ data: { createClient: { __typename: 'ValidationError' } }, extensions: undefined });
  }
  expect(second.extensions).toEqual(extensions);
  expect(upstream.writes).toHaveLength(extensions === FIRST ? 2 : 1);
});

test('an unknown write is not sent again by itself', async () => {
  const { under, upstream } = await keyedGateway();
  upstream.manners.push('drops');
  const first = await under('k')(CREATE, ADA);
  const again = await under('k')(CREATE, ADA);
  expect(outcomeOf(first)).toEqual(['UPSTREAM_UNAVAILABLE UNKNOWN']);
  expect(first.extensions).toEqual(FIRST);
  expect(outcomeOf(again)).toEqual(['IDEMPOTENCY_OUTCOME_UNKNOWN UNKNOWN']);
  expect(again.errors[0]?.message).toMatch(/^The write was sent \d+ s ago .* No records were found/);
  expect(again.extensions).toBeUndefined();
  expect(upstream.writes).toHaveLength(1);
});

test('the second attempt waits for the first one', async () => {
  const { under, upstream } = await keyedGateway();
  upstream.manners.push('holds');
  const arrival = upstream.arrival();
  const first = under('k')(CREATE, ADA);
  await arrival;
  const second = under('k')(CREATE, ADA);
  // The second one has been read by the gateway when a later request of another connection has been answered.
  await under('other')('mutation { createDeal(input: { name: "x" }) { __typename } }');
  upstream.release();
  expect((await first).extensions).toEqual(FIRST);
  expect(await second).toMatchObject({
    data: (await first).data,
    extensions: REPLAYED,
  });
  expect(upstream.writes).toEqual(['POST /app/clients.json', 'POST /app/deals.json']);
});

test('the second attempt waits within its own deadline', async () => {
  const { under, upstream } = await keyedGateway();
  upstream.manners.push('holds');
  const arrival = upstream.arrival();
  const first = under('k')(CREATE, ADA);
  await arrival;
  const second = await under('k', { 'x-trivium-timeout-ms': '1000' })(CREATE, ADA);
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
  await under('k')(CREATE, ADA);
  upstream.table('clients').splice(0);
  const again = await under('k')(CREATE, ADA);
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

const DELETE_TOKEN = 'deleteApiToken(id: "1") { __typename ... on ApiTokenDeletion { deletedId deleted } }';
const RENAME_DB = 'updateFlexDb(id: "old", input: { code: "new" }) { __typename ... on FlexDb { id code } }';
const SELECT = 'selectDashboard(context: MAIN, selection: { layout: BUILTIN }) { __typename }';

test.each<[what: string, mutation: string, row: readonly [string, object] | undefined, shown: string]>([
  ['of a deletion', DELETE_TOKEN, ['api_tokens', { for_account: false }], 'ApiToken:1'],
  [
    'of a deletion by code',
    'deleteFlexDb(id: "shop") { __typename ... on DeletedNode { deletedId } }',
    ['dbs', { code: 'shop', name: 'Shop' }],
    'FlexDb:1',
  ],
  ['of a change of a code, by the old code', RENAME_DB, ['dbs', { code: 'old', name: 'Shop' }], 'new'],
  ['of a write whose answer is no record', 'enableDashboards { __typename }', undefined, 'enableDashboards'],
  ['of a selection', SELECT, undefined, 'selectDashboard'],
])('the payload %s is the same again', async (_what, mutation, row, shown) => {
  const { under, upstream } = await keyedGateway();
  if (row) upstream.add(...row);
  const first = await under('k')(`mutation { ${mutation} }`);
  const again = await under('k')(`mutation { ${mutation} }`);
  const [field = ''] = /^\w+/.exec(mutation) ?? [];
  expect(first).toMatchObject({ errors: [], extensions: { idempotency: { [field]: 'FIRST' } } });
  expect(JSON.stringify(first.data)).toContain(`${shown}"`);
  expect(again).toEqual({ ...first, extensions: { idempotency: { [field]: 'REPLAYED' } } });
  expect(upstream.writes).toHaveLength(1);
});

test('a key is one over both ways of a request, and the first part has what became of its writes', async () => {
  const { under, upstream, url } = await keyedGateway();
  const deferred = CREATE.replace('id name', 'id ... @defer { name }');
  const headers = { 'idempotency-key': 'k' };
  const variables = ADA;
  const first = await ask(url, deferred, { headers, variables });
  const parts = partsOf(first);
  expect(await next(parts)).toMatchObject({ extensions: FIRST, hasNext: true });
  await parts.return();

  const again = await ask(url, deferred, { headers, variables });
  expect(await merged(partsOf(again))).toEqual({
    createClient: { __typename: 'Client', id: 'Client:1', name: 'Ada' },
  });

  // Chunked bodies go to Yoga, others take the direct way.
  await under('both')(CREATE, variables);
  const body = new Blob([JSON.stringify({ query: CREATE, variables })]).stream();
  const chunked = await post(url, [['idempotency-key', 'both']], body, { duplex: 'half' });
  expect(await chunked.json()).toMatchObject({ extensions: REPLAYED });
  expect(upstream.writes).toHaveLength(2);
});

test('a missing credential is UNAUTHENTICATED, and needs no receipt', async () => {
  const { under, upstream } = await keyedGateway({ IDEMPOTENCY: 'off' });
  const answer = await under('k', { authorization: '' })(CREATE, ADA);
  expect(outcomeOf(answer)).toEqual(['UNAUTHENTICATED REFUSED']);
  expect(upstream.writes).toEqual([]);
});

test('where keys are off a write with a key is refused before anything is sent', async () => {
  const { under, upstream } = await keyedGateway({ IDEMPOTENCY: 'off' });
  const answer = await under('k')(CREATE, ADA);
  expect(outcomeOf(answer)).toEqual(['IDEMPOTENCY_UNAVAILABLE REFUSED']);
  expect(answer.errors[0]?.message).toContain('IDEMPOTENCY=off');
  expect(upstream.writes).toEqual([]);
});

const WRONG_KEYS = ['""', '"', '"open', 'a b', 'ä', `${'x'.repeat(256)}`, '"a", "b"', '"a";p=1', 'a\tb'];

test.each(WRONG_KEYS)('a header that holds no key is refused with 400 on both ways: %s', async (header) => {
  const { under, upstream } = await keyedGateway();
  for (const more of [{}, { accept: 'multipart/mixed, application/json' }]) {
    const answer = await under(Buffer.from(header).toString('latin1'), more)(CREATE, ADA);
    expect(answer.status).toBe(400);
    expect(answer.errors[0]?.message).toBe(
      'The header Idempotency-Key takes one key of 1 to 255 visible ASCII characters, bare or in quotes.',
    );
  }
  expect(upstream.writes).toEqual([]);
});

test('two headers of the name are refused', async () => {
  const { url } = await keyedGateway();
  const key = ['idempotency-key', 'a'] as const;
  expect((await post(url, [[...key], [...key]], JSON.stringify({ query: '{ __typename }' }))).status).toBe(400);
});

test('keys of 1 and 255 characters and an escaped one are keys', async () => {
  const { under, upstream } = await keyedGateway();
  for (const key of ['x', 'y'.repeat(255), String.raw`"a\"b\\"`]) {
    expect((await under(key)(CREATE, ADA)).extensions).toEqual(FIRST);
  }
  expect((await under(String.raw`a"b\ `.trim())(CREATE, ADA)).extensions).toEqual({
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

test('an unused variable is no part of a write, however deep it nests', async () => {
  const { url, upstream } = await keyedGateway();
  const bodyOf = (levels: number) =>
    `{"query":${JSON.stringify(CREATE)},"variables":{"name":"Ada","unused":${'['.repeat(levels)}${']'.repeat(levels)}}}`;
  for (const [levels, report] of [
    [250, 'FIRST'],
    [0, 'REPLAYED'],
  ] as const) {
    const body = bodyOf(levels).replace('"unused":}', '"unused":1}');
    const response = await post(url, [['idempotency-key', 'k']], body);
    expect(await response.json()).toMatchObject({ extensions: { idempotency: { createClient: report } } });
  }
  expect(upstream.writes).toHaveLength(1);
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
    answers.push(await under(key, { 'x-trivium-trace': '1' })(query, ADA));
  }
  answers.push(await under(`${key} `.repeat(2).trim())(CREATE, ADA));
  expect(upstream.writes.length).toBeGreaterThan(0);
  const said = JSON.stringify([answers, logs, upstream.requests, await metrics()]);
  expect(said).not.toContain('canary');
  expect(said.toLowerCase()).not.toContain('idempotency-key"');
});
