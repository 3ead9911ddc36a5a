import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { gatewayOver } from '../support/gateway.ts';
import { recordingUpstream } from '../support/recorder.ts';
import { DEAD_ADDRESS, rawUpstream, says, stubUpstream } from '../support/stub-upstream.ts';

// Secrets on their way through the CRM: what a caller sends, and what its records hold.

const CRM_TOKEN = 'canary-crm/51d2+e8&"';
const BEARER = 'canary-bearer/77f0';
const PASSWORD = 'canary pass <wörd> "\\ 9c';

/** An id that the gateway makes may hold the letters of a canary by chance. */
const NO_CHANCE = { 'x-request-id': 'request' };

const REFUSED = '__typename ... on MutationError { message } ... on ValidationError { fields { field messages } }';
const CREATE_ACCOUNT = `mutation Account ($password: Password!) {
  createAccount(input: { prefix: "x", user: { login: "a", email: "b@c.example", password: $password } }) { ${REFUSED} }
}`;
const OPERATIONS = [
  'query List { clients { nodes { name } } }',
  'query Record { deal(id: 1) { name client { name } } }',
  'query Nodes { nodes(ids: ["Client:1", "Client:2", "Client:3", "Client:4", "Client:5"]) { id } }',
  `mutation Change { updateClient(id: 1, input: { name: "x" }) { ${REFUSED} } }`,
  `mutation Delete { deleteDeal(id: 1) { __typename ... on MutationError { message } } }`,
  CREATE_ACCOUNT,
];

/** Runs every operation, and gives back all that anybody could read of it afterwards. */
async function everythingSaid(url: string, settings: Partial<Config> = {}): Promise<string> {
  const over = { CRM_URL: new URL(url), LOG_LEVEL: 'debug', ...settings } as const;
  const { execute, logs } = await gatewayOver(url, over, BEARER);
  const said: unknown[] = [];
  for (const query of OPERATIONS) {
    const variables = query === CREATE_ACCOUNT ? { password: PASSWORD } : {};
    const sent = { 'x-crm-token': CRM_TOKEN, ...NO_CHANCE };
    const { data, errors, headers } = await execute(query, { variables, headers: sent });
    said.push(JSON.stringify([data, errors, [...headers]]));
  }
  expect(logs.filter((line) => !line.includes('"state":"open"'))).toHaveLength(OPERATIONS.length);
  return [...said, ...logs].join('\n');
}

function expectNoCanary(said: string, name = ''): void {
  expect(/.{0,60}(canary|51d2|77f0|w(ö|%C3)|9c).{0,20}/.exec(said)?.[0], name).toBeUndefined();
}

const html = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const spellings: readonly (readonly [name: string, spell: (secret: string) => string])[] = [
  ['as it is', (secret) => secret],
  ['encoded', encodeURIComponent],
  ['encoded in small letters', (secret) => encodeURIComponent(secret).replace(/%../g, (hex) => hex.toLowerCase())],
  ['as a parameter', (secret) => new URLSearchParams([['api_token', secret]]).toString()],
  ['as JSON', (secret) => JSON.stringify({ api_token: secret })],
  ['as JSON with escaped slashes', (secret) => JSON.stringify(secret).replaceAll('/', '\\/')],
  ['as HTML', html],
];

const json = (status: number, body: unknown) => says(JSON.stringify(body), { status });
const answers: readonly (readonly [name: string, answer: (text: string) => RequestListener])[] = [
  ['422 by field', (text) => json(422, { errors: { password: [text], [text]: [text] } })],
  ['422 by record', (text) => json(422, { user: { password: [text] } })],
  ['422 in the message', (text) => json(422, { code: 'error', message: { login: [text] } })],
  ['422 as a text', (text) => json(422, { message: text })],
  ['400', (text) => json(400, { error: text })],
  ['400, as one text', (text) => json(400, text)],
  ['401', (text) => json(401, { error: text })],
  ['403', (text) => json(403, { error: text })],
  ['404', (text) => json(404, { error: text })],
  ['409', (text) => json(409, { error: text })],
  ['500', (text) => json(500, { error: text })],
  ['500 as HTML', (text) => says(`<html>${text}`, { status: 500 })],
  ['a redirect', (text) => says('', { status: 302, headers: { location: `/?x=${encodeURIComponent(text)}` } })],
  ['a refusal under 200', (text) => json(200, { status: 'error', message: text })],
  ['HTML', (text) => says(`<html>${text}`)],
  ['broken JSON', (text) => says(`{"${text}`)],
  ['another shape', (text) => json(200, [text])],
];

test.each(answers)('an upstream that repeats a secret is not repeated, in any spelling: %s', async (_case, answer) => {
  for (const [name, spell] of spellings) {
    const upstream = await stubUpstream((request, response) => {
      const given = /account\.json/.test(request.url ?? '') ? [PASSWORD] : []; // only there it was given a password
      const secrets = [CRM_TOKEN, BEARER, ...given].map(spell).join(', ');
      answer(`refused ${secrets} at http://x/app/deals.json?api_token=${spell(CRM_TOKEN)}`)(request, response);
    });
    expectNoCanary(await everythingSaid(upstream.url), name);
  }
});

