import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import type { Config } from '../src/config.ts';
import { gateway, gatewayOver } from './support/gateway.ts';
import { DEAD_ADDRESS, rawUpstream, says, stubUpstream } from './support/stub-upstream.ts';

// A token that would be noticed wherever it turned up. Only the upstream that it is meant for may see it.

const CANARY = 'canary-3f9c/51d2+e8';
const ENCODED = encodeURIComponent(CANARY);

const OPERATIONS = [
  'query Tokens { apiTokens { id name code active expiresAt tokenInfo privileges } }',
  'query One { apiToken(id: 1) { name kind } }',
  'query Board { dashboard(id: 1) { name context layout { key config { raw } } updatedAt } }',
  'query Home { displayedDashboard { current { name } layout { key } choices { name } } }',
  'query Widget { dashboardWidget(key: "kpi") { name settings { name options } } }',
  'mutation Create { createApiToken(input: { name: "x" }) { __typename ...M ... on ValidationError { fields { field messages } } } } fragment M on MutationError { message }',
  'mutation Update { updateApiToken(id: 1, input: { name: "x" }) { __typename ... on MutationError { message } ... on ValidationError { fields { field messages } } } }',
  'mutation Delete { deleteDashboard(id: 1) { __typename ... on MutationError { message } } }',
  'mutation Enable { enableDashboards { __typename ... on MutationError { message } } }',
  'query Refused { nothing }',
  'query Broken {',
  'query BadId { apiToken(id: "..") { name } }',
];

/** Runs every operation with the canary, and gives back all that anybody could read of it afterwards. */
async function everythingSaid(url: string, settings: Partial<Config> = {}): Promise<string> {
  const { execute, logs, metrics } = await gatewayOver(url, { METRICS_PORT: 0, ...settings }, CANARY);
  let said = '';
  for (const operation of OPERATIONS) {
    const { status, data, errors, headers } = await execute(operation);
    said += JSON.stringify([status, data, errors, [...headers]]);
  }
  expect(logs.length).toBeGreaterThanOrEqual(OPERATIONS.length - 1);
  const measured = await metrics();
  expect(measured).toContain('trivium_operations_total{operation="Tokens"');
  return said + logs.join('') + measured;
}

function expectNoCanary(said: string): void {
  expect(/.{0,80}(canary|3f9c|51d2).{0,20}/s.exec(said)?.[0]).toBeUndefined();
}

const repeats = (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  says(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });

const text = `the token ${CANARY} (${ENCODED}), sent as Bearer ${CANARY}, is none`;

test.each([
  ['messages by field', repeats(422, { errors: { name: [text, text], [CANARY]: [text] } })],
  ['fields at the top', repeats(422, { [`token_${CANARY}`]: [text] })],
  ['a message', repeats(422, { message: text })],
  ['a message that is cut in the middle of it', repeats(422, { message: `${'x'.repeat(490)}${CANARY}` })],
  ['an error of a 400', repeats(400, { error: text })],
  ['a text', repeats(400, JSON.stringify(text))],
  ['an error of a 401', repeats(401, { error: text })],
  ['an error of a 403', repeats(403, { error: text })],
  ['an error of a 404', repeats(404, { error: text })],
  ['an error of a 418', repeats(418, { error: text })],
  ['an error of a 429', repeats(429, { error: text }, { 'retry-after': CANARY })],
  ['an error of a 500', repeats(500, { error: text })],
  ['a redirect', repeats(302, '', { location: `http://127.0.0.1/?api_token=${ENCODED}` })],
  ['HTML', repeats(200, `<html>${text}`)],
  ['broken JSON', repeats(200, `{"${text}`)],
  ['the reason of a status', (_request, response) => void response.writeHead(503, CANARY).end()],
  ['a type', repeats(200, text, { 'content-type': `text/html; x="${CANARY}"` })],
  ['an encoding', repeats(200, '[]', { 'content-encoding': CANARY })],
  ['an unknown value of a field', repeats(200, { id: 1, kind: CANARY, context: CANARY, expires_at: CANARY })],
  ['a refusal under 200', repeats(200, { status: 'error', message: text })],
] satisfies [string, RequestListener][])(
  'an upstream that repeats the token is not repeated: %s',
  async (_name, answer) => {
    const seen: (string | undefined)[] = [];
    const upstream = await stubUpstream((request, response) => {
      seen.push(request.headers.authorization);
      answer(request, response);
    });
    expectNoCanary(await everythingSaid(upstream.url, { LOG_LEVEL: 'debug' }));
    expect(new Set(seen)).toEqual(new Set([`Bearer ${CANARY}`])); // it did reach the upstream that it is meant for
    expect(upstream.received.join()).not.toContain('canary'); // and travels in no address
  },
);

