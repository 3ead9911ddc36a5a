import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { stoppedClock } from '../support/clock.ts';
import { HELD, heldDeadlines } from '../support/deadlines.ts';
import { gatewayOver } from '../support/gateway.ts';
import { rawUpstream, says, stubUpstream } from '../support/stub-upstream.ts';

// A write that was not handed to a connection is REFUSED whatever ended it, and its Idempotency-Key stays usable.

const KEY = { 'idempotency-key': '4b3a7a1e-contact' };
const CREATE = 'mutation { createContact(input: { name: "Ada" }) { __typename } }';
const ADDRESSES = ['ACCOUNT_URL', 'CRM_URL'];

/** A gateway whose upstream deadlines pass when the test says so. */
async function held(url: string, settings: Partial<Config> = {}) {
  stoppedClock();
  const deadlines = heldDeadlines();
  const over = await gatewayOver(url, {
    ...Object.fromEntries(ADDRESSES.map((name) => [name, new URL(url)])),
    CRM_SHARES_TOKEN: 'true',
    IDEMPOTENCY: 'memory',
    UPSTREAM_TIMEOUT_MS: HELD.UPSTREAM_TIMEOUT_MS,
    OPERATION_TIMEOUT_MS: HELD.OPERATION_TIMEOUT_MS,
    ...settings,
  });
  const create = () => over.execute(CREATE, { token: 'a', headers: KEY });
  return { ...over, deadlines, create };
}

describe('a call that waits for one of our connections', () => {
  /** A gateway with one connection, which a read of another caller occupies. */
  async function busy(settings: Partial<Config> = {}) {
    const open: ServerResponse[] = [];
    const upstream = await stubUpstream((request, response) => {
      if (request.method === 'GET') open.push(response);
      else says('{"contact":{"id":1,"name":"Ada"}}', { status: 201 })(request, response);
    });
    const over = await held(upstream.url, { UPSTREAM_CONNECTIONS: 1, ...settings });
    const reading = over.execute('{ contact(id: 1) { name } }', { token: 'b' });
    await expect.poll(() => open.length).toBe(1);
    const free = async () => {
      for (const response of open) says('{"id":1,"name":"Bob"}')(response.req, response);
      await reading;
    };
    return { ...over, upstream, free };
  }

  test('was not sent at the deadline of its caller, and its key writes once afterwards', async () => {
    const { execute, create, upstream, free, deadlines } = await busy({ UPSTREAM_TIMEOUT_MS: 1_200_000 });
    const headers = { ...KEY, 'x-trivium-timeout-ms': String(HELD.UPSTREAM_TIMEOUT_MS) };
    const late = execute(CREATE, { token: 'a', headers });
    await deadlines.comeWhen(1);
    expect((await late).errors).toMatchObject([
      {
        message: expect.stringMatching(/^The crm API was not called: its only connection was busy for 599 s/),
        extensions: { code: 'UPSTREAM_TIMEOUT', outcome: 'REFUSED' },
      },
    ]);
    await free();
    expect(await create()).toMatchObject({ data: { createContact: { __typename: 'Contact' } }, errors: [] });
    expect(upstream.received.filter((call) => call.startsWith('POST'))).toHaveLength(1);
  });

  test('is not sent after a 429 that asks its credential to wait', async () => {
    const open: ServerResponse[] = [];
    const upstream = await stubUpstream((_request, response) => void open.push(response));
    const { execute, deadlines } = await held(upstream.url, { UPSTREAM_CONNECTIONS: 1, SHARE_READS: 'false' });
    const read = (id: number, token: string) => execute(`{ contact(id: ${id}) { name } }`, { token });
    const reads = [read(1, 'a')];
    await expect.poll(() => open.length).toBe(1);
    reads.push(read(1, 'a'), read(3, 'a'));
    const write = execute(CREATE, { token: 'a', headers: KEY });
    const other = read(2, 'b');
    await expect.poll(deadlines.begun).toBe(5);
    const [first] = open;
    if (first) says('', { status: 429, headers: { 'retry-after': '30' } })(first.req, first);
    await expect.poll(() => open.length).toBe(2);
    for (const response of open.slice(1)) says('{"id":2,"name":"Bob"}')(response.req, response);
    for (const { errors } of await Promise.all(reads))
      expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_RATE_LIMITED' } }]);
    expect((await write).errors).toMatchObject([{ extensions: { code: 'UPSTREAM_RATE_LIMITED', outcome: 'REFUSED' } }]);
    expect((await other).errors).toEqual([]);
    expect(upstream.received).toHaveLength(2);
  });
});

test('a write whose connection is never made was not sent: a TLS handshake that hangs', async () => {
  const { url } = await rawUpstream(() => {});
  const { create, execute, deadlines } = await held(url.replace('http:', 'https:'));
  const results = [create(), execute('{ contact(id: 1) { name } }', { token: 'b' })];
  await deadlines.comeWhen(2);
  const [write, read] = await Promise.all(results);
  const message = 'The crm API cannot be reached: no connection was made within 599 s, see CRM_URL.';
  expect(write?.errors).toMatchObject([{ message, extensions: { code: 'UPSTREAM_UNAVAILABLE', outcome: 'REFUSED' } }]);
  expect(read?.errors).toMatchObject([{ message, extensions: { code: 'UPSTREAM_UNAVAILABLE' } }]);
  expect(JSON.stringify(write?.errors)).not.toContain('known');
});

test('a write of which upstream has read nothing was sent all the same: its outcome is not known', async () => {
  const upstream = await rawUpstream((socket) => socket.pause());
  const { create, deadlines } = await held(upstream.url);
  const result = create();
  await deadlines.comeWhen(1, () => upstream.received.length, 1);
  expect((await result).errors).toMatchObject([{ extensions: { code: 'UPSTREAM_TIMEOUT', outcome: 'UNKNOWN' } }]);
});
