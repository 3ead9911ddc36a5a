import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { Compression } from '../../src/calls/transport/compression.ts';
import { stoppedClock } from '../support/clock.ts';
import { HELD, heldDeadlines } from '../support/deadlines.ts';
import { gatewayOver } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

// Packed answers of upstream, whether they were asked for or not: UPSTREAM_COMPRESSION.

const CLIENT = '{ client(id: 1) { name } }';
const CLIENTS = '{ clients { totalCount nodes { name } } }';

const namesOf = (count: number) =>
  Array.from({ length: count }, (_none, at) => ({ id: at + 1, name: `Client ${at + 1}` }));

/** A gateway over a CRM that answers every request as the test says. */
async function crm(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  settings: Partial<Config> = {},
) {
  const asked: (string | undefined)[] = [];
  const upstream = await stubUpstream((request, response) => {
    asked.push(request.headers['accept-encoding']);
    answer(request, response);
  });
  const over = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url), ...settings }, 'token');
  const ask = (query: string, headers: Record<string, string> = {}) =>
    over.execute(query, { headers: { 'x-crm-token': 'crm', ...headers } });
  return { ...over, upstream, asked, ask };
}

/** An answer of these bytes. */
function packed(encoding: string, body: Uint8Array, status = 200) {
  return (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': encoding }).end(body);
  };
}

describe('reads ask for gzip, and writes do not', () => {
  test('by default', async () => {
    const { ask, asked } = await crm((_request, response) => void response.end('{"id":1,"name":"Ada"}'));
    await ask(CLIENT);
    await ask('mutation { updateClient(id: 1, input: { name: "Ada" }) { __typename } }');
    expect(asked).toEqual(['gzip', undefined]);
  });

  test.each([
    ['on', 'gzip'],
    ['off', undefined],
  ] as const)('with UPSTREAM_COMPRESSION=%s: %s', async (UPSTREAM_COMPRESSION, header) => {
    const { ask, asked } = await crm((_request, response) => void response.end('{"id":1}'), { UPSTREAM_COMPRESSION });
    await ask(CLIENT);
    expect(asked).toEqual([header]);
  });
});

describe('an answer is read', () => {
  test.each([
    ['gzip', gzipSync],
    ['X-GZIP', gzipSync],
    ['deflate', deflateSync],
  ] as const)('packed as %s, a small one and a large one', async (encoding, pack) => {
    const small = JSON.stringify({ id: 1, name: 'Żółw' });
    const large = JSON.stringify(namesOf(5_000));
    const { ask } = await crm((request, response) => {
      const body = request.url?.startsWith('/app/clients.json') ? large : small;
      packed(encoding, pack(Buffer.from(body)))(request, response);
    });
    expect(await ask(CLIENT)).toMatchObject({ data: { client: { name: 'Żółw' } }, errors: [] });
    const { data, errors } = await ask('{ clients(last: 1) { totalCount nodes { name } } }');
    expect({ data, errors }).toEqual({
      data: { clients: { totalCount: 5_000, nodes: [{ name: 'Client 5000' }] } },
      errors: [],
    });
  });

  test('that comes byte by byte', async () => {
    const bytes = gzipSync(JSON.stringify(namesOf(3)));
    const { ask } = await crm(async (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      for (const byte of bytes) response.write(Buffer.from([byte]));
      response.end();
    });
    expect(await ask(CLIENTS)).toMatchObject({ data: { clients: { totalCount: 3 } }, errors: [] });
  });

  test('with what it says when it refuses', async () => {
    const { ask } = await crm(packed('gzip', gzipSync('{"error":"The client is locked"}'), 422));
    const { errors } = await ask(CLIENT);
    expect(errors[0]?.message).toMatch(/The client is locked/);
  });

  test('of a write, though nobody asked for it: a raw token is not lost', async () => {
    const token = { id: 7, name: 'ci', token: 'raw-token-of-upstream' };
    const { execute } = await crm(packed('gzip', gzipSync(JSON.stringify(token)), 201));
    const create = 'mutation { createApiToken(input: { name: "ci" }) { ... on CreatedApiToken { token } } }';
    expect(await execute(create)).toMatchObject({
      data: { createApiToken: { token: 'raw-token-of-upstream' } },
      errors: [],
    });
  });

  test('of a write, where it is cut off: a raw token is not lost', async () => {
    const token = { id: 7, name: 'ci', token: 'raw-token-of-upstream', note: 'x'.repeat(300) };
    const whole = gzipSync(JSON.stringify(token), { level: 0 });
    const { execute } = await crm(packed('gzip', whole.subarray(0, 120), 201));
    const create = 'mutation { createApiToken(input: { name: "ci" }) { ... on CreatedApiToken { token } } }';
    expect(await execute(create)).toMatchObject({ data: { createApiToken: { token: 'raw-token-of-upstream' } } });
  });
});