test.each([
  'createClient(input: { name: "x", sensitiveData: "canary-4410" })',
  'updateClient(id: 1, input: { sensitiveData: "canary-4410" })',
])('sensitive data that is refused is not repeated: %s', async (field) => {
  const upstream = await stubUpstream(json(422, { errors: { sensitive_data: ['canary-4410 is no text'] } }));
  const { execute } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url) }, BEARER);
  const { data } = await execute(`mutation { done: ${field} { ${REFUSED} } }`);
  expect(data).toMatchObject({
    done: { fields: [{ field: 'sensitiveData', messages: ['The crm API refused the input.'] }] },
  });
});

test('a network failure says nothing of it', async () => {
  expectNoCanary(await everythingSaid(DEAD_ADDRESS));
  expectNoCanary(await everythingSaid((await rawUpstream((socket) => socket.destroy())).url));
  expectNoCanary(await everythingSaid((await rawUpstream((socket, request) => socket.end(request))).url));
  expectNoCanary(await everythingSaid((await stubUpstream(() => {})).url, { UPSTREAM_TIMEOUT_MS: 30 }));
});

describe('what a record holds is in its own field only', () => {
  /** Most of these can hold no such text. */
  const keys = (
    'name kind task_kind company discount created_at posts_count client_id contact_id tags price external_ids token uid ' +
    'sensitive_data paid_from integer1 date1 closed status_id'
  ).split(' ');
  const record = { ...Object.fromEntries(keys.map((key) => [key, 'canary-record'])), id: 1 };
  const nested = { ...Object.fromEntries(keys.map((key) => [key, { 'canary-record': ['canary-record'] }])), id: 1 };

  const QUERIES = [
    '{ client(id: 1) { kind company discount createdAt postsCount payments { from } customFields { integer1 date1 } externalIds { value } } }',
    '{ post(id: 1) { kind taskKind closed createdAt tags client { name } } }',
    '{ deal(id: 1) { price externalIds { value } client { name } } }',
  ];

  test.each([
    ['as texts', record],
    ['as objects', nested],
  ])('%s: no error of another one quotes it', async (_name, body) => {
    const upstream = await stubUpstream(says(JSON.stringify(body)));
    const { execute, logs } = await gatewayOver(
      upstream.url,
      { CRM_URL: new URL(upstream.url), LOG_LEVEL: 'debug' },
      't',
    );
    for (const query of QUERIES) {
      const { errors } = await execute(query, { headers: NO_CHANCE });
      expect(errors.length).toBeGreaterThan(0);
      expectNoCanary(JSON.stringify(errors));
    }
    expectNoCanary(logs.join(''));
  });

  test.each([
    ["a client's token", '{ client(id: 1) { token } }'],
    ['sensitive data', '{ client(id: 1) { sensitiveData } }'],
    ["an author's token", '{ post(id: 1) { uid } }'],
    [
      'the token of a new account',
      'mutation { createAccount(input: { prefix: "x", user: { login: "a", email: "b@c.example", password: "p" } }) { ... on CreatedAccount { apiToken } } }',
    ],
  ])('%s reaches the caller, who is told to store nothing, and no log line', async (_name, query) => {
    const upstream = await stubUpstream(
      says('{"id":1,"token":"canary-1","sensitive_data":"canary-2","uid":"canary-3","api_token":"canary-4"}'),
    );
    const { execute, logs } = await gatewayOver(
      upstream.url,
      { CRM_URL: new URL(upstream.url), LOG_LEVEL: 'debug' },
      't',
    );
    const { data, headers } = await execute(query, { headers: NO_CHANCE });
    expect(JSON.stringify(data)).toMatch(/canary-\d/);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expectNoCanary(logs.join(''));
  });
});

test('a password reaches the CRM as it was given, and nobody else', async () => {
  const crm = await recordingUpstream(says('{"prefix":"x","password":"canary"}'));
  const account = await recordingUpstream(says('[]'));
  const { execute, logs } = await gatewayOver(account.url, { CRM_URL: new URL(crm.url), LOG_LEVEL: 'debug' });
  const { data } = await execute(CREATE_ACCOUNT, {
    variables: { password: PASSWORD },
    headers: { 'x-crm-token': 't', ...NO_CHANCE },
  });
  expect(data).toEqual({ createAccount: { __typename: 'CreatedAccount' } });
  expect(JSON.parse(crm.requests[0]?.body ?? '')).toMatchObject({ user: { password: PASSWORD } });
  expect(crm.requests[0]?.url).toBe('/app/account.json');
  expect(account.requests).toEqual([]);
  expectNoCanary(JSON.stringify(data) + logs.join(''));
});
