import { describe, expect, test } from 'vitest';
import {
  CallerGoneError,
  ConnectionLostError,
  type GatewayError,
  UnavailableError,
  UnreachableError,
  UpstreamTimeoutError,
} from '../../../src/errors.ts';
import type { KindOf } from '../../../src/formats/same-values.ts';
import { record } from '../../../src/formats/decode.ts';
import type { UpstreamSession } from '../../../src/calls/session.ts';
import { WriteLedger } from '../../../src/calls/write-ledger.ts';
import { type Look, lookAt } from '../../../src/calls/writer.ts';
import { Departure } from '../../../src/calls/transport/departure.ts';
import { CallBudget } from '../../../src/calls/transport/call-budget.ts';
import { path } from '../../../src/calls/transport/path.ts';
import type { Answer } from '../../../src/calls/transport/messages.ts';
import { fakeSession, jsonAnswer, textAnswer } from '../../support/fake-upstream.ts';

// Writes that upstream does not answer: the record is read once, where it can be.

const DEAL = { path: path`/app/deals/${'7'}.json` };
const SENT = { name: 'Anew', price: 5, note: undefined };
const kindOf: KindOf = (name) => (name === 'price' ? 'decimal' : undefined);
const [PATCH, GET] = ['PATCH /app/deals/7.json', 'GET /app/deals/7.json'];
const CALL = { api: 'CRM', endpoint: 'PATCH /app/deals/:id.json' };
const UNKNOWN = 'Whether the change was made is not known: read before you try again.';

const lost = [
  ['a timeout', () => new UpstreamTimeoutError('It is late.', CALL)],
  ['a lost connection', () => new ConnectionLostError('It is late.', CALL)],
] as const;

interface Options {
  /** The failure of the write, or the response to it. */
  readonly write?: () => GatewayError | Answer;
  /** The response to the look, or its failure. */
  readonly look?: () => GatewayError | Answer;
  readonly calls?: number;
  /** Whether the caller leaves while the write is under way. */
  readonly leaves?: boolean;
}

function writesOver({ write = lost[0][1], look = () => jsonAnswer({ id: 7 }), calls = 10, leaves = false }: Options) {
  const ledger = new WriteLedger();
  const leaving = new Departure();
  const late: unknown[] = [];
  const { session, upstream } = fakeSession(
    ({ method }) => {
      if (leaves) leaving.happen();
      const response = method === 'GET' ? look() : write();
      if (response instanceof Error) throw response;
      return response;
    },
    {
      writes: ledger,
      gone: leaving,
      budget: new CallBudget(calls),
      onSecret: () => {},
      onLateWrite: (call, outcome) => void late.push([call, outcome]),
    },
  );
  return { session, upstream, ledger, late };
}

const lookAtDeal = (session: UpstreamSession): Look => lookAt(session.reads, DEAL, record);
const update = async (session: UpstreamSession, look: Look | undefined = lookAtDeal(session), sent: object = SENT) =>
  session.writes.record('PATCH', { request: { ...DEAL, body: { deal: sent }, kindOf }, sent, id: '7', look });
const remove = async (session: UpstreamSession) => session.writes.remove('DELETE', DEAL, lookAtDeal(session));

describe.each(lost)('after %s of an update', (_name, write) => {
  test('a record that shows the change is the result', async () => {
    const { session, upstream, ledger } = writesOver({
      write,
      look: () => jsonAnswer({ id: 7, name: 'Anew', price: '5.00', owner: 'Ada' }),
    });
    await expect(update(session)).resolves.toEqual({ id: '7', name: 'Anew', price: '5.00', owner: 'Ada' });
    expect(ledger.outcome).toBe('APPLIED');
    expect(upstream.calls).toEqual([PATCH, GET]);
    expect(upstream.sent[1]).toMatchObject({ timeoutMs: 2_000 });
  });

  test.each([
    [
      'does not show the change',
      () => jsonAnswer({ id: 7, name: 'Old', price: 5 }),
      ' The record was read once, and does not show the change.',
    ],
    [
      'lacks a key',
      () => jsonAnswer({ id: 7, name: 'Anew' }),
      ' The record was read once, and does not show the change.',
    ],
    ['is not found', () => jsonAnswer({}, { status: 404 }), ' No such record was found.'],
    ['cannot be read', () => jsonAnswer({}, { status: 500 }), ''],
    ['is hidden', () => jsonAnswer({}, { status: 403 }), ''],
    ['is broken', () => textAnswer('{"id":'), ''],
    ['is late, too', () => new UpstreamTimeoutError('It is late.', CALL), ''],
  ])('a record that %s leaves the outcome unknown, and the message says so', async (_which, look, notice) => {
    const { session, upstream, ledger } = writesOver({ write, look });
    await expect(update(session)).rejects.toMatchObject({
      message: `It is late.${notice} ${UNKNOWN}`,
      constructor: write().constructor,
      upstream: CALL,
    });
    expect(ledger.outcome).toBe('UNKNOWN');
    expect(upstream.calls).toEqual([PATCH, GET]);
  });

  const request = { ...DEAL, body: { deal: SENT } };
  test.each<[why: string, calls: number, write: (session: UpstreamSession) => Promise<unknown>]>([
    ['there is no way to', 10, async ({ writes }) => writes.record('PATCH', { request, sent: SENT, id: '7' })],
    ['nothing was sent', 10, async (session) => update(session, lookAtDeal(session), {})],
    ['no value was sent', 10, async (session) => update(session, lookAtDeal(session), { name: undefined })],
    ['no calls are left', 1, update],
  ])('no record is read where %s', async (_why, calls, change) => {
    const { session, upstream, ledger } = writesOver({ write, calls });
    await expect(change(session)).rejects.toThrow(`It is late. ${UNKNOWN}`);
    expect(ledger.outcome).toBe('UNKNOWN');
    expect(upstream.calls).toEqual([PATCH]);
  });

  test('no record is read once the caller has left, who cannot learn it', async () => {
    const { session, upstream, ledger, late } = writesOver({ write, leaves: true });
    await expect(update(session)).rejects.toThrow(`It is late. ${UNKNOWN}`);
    expect(ledger.outcome).toBe('UNKNOWN');
    expect(late).toEqual([[CALL, 'UNKNOWN']]);
    expect(upstream.calls).toEqual([PATCH]);
  });
});