describe('an answer costs its field, and nothing else,', () => {
  const whole = gzipSync(JSON.stringify(namesOf(2_000)));
  const broken = Buffer.from(whole);
  broken.fill(0xff, 200, 400);

  test.each([
    ['that is cut off', 'gzip', whole.subarray(0, -20)],
    ['that is broken', 'gzip', broken],
    ['that is not packed', 'gzip', Buffer.from('[]')],
    ['that is packed twice', 'gzip', gzipSync(gzipSync('[]'))],
    ['that says it is packed twice', 'gzip, gzip', gzipSync(gzipSync('[]'))],
    ['as deflate without its wrapper', 'deflate', deflateRawSync(JSON.stringify(namesOf(2_000)))],
    ['in an unknown encoding', 'zstd', gzipSync('[]')],
    ['in an encoding that nobody asked for', 'br', brotliCompressSync(JSON.stringify(namesOf(2_000)))],
    ['in no encoding of the standard', '\tgzip;q=1', gzipSync('[]')],
  ])('%s', async (_name, encoding, body) => {
    const { ask, upstream } = await crm((request, response) => {
      if (request.url?.startsWith('/app/clients.json')) packed(encoding, body)(request, response);
      else packed('gzip', gzipSync('{"id":1,"name":"Ada"}'))(request, response);
    });
    const { data, errors } = await ask('{ clients { nodes { name } } client(id: 1) { name } }');
    expect(data).toEqual({ clients: null, client: { name: 'Ada' } });
    expect(errors).toMatchObject([{ path: ['clients'], extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
    expect(upstream.received).toHaveLength(2);
  });
});

describe('the limit holds for what is unpacked', () => {
  const bomb = gzipSync(Buffer.alloc(200 * 1024 ** 2, 0x20));

  test.each([
    ['a record', CLIENT],
    ['a list', '{ clients { nodes { name } } }'],
  ])('while it is unpacked: %s of 200 MB in 200 kB takes less than 60 MB', async (_name, query) => {
    const { ask } = await crm(packed('gzip', bomb));
    await ask(query);
    const before = process.memoryUsage().rss;
    let most = 0;
    const watching = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 2);
    const { data, errors } = await ask(query);
    clearInterval(watching);
    expect(Object.values(data ?? {})).toEqual([null]);
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
    expect(most - before).toBeLessThan(60 * 1024 ** 2);
  });

  test('and so does a ratio: no answer unpacks to more than 200 times its size', async () => {
    const { ask } = await crm(packed('gzip', gzipSync(`[${' '.repeat(20_000_000)}]`)));
    const { errors } = await ask('{ clients { totalCount } }');
    expect(errors[0]?.message).toMatch(/cannot be unpacked/);
  });

  test.each([
    [1, 40_000, true],
    [12, 40_000, false],
    [20, 400_000, false],
    [30, 4_000_000, false],
  ])('from the first byte on: %d rows of %d bytes of one letter', async (rows, bytes, isRead) => {
    // A letter is packed a thousand times, and 64 kB may be, whatever they are.
    const list = Array.from({ length: rows }, (_none, at) => ({ id: at + 1, name: 'x'.repeat(bytes) }));
    const { ask } = await crm(packed('gzip', gzipSync(JSON.stringify(list))));
    const { data, errors } = await ask('{ clients { totalCount } }');
    expect(data).toEqual({ clients: isRead ? { totalCount: rows } : null });
    expect(errors.map(({ message }) => message)).toEqual(isRead ? [] : [expect.stringMatching(/cannot be unpacked/)]);
  });

  test.each([
    ['small', 300],
    ['long', 40_000],
  ])('an ordinary list, whose rows are alike, is read: a %s one', async (_name, rows) => {
    const empty = Object.fromEntries(Array.from({ length: 60 }, (_none, at) => [`custom_field_${at}`, null]));
    const list = JSON.stringify(Array.from({ length: rows }, (_none, at) => ({ id: at + 1, ...empty })));
    const bytes = gzipSync(list);
    expect(list.length / bytes.length).toBeGreaterThan(60);
    const { ask } = await crm(packed('gzip', bytes));
    expect(await ask('{ clients { totalCount } }')).toMatchObject({
      data: { clients: { totalCount: rows } },
      errors: [],
    });
  });

  test('to the byte', async () => {
    const text = JSON.stringify(namesOf(5_000));
    const over = async (bytes: number) => {
      const { ask } = await crm(packed('gzip', gzipSync(text)), { MAX_LIST_BYTES: bytes });
      return ask('{ clients { totalCount } }');
    };
    expect(await over(text.length)).toMatchObject({ data: { clients: { totalCount: 5_000 } }, errors: [] });
    const { errors } = await over(text.length - 1);
    expect(errors[0]?.message).toMatch(/more than \d+ bytes: raise MAX_LIST_BYTES/);
  });

  test('of a refusal, whose message is cut off', async () => {
    const { ask } = await crm(packed('gzip', gzipSync(JSON.stringify({ error: 'x'.repeat(10_000_000) })), 422));
    expect((await ask(CLIENT)).errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  });
});

test('an answer that stops in the middle ends at its deadline', async () => {
  const deadlines = heldDeadlines();
  let isSent = false;
  const half = gzipSync(JSON.stringify(namesOf(50_000))).subarray(0, 60_000);
  const { ask } = await crm((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.write(half, () => (isSent = true));
  }, HELD);
  const answer = ask(CLIENTS);
  await deadlines.comeWhen(1, () => isSent, true);
  expect((await answer).errors).toMatchObject([{ extensions: { code: 'UPSTREAM_TIMEOUT' } }]);
});

test.each([
  ['is broken', Buffer.concat([gzipSync('[]').subarray(0, 10), Buffer.alloc(6_000, 0xff)])],
  ['unpacks to more than its bytes can be', gzipSync(Buffer.alloc(30_000_000)).subarray(0, 15_000)],
  ['has more after its end', Buffer.concat([gzipSync('[]'), Buffer.alloc(6_000, 0xff)])],
])('an answer that %s, and does not end, holds no connection', async (_name, start) => {
  let isSound = false;
  const { ask } = await crm(
    (request, response) => {
      if (isSound) return packed('gzip', gzipSync('{"id":1,"name":"Ada"}'))(request, response);
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.write(start);
    },
    { UPSTREAM_CONNECTIONS: 1 },
  );
  await ask('{ clients { nodes { name } } }');
  isSound = true;
  expect(await ask(CLIENT)).toMatchObject({ data: { client: { name: 'Ada' } }, errors: [] });
});

test('an upstream that fails in the middle of an answer, and comes back, is called again', async () => {
  const whole = gzipSync(JSON.stringify(namesOf(50_000)));
  let fails = true;
  const { ask, upstream } = await crm((request, response) => {
    if (!fails) return packed('gzip', whole)(request, response);
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.write(whole.subarray(0, 60_000), () => response.destroy());
  });
  expect((await ask(CLIENTS)).errors).toMatchObject([
    { path: ['clients'], extensions: { code: 'UPSTREAM_UNAVAILABLE' } },
  ]);
  fails = false;
  expect(await ask('{ clients { totalCount } }')).toMatchObject({
    data: { clients: { totalCount: 50_000 } },
    errors: [],
  });
  expect(upstream.received).toHaveLength(2);
});

test('a trace shows what was transferred, and the metrics what is asked for', async () => {
  const body = JSON.stringify(namesOf(2_000));
  const { ask, metrics } = await crm(packed('gzip', gzipSync(body)), { TRACE: 'true', METRICS_PORT: 0 });
  expect(await ask(CLIENTS, { 'x-trivium-trace': '1' })).toMatchObject({
    extensions: { trace: { calls: [{ bytes: body.length, packedBytes: gzipSync(body).length }] } },
  });
  const text = await metrics();
  expect(text).toMatch(/trivium_upstream_compression\{api="crm"\} 1/);
  expect(text).toMatch(
    new RegExp(`trivium_upstream_received_bytes_total\\{api="crm".*\\} ${gzipSync(body).length}\\n`),
  );
});

describe('with UPSTREAM_COMPRESSION=auto', () => {
  const LIST = 'GET /app/clients.json';
  const plain = (totalMs: number, headMs = 1) => ({ bytes: 1_000_000, packedBytes: undefined, headMs, totalMs });
  const small = (totalMs: number, headMs = 1) => ({ bytes: 1_000_000, packedBytes: 60_000, headMs, totalMs });

  /** Reads as upstream answers, and tells how many of the last ten asked for gzip. */
  function read(
    compression: Compression,
    ways: { packed: ReturnType<typeof small>; plain: ReturnType<typeof plain> },
    times: number,
  ) {
    const asked: boolean[] = [];
    for (let at = 0; at < times; at += 1) {
      const asks = compression.asksAt(LIST);
      asked.push(asks);
      compression.record(LIST, asks ? ways.packed : ways.plain);
    }
    return asked;
  }

  test.each([
    ['off where packing takes longer than the transfer, and tried again from time to time', 40, 8, 1, false],
    ['on over a slow network, where nothing large is asked for as it is', 50, 690, 40, true],
  ])('it is %s', (_when, packedMs, plainMs, headMs, isOn) => {
    const compression = new Compression('auto');
    const asked = read(compression, { packed: small(packedMs, headMs), plain: plain(plainMs, headMs) }, 200);
    expect(compression.isOn).toBe(isOn);
    expect(asked.slice(0, 2)).toEqual([true, true]);
    const tries = asked.slice(10).filter(Boolean).length;
    expect(tries).toBeGreaterThan(0);
    if (isOn) expect(asked).not.toContain(false);
    else expect(tries).toBeLessThan(8);
  });

  test('it is turned on again where the link has become slow', () => {
    const compression = new Compression('auto');
    read(compression, { packed: small(40), plain: plain(8) }, 20);
    expect(compression.isOn).toBe(false);
    read(compression, { packed: small(40), plain: plain(400) }, 200);
    expect(compression.isOn).toBe(true);
  });

  test('short answers decide nothing', () => {
    const compression = new Compression('auto');
    for (let at = 0; at < 100; at += 1) {
      compression.record(LIST, {
        bytes: 900,
        packedBytes: at % 2 ? 500 : undefined,
        headMs: 1,
        totalMs: at % 2 ? 90 : 2,
      });
      expect(compression.asksAt(LIST)).toBe(true);
    }
  });

  test('an upstream that packs nothing is asked all the same', () => {
    const compression = new Compression('auto');
    for (let at = 0; at < 100; at += 1) {
      expect(compression.asksAt(LIST)).toBe(true);
      compression.record(LIST, plain(8));
    }
  });

  test('a near upstream that packs slowly is asked no more', async () => {
    const { takes } = stoppedClock();
    const body = JSON.stringify(namesOf(20_000));
    const slowlyPacked = takes(150, packed('gzip', gzipSync(body)));
    const { ask, asked, metrics } = await crm(
      (request, response) => {
        if (request.url?.startsWith('/app/clients.json') !== true) response.end('{"id":1}');
        else if (request.headers['accept-encoding'] === 'gzip') slowlyPacked(request, response);
        else response.end(body);
      },
      { METRICS_PORT: 0 },
    );
    await ask(CLIENT); // which tells that the upstream is near
    for (let at = 0; at < 5; at += 1) await ask('{ clients { totalCount } }');
    expect(asked.slice(1)).toEqual(['gzip', 'gzip', undefined, undefined, undefined]);
    expect(await metrics()).toMatch(/trivium_upstream_compression\{api="crm"\} 0/);
  });
});