test('what upstream says else is kept', async () => {
  const upstream = await stubUpstream(repeats(422, { errors: { name: [text, 'is odd'], [CANARY]: ['is odd'] } }));
  const { execute } = await gatewayOver(upstream.url, {}, CANARY);
  const { errors } = await execute('{ apiTokens { name } }');
  expect(errors).toMatchObject([
    {
      message: 'name: is odd',
      extensions: { fields: [{ field: 'name', messages: ['The account API refused the input.', 'is odd'] }] },
    },
  ]);
});

test('a network failure says nothing of it', async () => {
  expectNoCanary(await everythingSaid(DEAD_ADDRESS));
  expectNoCanary(await everythingSaid(`http://${'x'.repeat(64)}.invalid`));
  const closing = await rawUpstream((socket) => socket.destroy());
  expectNoCanary(await everythingSaid(closing.url));
  const garbage = await rawUpstream((socket, request) => socket.end(`${request}\r\n${CANARY}`));
  expectNoCanary(await everythingSaid(garbage.url));
  const hanging = await stubUpstream(() => {});
  expectNoCanary(await everythingSaid(hanging.url, { UPSTREAM_TIMEOUT_MS: 30 }));
});

test('a faithful upstream answers nothing of it, save for the token that it has just made', async () => {
  const { execute, sandbox, account, logs } = await gateway();
  const permissions = ['account_settings', 'dashboard_advanced'] as const;
  sandbox.store.createUser({ account, permissions, token: CANARY });
  for (const operation of OPERATIONS) {
    const { data, errors, headers } = await execute(operation, { token: CANARY });
    expectNoCanary(JSON.stringify([data, errors, [...headers]]));
  }
  const made = await execute('mutation { createApiToken(input: {}) { ... on CreatedApiToken { token } } }', {
    token: CANARY,
  });
  const fresh = /"token":"([^"]{8,})"/.exec(JSON.stringify(made.data))?.[1];
  expect(fresh).toBeDefined();
  expect(logs.join('')).not.toContain(fresh);
  expectNoCanary(logs.join(''));
});

test.each([
  ['Basic', `Basic ${CANARY}`],
  ['two words', `Bearer ${CANARY} ${CANARY}`],
  ['another header', undefined],
])('a credential that cannot be read is not shown either: %s', async (_name, authorization) => {
  const upstream = await stubUpstream(says('[]'));
  const { execute, logs } = await gatewayOver(upstream.url, { LOG_LEVEL: 'debug' });
  const headers = { 'x-crm-token': CANARY, cookie: `session=${CANARY}`, ...(authorization && { authorization }) };
  for (const operation of OPERATIONS) {
    expectNoCanary(JSON.stringify(await execute(operation, { token: null, headers })));
  }
  expectNoCanary(logs.join(''));
  expect(upstream.received).toEqual([]);
});

test('variables and literals reach no log line', async () => {
  const upstream = await stubUpstream(says('{"id":1}'));
  const { execute, logs } = await gatewayOver(upstream.url, { LOG_LEVEL: 'debug' }, 'token');
  const create = 'mutation ($x: String) { createApiToken(input: { name: $x }) { __typename } }';
  await execute(create, { variables: { x: CANARY } });
  await execute(create, { variables: { x: { y: CANARY } } });
  await execute(`{ apiToken(id: "${CANARY}") { name } }`);
  await execute(`{ apiToken(id: "${CANARY}) { name } }`);
  await execute(`{ dashboards(context: "${CANARY}") { name } }`);
  await execute('query ($id: ID!) { dashboard(id: $id) { name } }', { variables: { id: `Dashboard:${CANARY}` } });
  expectNoCanary(logs.join(''));
});

test('an address never holds a token on its way through the gateway', async () => {
  const upstream = await stubUpstream(says('[]'));
  const { url, logs } = await gatewayOver(upstream.url, { LOG_LEVEL: 'debug' });
  const query = encodeURIComponent('{ apiTokens { name } }');
  const response = await fetch(`${url}/graphql?query=${query}&api_token=${ENCODED}&access_token=${ENCODED}`);
  expectNoCanary(`${await response.text()}${logs.join('')}`);
  expect(upstream.received).toEqual([]);
});