describe.each(lost)('after %s of a deletion', (_name, write) => {
  test.each([404, 410])('it was carried out where the record is gone (%d)', async (status) => {
    const { session, upstream, ledger } = writesOver({ write, look: () => jsonAnswer({}, { status }) });
    await expect(remove(session)).resolves.toBeUndefined();
    expect(ledger.outcome).toBe('APPLIED');
    expect(upstream.calls).toEqual(['DELETE /app/deals/7.json', GET]);
  });

  test.each([
    ['still exists', 200, ' The record was read once, and still exists.'],
    ['is hidden', 403, ''],
    ['cannot be read', 500, ''],
  ])('it is not known where the record %s', async (_which, status, notice) => {
    const { session, ledger } = writesOver({ write, look: () => jsonAnswer({ id: 7 }, { status }) });
    await expect(remove(session)).rejects.toThrow(`It is late.${notice} ${UNKNOWN}`);
    expect(ledger.outcome).toBe('UNKNOWN');
  });

  test.each([
    ['text/html', '<html><h1>404 Not Found</h1></html>'],
    ['text/html', 'Not Found'],
    ['application/json', '<!DOCTYPE html>'],
  ])('it is not known where a web page tells that the record is gone: %s, %j', async (contentType, page) => {
    const look = () => ({ ...jsonAnswer({}, { status: 404 }), contentType, body: [Buffer.from(page)] });
    const { session, ledger } = writesOver({ write, look });
    await expect(remove(session)).rejects.toThrow(
      `It is late. The read that could tell was answered by a web page. ${UNKNOWN}`,
    );
    expect(ledger.outcome).toBe('UNKNOWN');
  });

  test('it is not known where there is no way to read the record', async () => {
    const { session, upstream, ledger } = writesOver({ write });
    await expect(session.writes.remove('DELETE', DEAL)).rejects.toThrow(`It is late. ${UNKNOWN}`);
    expect(ledger.outcome).toBe('UNKNOWN');
    expect(upstream.calls).toEqual(['DELETE /app/deals/7.json']);
  });
});

describe('a new record that can be found by a code', () => {
  const create = async (session: UpstreamSession, lookByCode: Look = lookAtDeal(session)) =>
    session.writes.record('POST', { request: { ...DEAL, body: {} }, sent: SENT, lookByCode });

  test.each([{ id: 9 }, { id: 9, name: ' Anew ' }])('is read after a success without a record: %j', async (found) => {
    const { session, upstream, ledger } = writesOver({ write: () => textAnswer('ok'), look: () => jsonAnswer(found) });
    await expect(create(session)).resolves.toMatchObject({ id: '9' });
    expect(ledger.outcome).toBe('APPLIED');
    expect(upstream.sent).toMatchObject([{ method: 'POST' }, { method: 'GET', timeoutMs: 2_000 }]);
  });

  test.each([
    ['there is none', () => jsonAnswer({}, { status: 404 })],
    ['it cannot be read', () => jsonAnswer({}, { status: 500 })],
    ['it has another name', () => jsonAnswer({ id: 9, name: 'Older' })],
  ])('has no id that is known where %s; the creation was carried out', async (_which, look) => {
    const { session, ledger } = writesOver({ write: () => textAnswer('ok'), look });
    const written = await create(session);
    expect(() => written.id).toThrow(/does not tell the id/);
    expect(ledger.outcome).toBe('APPLIED');
  });

  test('is the one of the response, whatever name upstream gave it', async () => {
    const { session, upstream } = writesOver({ write: () => jsonAnswer({ id: 9, name: 'anew' }) });
    await expect(create(session)).resolves.toMatchObject({ id: '9', name: 'anew' });
    expect(upstream.calls).toHaveLength(1);
  });

  const older = ' A record with this code exists. It may be the new one, or an older one.';
  test.each([
    ['shows what was sent', () => jsonAnswer({ id: 9, ...SENT }), older],
    ['shows something else', () => jsonAnswer({ id: 9, name: 'Older' }), older],
    ['is not found', () => jsonAnswer({}, { status: 404 }), ' No such record was found.'],
    ['cannot be read', () => jsonAnswer({}, { status: 500 }), ''],
  ])('leaves the outcome unknown after a timeout where it %s', async (_which, look, notice) => {
    for (const [, write] of lost) {
      const { session, upstream, ledger } = writesOver({ write, look });
      await expect(create(session)).rejects.toThrow(`It is late.${notice} ${UNKNOWN}`);
      expect(ledger.outcome).toBe('UNKNOWN');
      expect(upstream.calls).toHaveLength(2);
    }
  });
});

