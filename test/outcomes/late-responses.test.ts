import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { keyed } from '../idempotency/support.ts';
import { stoppedClock } from '../support/clock.ts';
import { HELD, heldTimers } from '../support/deadlines.ts';
import { gatewayOver } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

// A write that was sent goes on after the deadline of its operation, until that of its call. Its response settles its receipt.

const DEADLINE_MS = 155_000;
const SHORT = { 'x-trivium-timeout-ms': String(DEADLINE_MS) };
const CREATE = 'mutation { createContact(input: { name: "Ada" }) { __typename ... on Contact { id } } }';
const CHANGE =
  'mutation { updateClient(id: "1", input: { name: "Ada" }, ifUpdatedAt: "2026-03-01T08:00:00Z") { __typename ... on Client { id } } }';
const CLIENT = JSON.stringify({ id: 1, name: 'Ada', updated_at: '2026-03-01T08:00:00Z' });

/** A gateway over an upstream that answers reads at once and writes when the test says so. The test reaches the deadlines. */
async function overHeldWrites() {
  const { pass } = stoppedClock();
  const held: ServerResponse[] = [];
  let cut = 0;
  const upstream = await stubUpstream((request, response) => {
    if (request.method === 'GET') return void response.end(request.url?.includes('/clients/1.json') ? CLIENT : '[]');
    response.once('close', () => (cut += Number(!response.writableFinished)));
    held.push(response);
  });
  const { come } = heldTimers((_reach, ms) => ms === DEADLINE_MS || ms === HELD.UPSTREAM_TIMEOUT_MS);
  const gateway = await gatewayOver(upstream.url, {
    CRM_URL: new URL(upstream.url),
    CRM_SHARES_TOKEN: 'true',
    ...HELD,
  });
  /** Sends a write whose deadline passes while upstream has it. */
  const late = async (query: string, key?: string, token = 'token') => {
    const headers = key === undefined ? SHORT : { ...SHORT, 'idempotency-key': key };
    const result = gateway.execute(query, { token, headers });
    await expect.poll(() => held).toHaveLength(1);
    pass(DEADLINE_MS);
    come(DEADLINE_MS);
    return result;
  };
  const respond = (status: number, body = '{"id":7}') => held.shift()?.writeHead(status).end(body);
  const lines = () => gateway.logs.filter((line) => line.includes('the deadline of its operation'));
  return { ...gateway, received: upstream.received, late, respond, lines, cut: () => cut, come };
}

const UNKNOWN = {
  errors: [
    {
      message: expect.stringMatching(
        /^The crm API did not answer within 155 s\. Whether the change was made is not known/,
      ),
      extensions: { code: 'UPSTREAM_TIMEOUT', outcome: 'UNKNOWN' },
    },
  ],
};

test.each([
  [
    'APPLIED',
    201,
    { data: { createContact: { id: 'Contact:7' } }, extensions: { idempotency: { createContact: 'REPLAYED' } } },
  ],
  ['UNKNOWN', 503, { errors: [{ extensions: { code: 'IDEMPOTENCY_OUTCOME_UNKNOWN', outcome: 'UNKNOWN' } }] }],
])('the next attempt under the key is told by the late response: %s', async (outcome, status, expected) => {
  const { url, received, late, respond, lines, cut } = await overHeldWrites();
  const first = await late(CREATE, 'k');
  expect(first).toMatchObject({ ...UNKNOWN, data: { createContact: null } });
  expect(cut()).toBe(0);
  const second = keyed(url)('k')(CREATE);
  respond(status);
  expect(await second).toMatchObject(expected);
  expect(received.filter((call) => call.startsWith('POST'))).toHaveLength(1);
  expect(lines().map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, api: 'crm', endpoint: 'POST /app/contacts.json', outcome },
  ]);
});

test.each([401, 403, 404, 422])(
  'after a late %i the place is free, and the key sends the write again',
  async (status) => {
    const { url, received, late, respond, lines } = await overHeldWrites();
    expect(await late(CREATE, 'k')).toMatchObject(UNKNOWN);
    const second = keyed(url)('k')(CREATE);
    respond(status, '{}');
    await expect.poll(() => received.filter((call) => call.startsWith('POST'))).toHaveLength(2);
    respond(201);
    expect(await second).toMatchObject({ extensions: { idempotency: { createContact: 'FIRST' } } });
    expect(lines()).toHaveLength(1);
  },
);

test('a call ends at its own deadline: the receipt is UNKNOWN', async () => {
  const { url, late, come, cut } = await overHeldWrites();
  await late(CREATE, 'k');
  come(HELD.UPSTREAM_TIMEOUT_MS);
  await expect.poll(cut).toBe(1);
  expect(await keyed(url)('k')(CREATE)).toMatchObject({
    errors: [{ extensions: { code: 'IDEMPOTENCY_OUTCOME_UNKNOWN', outcome: 'UNKNOWN' } }],
  });
});

test('a late write is reported as the first attempt, and no later field is sent or given its outcome', async () => {
  const { late, received, respond, lines } = await overHeldWrites();
  const [first, second] = ['a', 'b'].map((name) => `${name}: createContact(input: { name: "${name}" }) { __typename }`);
  expect(await late(`mutation { ${first} ${second} }`, 'k')).toMatchObject({
    extensions: { idempotency: { a: 'FIRST' } },
    errors: [
      { path: ['a'], extensions: { outcome: 'UNKNOWN' } },
      { path: ['b'], extensions: { outcome: 'REFUSED', code: 'QUERY_LIMIT_EXCEEDED' } },
    ],
  });
  respond(201);
  await expect.poll(lines).toHaveLength(1);
  expect(received).toHaveLength(1);
});

test('a record lock is held until the late response', async () => {
  const { execute, late, respond, received } = await overHeldWrites();
  expect(await late(CHANGE)).toMatchObject(UNKNOWN);
  const next = execute(CHANGE, { token: 'token' });
  await expect.poll(() => received.filter((call) => call.includes('/clients/1.json'))).toHaveLength(3); // read before it waits
  respond(200, CLIENT);
  await expect.poll(() => received.filter((call) => call.startsWith('PUT'))).toHaveLength(2);
  respond(200, CLIENT);
  expect(await next).toMatchObject({ data: { updateClient: { id: 'Client:1' } }, errors: [] });
});
