import { describe, expect, test } from 'vitest';
import {
  CallerGoneError,
  type GatewayError,
  UnavailableError,
  UnreachableError,
  UpstreamTimeoutError,
} from '../../../src/http/errors.ts';
import { CallBudget } from '../../../src/http/transport/exchange.ts';
import { path } from '../../../src/http/transport/path.ts';
import type { Answer } from '../../../src/http/transport/upstream.ts';
import { fakeSession, jsonAnswer, textAnswer } from '../../support/fake-upstream.ts';

const DEAL = { path: path`/app/deals/${'7'}.json` };
const CALL = { api: 'CRM', endpoint: 'PATCH /app/deals/:id.json' };

/** Writes to an upstream; the caller leaves while the request is under way, unless told otherwise. */
function writesOver(respond: () => Answer, { leaves = true, calls = 10 } = {}) {
  const leaving = new AbortController();
  const late: unknown[] = [];
  const writes: string[] = [];
  const { session, upstream } = fakeSession(
    () => {
      if (leaves) leaving.abort();
      return respond();
    },
    {
      gone: leaving.signal,
      budget: new CallBudget(calls),
      onLateWrite: (call, outcome) => void late.push([call, outcome]),
      onWrite: () => void writes.push('written'),
    },
  );
  return { session, upstream, late, writes, leaving };
}

const throws = (error: GatewayError | Error) => () => {
  throw error;
};

describe('a write', () => {
  test('sends its body under the limit of a record and decodes the response', async () => {
    const { session, upstream } = writesOver(() => jsonAnswer({ id: 7 }), { leaves: false });
    const result = await session.writes.write('PATCH', { ...DEAL, body: { a: 1 } }, (body) => ({ body }));
    expect(result).toEqual({ body: { id: 7 } });
    expect(upstream.sent).toMatchObject([
      { method: 'PATCH', body: '{"a":1}', limit: { setting: 'MAX_RECORD_BYTES' }, isRead: false },
    ]);
  });

  test('whose response nobody needs takes any but a web page', async () => {
    const { session } = writesOver(() => textAnswer('ok'), { leaves: false });
    await expect(session.writes.writeWithoutBody('DELETE', DEAL)).resolves.toBeUndefined();
    const page = writesOver(() => textAnswer('<html>'), { leaves: false });
    await expect(page.session.writes.writeWithoutBody('DELETE', DEAL)).rejects.toThrow(/CRM_URL/);
  });

  test('is told of, and makes the session forget its reads, whether it succeeds or fails', async () => {
    for (const status of [200, 422]) {
      const { session, upstream, writes } = writesOver(() => jsonAnswer({ id: 7 }, { status }), { leaves: false });
      const read = async () => session.reads.get(DEAL, (body) => body).catch(() => undefined);
      await read();
      await session.writes.writeWithoutBody('DELETE', DEAL).catch(() => undefined);
      await read();
      expect(writes).toEqual(['written']);
      expect(upstream.calls.map((call) => call.split(' ')[0])).toEqual(['GET', 'DELETE', 'GET']);
    }
  });

  test('works without an observer of writes', async () => {
    const { session } = fakeSession(() => jsonAnswer({ id: 7 }));
    await expect(session.writes.write('POST', DEAL, (body) => body)).resolves.toEqual({ id: 7 });
  });

  test('under way while its caller stays is not reported', async () => {
    const { session, late } = writesOver(() => jsonAnswer({ id: 7 }), { leaves: false });
    await session.writes.writeWithoutBody('PATCH', DEAL);
    expect(late).toEqual([]);
  });
});

describe('a write that was sent before its caller left is reported', () => {
  test.each([
    ['applied', () => jsonAnswer({ id: 7 })],
    ['refused', () => jsonAnswer({}, { status: 400 })],
    ['refused', () => jsonAnswer({}, { status: 403 })],
    ['refused', () => jsonAnswer({}, { status: 422 })],
    ['refused', () => jsonAnswer({}, { status: 499 })],
    ['refused', () => jsonAnswer({ status: 'error', message: 'no' })],
    ['unknown', () => jsonAnswer({}, { status: 302 })],
    ['unknown', () => jsonAnswer({}, { status: 399 })],
    ['unknown', () => jsonAnswer({}, { status: 500 })],
    ['unknown', () => textAnswer('<html>')],
    ['unknown', throws(new UpstreamTimeoutError('late', CALL))],
    ['unknown', throws(new UnavailableError('broken off'))],
    ['unknown', throws(new TypeError('a mistake'))],
  ] as const)('as %s (%#)', async (outcome, respond) => {
    const { session, late } = writesOver(respond);
    await session.writes.writeWithoutBody('PATCH', DEAL).catch(() => undefined);
    expect(late).toEqual([[CALL, outcome]]);
  });

  test.each([
    ['no connection', throws(new UnreachableError('nobody listens', CALL))],
    ['given up in the queue', throws(new CallerGoneError('gone', CALL))],
  ])('but not where nothing was sent: %s', async (_name, respond) => {
    const { session, late } = writesOver(respond);
    await expect(session.writes.writeWithoutBody('PATCH', DEAL)).rejects.toThrow(/nobody listens|gone/);
    expect(late).toEqual([]);
  });

  test('but not where the operation had no call left for it', async () => {
    const { session, late } = writesOver(() => jsonAnswer({ id: 7 }), { calls: 1 });
    const one = session.writes.writeWithoutBody('PATCH', DEAL);
    const other = session.writes.writeWithoutBody('PATCH', DEAL);
    await expect(Promise.allSettled([one, other])).resolves.toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: expect.stringMatching(/QUERY_LIMIT_EXCEEDED|CALLER_GONE/) } },
    ]);
    expect(late).toEqual([[CALL, 'applied']]);
  });
});