describe('a list that may have more pages', () => {
  const NOT_LISTED = 'It is late. The record is not in the list that was read once, which may have more pages.';
  const none: Look = async () => undefined;

  test.each([
    [
      'a creation',
      async ({ writes }: UpstreamSession) => writes.record('POST', { request: DEAL, sent: SENT, lookByCode: none }),
    ],
    [
      'an update',
      async ({ writes }: UpstreamSession) => writes.record('PUT', { request: DEAL, sent: SENT, id: '7', look: none }),
    ],
    ['a deletion', async ({ writes }: UpstreamSession) => writes.remove('DELETE', DEAL, none)],
  ])('proves nothing by the absence of a record: %s is unknown', async (_name, write) => {
    const { session, ledger } = writesOver({});
    await expect(write(session)).rejects.toThrow(`${NOT_LISTED} ${UNKNOWN}`);
    expect(ledger.outcome).toBe('UNKNOWN');
  });
});

test('a record with another id than the one that was asked for does not show the change', async () => {
  const { session, ledger } = writesOver({ look: () => jsonAnswer({ id: 99, ...SENT }) });
  await expect(update(session)).rejects.toThrow('does not show the change');
  expect(ledger.outcome).toBe('UNKNOWN');
});

describe('a record is not read after', () => {
  test.each([
    ['a redirect', () => textAnswer('', { status: 302 }), 'UNKNOWN'],
    ['500', () => textAnswer('', { status: 500 }), 'UNKNOWN'],
    ['a web page', () => textAnswer('<html>'), 'UNKNOWN'],
    ['422', () => jsonAnswer({}, { status: 422 }), 'REFUSED'],
    ['no connection', () => new UnreachableError('nobody listens', CALL), 'REFUSED'],
    ['a success', () => textAnswer('ok'), 'APPLIED'],
  ] as const)('%s', async (_name, write, outcome) => {
    const { session, upstream, ledger } = writesOver({ write });
    await update(session).catch(() => undefined);
    expect(ledger.outcome).toBe(outcome);
    expect(upstream.calls).toEqual([PATCH]);
  });
});

describe('a write that was sent before its caller left is reported', () => {
  test.each([
    ['APPLIED', () => jsonAnswer({ id: 7 })],
    ['APPLIED', () => textAnswer('ok')],
    ['REFUSED', () => jsonAnswer({}, { status: 400 })],
    ['REFUSED', () => jsonAnswer({}, { status: 499 })],
    ['REFUSED', () => jsonAnswer({ status: 'error', message: 'no' })],
    ['UNKNOWN', () => jsonAnswer({}, { status: 399 })],
    ['UNKNOWN', () => jsonAnswer({}, { status: 500 })],
    ['UNKNOWN', () => textAnswer('<html>')],
    ['UNKNOWN', () => new UnavailableError('broken off')],
  ] as const)('as %s (%#)', async (outcome, write) => {
    const { session, late, ledger } = writesOver({ write, leaves: true });
    await update(session).catch(() => undefined);
    expect(late).toEqual([[CALL, outcome]]);
    expect(ledger.outcome).toBe(outcome);
  });

  test.each([
    ['no connection', () => new UnreachableError('nobody listens', CALL)],
    ['given up in the queue', () => new CallerGoneError('gone', CALL)],
  ])('but not where nothing was sent: %s', async (_name, write) => {
    const { session, late, ledger } = writesOver({ write, leaves: true });
    await expect(update(session)).rejects.toThrow(/^(nobody listens|gone)$/);
    expect(late).toEqual([]);
    expect(ledger.outcome).toBe('REFUSED');
  });

  test('but not while its caller stays', async () => {
    const { session, late } = writesOver({ write: () => jsonAnswer({ id: 7 }) });
    await update(session);
    expect(late).toEqual([]);
  });
});

test('a write beyond the budget of calls is refused, and not sent', async () => {
  const { session, upstream, ledger } = writesOver({ calls: 0 });
  await expect(update(session)).rejects.toMatchObject({ code: 'QUERY_LIMIT_EXCEEDED' });
  expect(ledger.outcome).toBe('REFUSED');
  expect(upstream.calls).toEqual([]);
});
