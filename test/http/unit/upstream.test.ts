import type { ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  CallerGoneError,
  TooLargeError,
  TooSlowError,
  UnavailableError,
  UnreachableError,
} from '../../../src/errors.ts';
import { Call } from '../../../src/calls/transport/call.ts';
import { Departure } from '../../../src/calls/transport/departure.ts';
import type { Outgoing } from '../../../src/calls/transport/messages.ts';
import { stoppedClock } from '../../support/clock.ts';
import { heldTimers } from '../../support/deadlines.ts';
import { rawUpstream, says, stubUpstream, wholeAnswer } from '../../support/stub-upstream.ts';
import { get, STAYS, upstreamAt } from './support.ts';

const READ = { api: 'CRM', endpoint: 'GET /a' };
const WRITE = { api: 'CRM', endpoint: 'POST /a' };
const post: Outgoing = { ...get, method: 'POST', body: '{}', isRead: false };

const textOf = (body: readonly Uint8Array[]) => Buffer.concat(body).toString();

describe('a response', () => {
  test('is told with its status, its headers and its body', async () => {
    const headers = {
      'content-type': 'text/plain',
      'content-encoding': 'identity',
      'retry-after': '7',
      'set-cookie': 'a=1',
    };
    const { url } = await stubUpstream(says('0123456789', { status: 201, headers }));
    const answer = await upstreamAt(url).open(get, READ).answer(STAYS);
    expect(answer).toMatchObject({
      status: 201,
      contentType: 'text/plain',
      contentEncoding: 'identity',
      retryAfter: '7',
      setCookies: ['a=1'],
    });
    expect(textOf(answer.body)).toBe('0123456789');
  });

  test('without headers has empty ones', async () => {
    const { url } = await rawUpstream((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n1'));
    await expect(upstreamAt(url).open(get, READ).answer(STAYS)).resolves.toMatchObject({
      contentType: '',
      contentEncoding: '',
      retryAfter: '',
      setCookies: [],
    });
  });

  test('may set several cookies, and of two types the first counts', async () => {
    const { url } = await rawUpstream((socket) =>
      socket.write(
        'HTTP/1.1 200 OK\r\nset-cookie: a=1\r\nset-cookie: b=2\r\nretry-after: 1\r\nretry-after: 2\r\ncontent-length: 1\r\n\r\n1',
      ),
    );
    await expect(upstreamAt(url).open(get, READ).answer(STAYS)).resolves.toMatchObject({
      setCookies: ['a=1', 'b=2'],
      retryAfter: '1',
    });
  });

  test('takes as long as from the request to its head, and to its end', async () => {
    const { pass } = stoppedClock();
    const heads = vi.spyOn(Call.prototype, 'onHeaders');
    onTestFinished(() => void heads.mockRestore());
    const { url } = await stubUpstream(async (_request, response) => {
      pass(40);
      response.writeHead(200).write('1');
      await expect.poll(() => heads.mock.calls.length).toBe(1);
      pass(60);
      response.end('2');
    });
    const answer = await upstreamAt(url).open(get, READ).answer(STAYS);
    expect(answer).toMatchObject({ headMs: 40, totalMs: 100 });
  });

  test('comes after interim ones', async () => {
    const { url } = await rawUpstream((socket) =>
      socket.write(`HTTP/1.1 103 Early Hints\r\nset-cookie: a=1\r\n\r\n${wholeAnswer('1')}`),
    );
    await expect(upstreamAt(url).open(get, READ).answer(STAYS)).resolves.toMatchObject({ status: 200, setCookies: [] });
  });
});

describe('the address', () => {
  test.each(['', '/', '/base', '/base/'])('%j is put before the path', async (base) => {
    const { url, received } = await stubUpstream(says('1'));
    await upstreamAt(`${url}${base}`).open(get, READ).answer(STAYS);
    expect(received).toEqual([`GET ${base.replace(/\/$/, '')}/a`]);
  });

  test('that is not set makes every call fail, and closing does nothing', async () => {
    const upstream = upstreamAt(undefined);
    const sent = upstream.open(get, READ).answer(STAYS);
    await expect(sent).rejects.toThrow(UnreachableError);
    await expect(sent).rejects.toMatchObject({ message: 'The CRM API has no address: set CRM_URL.', upstream: READ });
    await expect(upstream.close()).resolves.toBeUndefined();
  });
});

describe('a response that is too large', () => {
  test('to a write is refused with its status, which says that the change was made', async () => {
    const { url } = await stubUpstream(says('01234567890', { status: 201 }));
    const sent = upstreamAt(url).open(post, WRITE).answer(STAYS);
    await expect(sent).rejects.toThrow(TooLargeError);
    await expect(sent).rejects.toMatchObject({ upstream: { ...WRITE, status: 201 } });
  });

  test('is cut off at 64 kB where it is a refusal', async () => {
    const { url } = await stubUpstream(says('x'.repeat(70_000), { status: 422 }));
    const { status, body } = await upstreamAt(url).open(get, READ).answer(STAYS);
    expect(status).toBe(422);
    expect(textOf(body)).toBe('x'.repeat(65_536));
  });

  test.each([
    [200, true],
    [299, true],
    [300, false],
    [404, false],
  ])('is a matter of the limit for status %i', async (status, refused) => {
    const { url } = await stubUpstream(says('x'.repeat(11), { status }));
    const sent = upstreamAt(url).open(get, READ).answer(STAYS);
    if (refused) await expect(sent).rejects.toThrow(TooLargeError);
    else expect(textOf((await sent).body)).toHaveLength(11);
  });
});

test.each([
  ['shorter', 50, 60_000],
  ['longer', 60_000, 50],
])(
  'the deadline of a request that is %s than that of the upstream: the earlier one counts',
  async (_name, own, all) => {
    const { url } = await stubUpstream(() => {});
    const sent = upstreamAt(url, { timeoutMs: all }).open(get, READ).answer(STAYS, { timeoutMs: own });
    await expect(sent).rejects.toMatchObject({ message: 'The CRM API did not answer within 0.05 s.', upstream: READ });
  },
);

test('a cap counts from sending the request: the wait for a connection does not count', async () => {
  const { begun, come } = heldTimers((_reach, ms) => ms === 777);
  const open: ServerResponse[] = [];
  const { url } = await stubUpstream((_request, response) => void open.push(response));
  const upstream = upstreamAt(url, { timeoutMs: 60_000 });
  const first = upstream.open(get, READ).answer(STAYS);
  const capped = upstream.open(get, READ).answer(STAYS, { capMs: 777 });
  await expect.poll(() => open.length).toBe(1);
  expect(begun()).toBe(0);
  open[0]?.end('ok');
  await first;
  await expect.poll(begun).toBe(1);
  come(777);
  await expect(capped).rejects.toThrow(TooSlowError);
});

describe('a caller who leaves', () => {
  async function leaving(request: Outgoing, call: typeof READ) {
    const left = new Departure();
    const { url } = await stubUpstream((_request, response) => {
      left.happen();
      setTimeout(() => response.end('1'), 20);
    });
    return upstreamAt(url).open(request, call).answer(left);
  }

  test('ends a read', async () => {
    const sent = leaving(get, READ);
    await expect(sent).rejects.toThrow(CallerGoneError);
    await expect(sent).rejects.toMatchObject({ upstream: READ });
  });

  test('ends no write that was sent', async () => {
    await expect(leaving(post, WRITE)).resolves.toMatchObject({ status: 200 });
  });

  test.each([
    ['read', get, READ],
    ['write', post, WRITE],
  ] as const)('ends a %s before its connection is made, and it is never sent', async (_kind, request, call) => {
    const left = new Departure();
    const { url, received } = await stubUpstream(says('1'));
    const upstream = upstreamAt(url);
    const sent = upstream.open(request, call).answer(left);
    left.happen();
    await expect(sent).rejects.toThrow(CallerGoneError);
    await upstream.open({ ...get, target: '/b' }, READ).answer(STAYS);
    expect(received).toEqual(['GET /b']);
  });

  test('ends a write that waits for a connection, which is never sent', async () => {
    const left = new Departure();
    const { url, received } = await stubUpstream((_request, response) => {
      left.happen();
      setTimeout(() => response.end('1'), 20);
    });
    const upstream = upstreamAt(url);
    const first = upstream.open(get, READ).answer(STAYS);
    await expect(upstream.open(post, WRITE).answer(left)).rejects.toThrow(CallerGoneError);
    await expect(first).resolves.toMatchObject({ status: 200 });
    await upstream.open(get, READ).answer(STAYS);
    expect(received).toEqual(['GET /a', 'GET /a']);
  });
});

describe('a kept connection that the server closes', () => {
  test('fails a POST, a reading one, too', async () => {
    for (const isRead of [false, true]) {
      const { url, received } = await rawUpstream((socket) => socket.destroy());
      await expect(
        upstreamAt(url)
          .open({ ...post, isRead }, WRITE)
          .answer(STAYS),
      ).rejects.toThrow(UnavailableError);
      expect(received).toEqual(['POST /a']);
    }
  });

  test('fails a GET whose response has begun', async () => {
    const { url, received } = await rawUpstream((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n1', () => socket.destroy());
    });
    await expect(upstreamAt(url).open(get, READ).answer(STAYS)).rejects.toThrow(/closed the connection/);
    expect(received).toEqual(['GET /a']);
  });

  test('is not tried again for a GET that met another failure', async () => {
    const { url, received } = await rawUpstream((socket) => socket.write('no HTTP\r\n\r\n'));
    await expect(upstreamAt(url).open(get, READ).answer(STAYS)).rejects.toThrow(/answered with what is no HTTP/);
    expect(received).toEqual(['GET /a']);
  });
});

test('connections end when the upstream is closed, and so do the calls', async () => {
  const { url, received } = await stubUpstream(() => {});
  const upstream = upstreamAt(url);
  const sent = upstream
    .open(get, READ)
    .answer(STAYS)
    .catch((error: unknown) => error);
  await expect.poll(() => received.length).toBe(1);
  await upstream.close();
  expect(await sent).toBeInstanceOf(UnavailableError);
});

test('connections are no more than the option says, and are kept', async () => {
  const sockets = new Set<unknown>();
  const { url } = await stubUpstream((request, response) => {
    sockets.add(request.socket);
    setTimeout(() => response.end('1'), 10);
  });
  const upstream = upstreamAt(url, { connections: 2 });
  await Promise.all(Array.from({ length: 6 }, async () => upstream.open(get, READ).answer(STAYS)));
  expect(sockets.size).toBe(2);
});
