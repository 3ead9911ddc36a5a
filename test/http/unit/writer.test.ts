import { describe, expect, test } from 'vitest';
import { ConflictError, ForbiddenError, NotFoundError, TooLargeError, ValidationError } from '../../../src/errors.ts';
import { record } from '../../../src/formats/decode.ts';
import { WriteLedger } from '../../../src/calls/write-ledger.ts';
import { sentFields } from '../../../src/calls/written-record.ts';
import { CallBudget } from '../../../src/calls/transport/call-budget.ts';
import { path } from '../../../src/calls/transport/path.ts';
import type { Answer } from '../../../src/calls/transport/messages.ts';
import { fakeSession, jsonAnswer, textAnswer } from '../../support/fake-upstream.ts';

// Writes that upstream answers: a status of success without a refusal in its body is applied, whatever the body holds.

const DEAL = { path: path`/app/deals/${'7'}.json`, recordKey: 'deal' };
const DEALS = { path: path`/app/deals.json`, recordKey: 'deal' };
const SENT = { name: 'Anew' };
const UNKNOWN = ' Whether the change was made is not known: read before you try again.';

/** The writes of a session over an upstream that answers every call alike. */
function writesOver(answer: Answer | (() => Answer)) {
  const ledger = new WriteLedger();
  const { session, upstream } = fakeSession(() => (typeof answer === 'function' ? answer() : answer), {
    writes: ledger,
  });
  return {
    writes: session.writes,
    reads: session.reads,
    upstream,
    ledger,
    create: async () => session.writes.record('POST', { request: { ...DEALS, body: { deal: SENT } }, sent: SENT }),
    update: async () =>
      session.writes.record('PATCH', { request: { ...DEAL, body: { deal: SENT } }, sent: SENT, id: '7' }),
  };
}

describe('the record of a write', () => {
  test.each([
    ['a bare record', '{"id":7,"name":"Other"}'],
    ['a record under the key of the request', '{"deal":{"id":7,"name":"Other"}}'],
    ['the one of two objects that has that key', '{"client":{"id":1},"deal":{"id":7,"name":"Other"}}'],
    ['a record beside no errors', '{"errors":{},"deal":{"id":"7","name":"Other"}}'],
  ])('is %s', async (_name, text) => {
    for (const write of ['create', 'update'] as const) {
      const over = writesOver(textAnswer(text));
      const written = await over[write]();
      expect(written).toMatchObject({ id: '7', name: 'Other' });
      expect(sentFields(written)).toEqual(SENT);
      expect(over.ledger.outcome).toBe('APPLIED');
      expect(over.upstream.calls).toHaveLength(1);
    }
  });

  const withoutRecord = [
    ['nothing', textAnswer('')],
    ['204', textAnswer('', { status: 204 })],
    ['a space', textAnswer(' ')],
    ['a text', textAnswer('ok', { contentType: 'text/plain' })],
    ['a JSON text', textAnswer('"ok"')],
    ['null', textAnswer('null')],
    ['true', textAnswer('true')],
    ['a status', textAnswer('{"status":"ok"}')],
    ['no errors', textAnswer('{"errors":{}}')],
    ['an object under another key', textAnswer('{"item":{"id":7,"name":"Other"},"meta":{"page":1}}')],
    ['a null id', textAnswer('{"id":null,"name":"Other"}')],
    ['two objects with other keys', textAnswer('{"client":{"id":1},"user":{"id":2}}')],
    ['a list', textAnswer('[{"id":7}]')],
    ['a record without an id', textAnswer('{"name":"Other"}')],
    ['an empty id', textAnswer('{"id":"","name":"Other"}')],
    ['an id that is no whole number', textAnswer('{"id":1.5}')],
    ['broken JSON', textAnswer('{"id":')],
    ['other bytes than UTF-8', textAnswer('', { body: [Buffer.from([0x22, 0xff, 0x22])] })],
  ] as const;

  test.each(withoutRecord)(
    'of an update has the id and the fields that were sent, answered with %s',
    async (...row) => {
      const { update, ledger, upstream } = writesOver(row[1]);
      const written = await update();
      expect({ ...written }).toEqual({ id: '7', [Object.getOwnPropertySymbols(written)[0] ?? '']: SENT });
      expect(sentFields(written)).toEqual(SENT);
      expect(ledger.outcome).toBe('APPLIED');
      expect(upstream.calls).toEqual(['PATCH /app/deals/7.json']);
    },
  );

  test.each(withoutRecord)('of a creation has no id that is known, answered with %s', async (_name, answer) => {
    const { create, ledger, upstream } = writesOver(answer);
    const written = await create();
    expect(sentFields(written)).toEqual(SENT);
    expect(() => written.id).toThrow(/^The change was made, but the response does not tell the id of the record\.$/);
    expect(ledger.outcome).toBe('APPLIED');
    expect(upstream.calls).toEqual(['POST /app/deals.json']);
  });

  test('whose response is too large is not read', async () => {
    const { update, ledger, upstream } = writesOver(() => {
      throw new TooLargeError('too large', { api: 'CRM', endpoint: 'PATCH /app/deals/:id.json', status: 200 });
    });
    expect(sentFields(await update())).toEqual(SENT);
    expect(ledger.outcome).toBe('APPLIED');
    expect(upstream.calls).toHaveLength(1);
  });

  test('is decoded by `as` where it is given; where that finds none, it has the fields that were sent', async () => {
    const request = { ...DEAL, body: { deal: SENT } };
    const { writes } = writesOver(jsonAnswer({ inner: { id: 7, name: 'Other' } }));
    const write = { request, sent: SENT, id: '7' };
    const as = (body: unknown) => record(Reflect.get(Object(body), 'inner'));
    expect(await writes.record('PATCH', { ...write, as })).toMatchObject({ id: '7', name: 'Other' });
    for (const none of [(body: unknown) => record(body), () => undefined]) {
      const written = await writes.record('PATCH', { ...write, as: none });
      expect(written).toMatchObject({ id: '7' });
      expect(written).not.toHaveProperty('name');
    }
    const broken = () => {
      throw new TypeError('a mistake');
    };
    await expect(writes.record('PATCH', { ...write, as: broken })).rejects.toThrow('a mistake');
  });
});

test('a record with another id than the one that was asked for is not the record of an update', async () => {
  const { update, ledger } = writesOver(textAnswer('{"id":99,"name":"Another"}'));
  const written = await update();
  expect(written).toMatchObject({ id: '7' });
  expect(written).not.toHaveProperty('name');
  expect(ledger.outcome).toBe('APPLIED');
});

describe('a text that no read gives again', () => {
  const create = async (text: string) => {
    const over = writesOver(textAnswer(text));
    const written = await over.writes.record('POST', { request: DEALS, sent: SENT, once: 'token' });
    return { ...over, written };
  };

  test.each([
    '{"id":7,"token":"raw"}',
    '{"token":"raw"}',
    '{"deal":{"token":"raw"}}',
    '{"data":{"x":{"token":"raw"}}}',
  ])('is part of the record, wherever it stands: %s', async (text) => {
    const { written, ledger } = await create(text);
    expect(written).toHaveProperty('token', 'raw');
    expect(sentFields(written)).toEqual(SENT);
    expect(ledger.outcome).toBe('APPLIED');
  });

  test('is missing where the response lacks it', async () => {
    expect((await create('{"id":7}')).written).not.toHaveProperty('token');
  });
});

test('a status of 500 in the body leaves the outcome unknown', async () => {
  const { update, ledger } = writesOver(textAnswer('{"status":500,"error":"Internal Server Error"}'));
  await expect(update()).rejects.toThrow(`The CRM API answered with status 500.${UNKNOWN}`);
  expect(ledger.outcome).toBe('UNKNOWN');
});

describe('a refusal', () => {
  test.each([
    '{"id":7,"name":"Old","errors":{"name":["is odd"]}}',
    '{"id":null,"errors":{"name":["is odd"]}}',
    '{"deal":{"id":null,"status":"failed"}}',
    '["is odd"]',
    '{"errors":{"name":["is odd"]}}',
    '{"code":"error"}',
    'false',
    '{"success":false}',
    '{"error":"x"}',
  ])('is the body %s under a status of success', async (text) => {
    for (const write of ['create', 'update'] as const) {
      const over = writesOver(textAnswer(text));
      await expect(over[write]()).rejects.toThrow(ValidationError);
      expect(over.ledger.outcome).toBe('REFUSED');
      expect(over.upstream.calls).toHaveLength(1);
    }
    const { writes, ledger } = writesOver(textAnswer(text));
    await expect(writes.remove('DELETE', DEAL)).rejects.toThrow(ValidationError);
    await expect(writes.change('POST', DEAL)).rejects.toThrow(ValidationError);
    expect(ledger.outcome).toBe('REFUSED');
  });

  test.each([
    [400, ValidationError],
    [403, ForbiddenError],
    [404, NotFoundError],
    [409, ConflictError],
    [422, ValidationError],
  ])('is the status %i, and its message says nothing of the outcome', async (status, kind) => {
    const { update, ledger, upstream } = writesOver(jsonAnswer({}, { status }));
    await expect(update()).rejects.toThrow(kind);
    await expect(update()).rejects.not.toThrow(UNKNOWN);
    expect(ledger.outcome).toBe('REFUSED');
    expect(upstream.calls).toHaveLength(2);
  });
});

describe('a failure of the upstream itself', () => {
  test.each([
    ['a redirect', textAnswer('', { status: 302 }), /redirect \(302\)/],
    ['500', textAnswer('', { status: 500 }), /status 500/],
    ['a web page', textAnswer('<html>'), /CRM_URL/],
    ['a web page by its type', textAnswer('Sign in', { contentType: 'text/html' }), /CRM_URL/],
  ])('leaves the outcome unknown: %s', async (_name, answer, message) => {
    const { update, ledger, upstream } = writesOver(answer);
    const failed = update();
    await expect(failed).rejects.toThrow(message);
    await expect(failed).rejects.toThrow(UNKNOWN);
    expect(ledger.outcome).toBe('UNKNOWN');
    expect(upstream.calls).toHaveLength(1);
  });

  test('that is a mistake of the gateway leaves the outcome unknown, and its error as it is', async () => {
    const mistake = new TypeError('a mistake');
    const { update, ledger } = writesOver(() => {
      throw mistake;
    });
    await expect(update()).rejects.toBe(mistake);
    expect(mistake.message).toBe('a mistake');
    expect(ledger.outcome).toBe('UNKNOWN');
  });
});

describe('a write', () => {
  test('sends its body under the limit of a record', async () => {
    const { update, upstream } = writesOver(jsonAnswer({ id: 7 }));
    await update();
    expect(upstream.sent).toMatchObject([
      { method: 'PATCH', body: '{"deal":{"name":"Anew"}}', limit: { setting: 'MAX_RECORD_BYTES' }, isRead: false },
    ]);
  });

  test.each(['', 'ok', '"ok"', '{"id":7}', 'null', '{"id":7,"status":"error","message":"no"}', '{"errors":{}}'])(
    'that deletes is done, answered with %j',
    async (text) => {
      const { writes, ledger } = writesOver(textAnswer(text));
      await expect(writes.remove('DELETE', DEAL)).resolves.toBeUndefined();
      expect(ledger.outcome).toBe('APPLIED');
    },
  );

  test.each([
    ['{"a":1}', { a: 1 }],
    ['"ok"', 'ok'],
    ['', undefined],
    ['ok', undefined],
  ])('that concerns no record returns the parsed body %j', async (text, body) => {
    const { writes, ledger } = writesOver(textAnswer(text));
    await expect(writes.change('POST', DEALS)).resolves.toEqual({ body });
    expect(ledger.outcome).toBe('APPLIED');
  });

  test('that is not sent, for the budget is spent, makes nothing stale', async () => {
    const told: string[] = [];
    const invalidate = (endpoint: string) => void told.push(endpoint);
    const { session, upstream } = fakeSession(() => jsonAnswer({}), { invalidate, budget: new CallBudget(0) });
    await expect(session.writes.remove('DELETE', DEAL)).rejects.toMatchObject({ code: 'QUERY_LIMIT_EXCEEDED' });
    expect([told, upstream.calls]).toEqual([[], []]);
  });

  test.each([200, 422])(
    'makes the session forget its reads, and what it may change stale before and after, with the status %i',
    async (status) => {
      const told: string[] = [];
      const { session, upstream } = fakeSession(() => jsonAnswer({ id: 7 }, { status }), {
        invalidate: (endpoint) => void told.push(`${endpoint} after ${upstream.calls.length}`),
      });
      const read = async () => session.reads.get(DEAL, (body) => body).catch(() => undefined);
      await read();
      await session.writes.remove('DELETE', DEAL).catch(() => undefined);
      await read();
      expect(told).toEqual([1, 2].map((calls) => `DELETE /app/deals/:id.json after ${calls}`));
      expect(upstream.calls.map((call) => call.split(' ')[0])).toEqual(['GET', 'DELETE', 'GET']);
    },
  );
});
