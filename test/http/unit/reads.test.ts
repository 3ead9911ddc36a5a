import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  BadResponseError,
  BreakerOpenError,
  LateEndpointError,
  QueryLimitError,
  TooLargeError,
  TooSlowError,
  UnavailableError,
  UnreachableError,
  UpstreamTimeoutError,
} from '../../../src/errors.ts';
import { record } from '../../../src/formats/decode.ts';
import { CredentialState, CredentialStates } from '../../../src/calls/credential-states.ts';
import { ReadCost } from '../../../src/calls/read-cost.ts';
import { CallBudget } from '../../../src/calls/transport/call-budget.ts';
import { path } from '../../../src/calls/transport/path.ts';
import { fakeSession, jsonAnswer } from '../../support/fake-upstream.ts';

const CALL = { api: 'CRM', endpoint: 'GET /app/deals/:id.json' };
const DEALS = { path: path`/app/deals.json` };
const deal = (id: string) => ({ path: path`/app/deals/${id}.json` });
const listOfOne = () => jsonAnswer([{ id: 1 }]);
const throws = (error: Error) => () => {
  throw error;
};

describe('a record', () => {
  test('is read once, however often it is asked for', async () => {
    const { session, upstream } = fakeSession(() => jsonAnswer({ id: 7 }));
    const reads = [session.reads.get(deal('7'), record), session.reads.get(deal('7'), record)];
    expect(await Promise.all(reads)).toEqual([{ id: '7' }, { id: '7' }]);
    expect(await session.reads.get(deal('7'), record)).toEqual({ id: '7' });
    expect(upstream.calls).toEqual(['GET /app/deals/7.json']);
  });

  test('is read under the limit of a record', async () => {
    const { session, upstream } = fakeSession(() => jsonAnswer({ id: 7 }));
    await session.reads.get(deal('7'), record);
    expect(upstream.sent[0]?.limit.setting).toBe('MAX_RECORD_BYTES');
  });

  test('that cannot be decoded is a bad response that names the call', async () => {
    const { session } = fakeSession(listOfOne);
    const read = session.reads.get(deal('7'), record);
    await expect(read).rejects.toThrow(BadResponseError);
    await expect(read).rejects.toMatchObject({
      message: 'The CRM API: Expected an object, got a list.',
      upstream: CALL,
    });
  });

  test('is known to have been asked for before it is there', async () => {
    const { session } = fakeSession(() => jsonAnswer({ id: 7 }));
    expect(session.reads.has(deal('7'))).toBe(false);
    const reading = session.reads.get(deal('7'), record);
    expect([session.reads.has(deal('7')), session.reads.has(deal('8'))]).toEqual([true, false]);
    await reading;
  });

  test('is read anew once the reads are forgotten', async () => {
    const { session, upstream } = fakeSession(() => jsonAnswer({ id: 7 }));
    await session.reads.get(deal('7'), record);
    session.forget();
    expect(session.reads.has(deal('7'))).toBe(false);
    await session.reads.get(deal('7'), record);
    expect(upstream.calls).toHaveLength(2);
  });

  test('tells the read cost how long its response took', async () => {
    const readCost = new ReadCost(1);
    const { session } = fakeSession(() => jsonAnswer({ id: 7 }, { totalMs: 1_000 }), { readCost });
    readCost.recordList('/list', { bytes: 1_000, headMs: 2_000, transferMs: 0, parseCpuMs: 0 });
    readCost.recordList('/other', { bytes: 1_000, headMs: 1, transferMs: 0, parseCpuMs: 0 });
    expect(readCost.prefersList('/list', 6)).toBe(false);
    await session.reads.get(deal('7'), record);
    expect(readCost.prefersList('/list', 6)).toBe(true);
  });
});

describe('reads by id that are asked for together', () => {
  test('are none at all where the calls that are left do not suffice for all', async () => {
    const { session, upstream } = fakeSession(() => jsonAnswer({ id: 7 }), { budget: new CallBudget(2) });
    const reads = await Promise.allSettled(['1', '2', '3'].map(async (id) => session.reads.get(deal(id), record)));
    for (const read of reads) expect(read).toMatchObject({ reason: expect.any(QueryLimitError) });
    expect(reads[0]).toMatchObject({ reason: { upstream: CALL } });
    expect(upstream.calls).toEqual([]);
  });

  test('are all sent where the calls that are left just suffice', async () => {
    const { session, upstream } = fakeSession(() => jsonAnswer({ id: 7 }), { budget: new CallBudget(3) });
    await Promise.all(['1', '2', '3'].map(async (id) => session.reads.get(deal(id), record)));
    expect(upstream.calls).toHaveLength(3);
  });

  test('reckon with the reads that are still queued', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const { session, upstream } = fakeSession(async () => held.then(() => jsonAnswer({ id: 7 })), {
      budget: new CallBudget(4),
      readsAtOnce: 1,
    });
    const first = ['1', '2', '3'].map(async (id) => session.reads.get(deal(id), record));
    await new Promise((resolve) => setImmediate(resolve)); // one is under way, two are queued
    const second = await Promise.allSettled(['4', '5'].map(async (id) => session.reads.get(deal(id), record)));
    expect(second.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    release();
    await Promise.all(first);
    expect(upstream.calls).toHaveLength(3);
  });

  test('go out as many at once as the option says', async () => {
    let open = 0;
    let most = 0;
    const { session } = fakeSession(
      async () => {
        open += 1;
        most = Math.max(most, open);
        await new Promise((resolve) => setTimeout(resolve, 1));
        open -= 1;
        return jsonAnswer({ id: 7 });
      },
      { readsAtOnce: 3 },
    );
    await Promise.all(Array.from({ length: 7 }, async (_none, id) => session.reads.get(deal(`${id}`), record)));
    expect(most).toBe(3);
  });
});

test('reads that are refused for an open breaker all fail, after one of them was tried again', async () => {
  const { session, upstream } = fakeSession(throws(new BreakerOpenError('is down', CALL, 1)));
  const reads = await Promise.allSettled(['1', '2'].map(async (id) => session.reads.get(deal(id), record)));
  for (const read of reads) expect(read).toMatchObject({ reason: expect.any(BreakerOpenError) });
  expect(upstream.calls).toHaveLength(3);
});

describe('an upstream that did not respond to a read', () => {
  test.each([
    ['within the deadline', new UpstreamTimeoutError('late', CALL)],
    ['for there is no connection', new UnreachableError('nobody listens', CALL)],
  ])('is not asked again, %s', async (_name, error) => {
    const { session, upstream } = fakeSession(throws(error));
    await expect(session.reads.get(deal('1'), record)).rejects.toBe(error);
    await expect(session.reads.get(deal('2'), record)).rejects.toBe(error);
    expect(upstream.calls).toEqual(['GET /app/deals/1.json']);
  });

  test('is asked again after another failure', async () => {
    const { session, upstream } = fakeSession(throws(new UnavailableError('status 500', CALL)));
    for (const id of ['1', '2']) await expect(session.reads.get(deal(id), record)).rejects.toThrow(/status 500/);
    expect(upstream.calls).toHaveLength(2);
  });

  test('is asked again once the reads are forgotten', async () => {
    const { session, upstream } = fakeSession(throws(new UnreachableError('nobody listens', CALL)));
    await expect(session.reads.get(deal('1'), record)).rejects.toThrow(/nobody listens/);
    session.forget();
    await expect(session.reads.get(deal('2'), record)).rejects.toThrow(/nobody listens/);
    expect(upstream.calls).toHaveLength(2);
  });
});

describe('a list', () => {
  test('is read once, under the limit of a list', async () => {
    const { session, upstream } = fakeSession(listOfOne);
    const [one, other] = await Promise.all([session.reads.list(DEALS), session.reads.list(DEALS)]);
    expect([[...one], [...other]]).toEqual([[{ id: '1' }], [{ id: '1' }]]);
    expect(await session.reads.list(DEALS)).toBe(await session.reads.list(DEALS));
    expect(upstream.sent.map(({ limit }) => limit.setting)).toEqual(['MAX_LIST_BYTES']);
  });

  test('in place of reads by id is read once, under a limit of its own', async () => {
    const { session, upstream } = fakeSession(listOfOne);
    await Promise.all([session.reads.joinedList(DEALS), session.reads.joinedList(DEALS)]);
    expect(upstream.sent.map(({ limit }) => limit.setting)).toEqual(['MAX_JOINED_LIST_BYTES']);
  });

  test('is not read again where it was read in place of reads by id', async () => {
    const { session, upstream } = fakeSession(listOfOne);
    const joined = session.reads.joinedList(DEALS);
    expect(await session.reads.list(DEALS)).toBe(await joined);
    expect(upstream.calls).toHaveLength(1);
  });

  test('is read again where it was too large for the smaller limit', async () => {
    const { session, upstream } = fakeSession(({ limit }) => {
      if (limit.setting === 'MAX_JOINED_LIST_BYTES') throw new TooLargeError('too large', CALL);
      return listOfOne();
    });
    const joined = session.reads.joinedList(DEALS);
    await expect(Promise.all([joined, session.reads.list(DEALS)])).rejects.toThrow(TooLargeError);
    expect([...(await session.reads.list(DEALS))]).toEqual([{ id: '1' }]);
    expect(upstream.sent.map(({ limit }) => limit.bytes)).toEqual([2_000, 3_000]);
  });

  test('is not read again where it failed otherwise in place of reads by id', async () => {
    const { session, upstream } = fakeSession(throws(new UnavailableError('status 500', CALL)));
    await expect(session.reads.joinedList(DEALS)).rejects.toThrow(/status 500/);
    await expect(session.reads.list(DEALS)).rejects.toThrow(/status 500/);
    expect(upstream.calls).toHaveLength(1);
  });

  test('is another one with another query', async () => {
    const { session, upstream } = fakeSession(listOfOne);
    await session.reads.list(DEALS);
    await session.reads.list({ path: path`/app/deals.json?all=yes` });
    expect(upstream.calls).toEqual(['GET /app/deals.json', 'GET /app/deals.json?all=yes']);
  });

  test('is read anew once the reads are forgotten', async () => {
    const { session, upstream } = fakeSession(listOfOne);
    await session.reads.list(DEALS);
    session.forget();
    expect(session.reads.listAtHand(DEALS)).toBeUndefined();
    await session.reads.list(DEALS);
    expect(upstream.calls).toHaveLength(2);
  });

  test('that is an object is a bad response', async () => {
    const { session } = fakeSession(() => jsonAnswer({ id: 1 }));
    await expect(session.reads.list(DEALS)).rejects.toMatchObject({
      message: 'The CRM API: Expected a list, got an object.',
      upstream: { endpoint: 'GET /app/deals.json' },
    });
  });
});

describe('a list that was asked for already', () => {
  test.each(['list', 'joinedList'] as const)('is at hand, and complete once it is there: %s', async (kind) => {
    const { session } = fakeSession(listOfOne);
    expect(session.reads.listAtHand(DEALS)).toBeUndefined();
    const reading = session.reads[kind](DEALS);
    await Promise.resolve();
    expect(session.reads.listAtHand(DEALS)).toMatchObject({ isComplete: false, isCached: false });
    const list = await reading;
    expect(session.reads.listAtHand(DEALS)).toMatchObject({ isComplete: true, isCached: false });
    expect(await session.reads.listAtHand(DEALS)?.read()).toBe(list);
    expect(await session.reads.shownList(DEALS)).toBe(list);
  });

  test('is not completed where it failed, and empty for those who can do without it', async () => {
    const { session } = fakeSession(throws(new UnavailableError('status 500', CALL)));
    await expect(session.reads.list(DEALS)).rejects.toThrow(/status 500/);
    expect(session.reads.listAtHand(DEALS)).toMatchObject({ isComplete: false });
    await expect(session.reads.shownList(DEALS)).resolves.toHaveLength(0);
  });

  test('is none where another one was asked for', async () => {
    const { session } = fakeSession(listOfOne);
    await session.reads.list(DEALS);
    expect(session.reads.shownList({ path: path`/app/clients.json` })).toBeUndefined();
  });
});

describe('the cost of a list', () => {
  test.each([
    ['too large', new TooLargeError('too large', CALL), true],
    ['late by itself', new LateEndpointError('late', CALL), true],
    ['late, as the whole API was', new UpstreamTimeoutError('late', CALL), false],
    ['refused', new BadResponseError('a redirect', CALL), false],
  ])('a list that was %s is avoided: %#', async (_name, error, avoided) => {
    const credentials = new CredentialStates({ api: 'CRM', onChange: () => {} });
    const credentialState = new CredentialState(credentials, () => 'canary-secret');
    const { session } = fakeSession(throws(error), { credentialState });
    await expect(session.reads.joinedList(DEALS)).rejects.toBe(error);
    expect(credentialState.avoidsList('/app/deals.json')).toBe(avoided);
  });

  test('is what its head, its transfer and its parsing took', async () => {
    const { session, options } = fakeSession(() => jsonAnswer([{ id: 1 }], { totalMs: 10_000, headMs: 100 }));
    const usage = vi.spyOn(process, 'cpuUsage');
    onTestFinished(() => usage.mockRestore());
    usage.mockImplementation((since) => (since ? { user: 2_000, system: 500 } : { user: 0, system: 0 }));
    const recorded = vi.spyOn(options.api.readCost, 'recordList');
    await session.reads.list(DEALS);
    const measured = { bytes: 10, headMs: 100, transferMs: 9_900, parseCpuMs: 2.5 };
    expect(recorded.mock.calls).toEqual([['/app/deals.json', measured]]);
  });

  test('is not recorded for a response that is no list of records', async () => {
    const { session, options } = fakeSession(() => jsonAnswer({}, { totalMs: 10_000, headMs: 100 }));
    await expect(session.reads.list(DEALS)).rejects.toThrow(/Expected a list/);
    options.api.readCost.recordRead(1);
    expect(options.api.readCost.prefersList('/app/deals.json', 11)).toBe(true); // its size is not known
  });
});

test("a list that was given up in place of reads by id is read by a field that asks for it, under that field's deadline", async () => {
  const { session, upstream } = fakeSession(() => {
    if (upstream.sent.length > 1) return listOfOne();
    throw new TooSlowError('late', { api: 'CRM', endpoint: 'GET /app/deals.json' });
  });
  const cap = { bytes: 500, ms: 7, isCutShort: false };
  await expect(session.reads.joinedList(DEALS, cap)).rejects.toBeInstanceOf(TooSlowError);
  expect([...(await session.reads.list(DEALS))]).toHaveLength(1);
  expect(upstream.sent).toMatchObject([
    { capMs: 7, limit: { bytes: 500 } },
    { capMs: undefined, limit: { bytes: 3_000 } },
  ]);
});

test('the same holds where both have one limit of bytes, and for a record that had too little time', async () => {
  const bytes = { bytes: 2_000, setting: 'MAX_LIST_BYTES' };
  const { session, upstream } = fakeSession(
    ({ target }) => {
      if (upstream.sent.length % 2 === 0) return target === '/app/deals.json' ? listOfOne() : jsonAnswer({ id: 7 });
      throw new UpstreamTimeoutError('late', CALL);
    },
    { maxList: bytes, maxJoinedList: bytes },
  );
  await expect(session.reads.list({ ...DEALS, timeoutMs: 7 })).rejects.toThrow('late');
  expect([...(await session.reads.list(DEALS))]).toHaveLength(1);
  await expect(session.reads.get({ ...deal('7'), timeoutMs: 7 }, record)).rejects.toThrow('late');
  expect(await session.reads.get(deal('7'), record)).toEqual({ id: '7' });
});

test('a list beyond the limit of the endpoint is not read again, one beyond a smaller cap is', async () => {
  const { session, upstream } = fakeSession(throws(new TooLargeError('too large', CALL)));
  const cap = (bytes: number) => ({ bytes, ms: 7, isCutShort: false });
  const calls = async (bytes: number) => {
    const before = upstream.sent.length;
    for (let reads = 0; reads < 2; reads += 1)
      await expect(session.reads.joinedList(DEALS, cap(bytes))).rejects.toThrow('too large');
    return upstream.sent.length - before;
  };
  expect(await calls(500)).toBe(2);
  expect(await calls(Infinity)).toBe(1);
});

test('a read that failed with all of its time is the answer of the operation', async () => {
  const { session, upstream } = fakeSession(throws(new UpstreamTimeoutError('late', CALL)));
  for (let reads = 0; reads < 2; reads += 1) {
    await expect(session.reads.list(DEALS)).rejects.toThrow('late');
    await expect(session.reads.get(deal('7'), record)).rejects.toThrow('late');
  }
  expect(upstream.sent).toHaveLength(2);
});

test('a record that hangs fails the later reads of its endpoint, under its name, and those of no other one', async () => {
  const { session, upstream } = fakeSession(
    ({ target }) => {
      if (target.includes('/deals/')) throw new UpstreamTimeoutError('late', CALL);
      return jsonAnswer({ id: 7 });
    },
    { readsAtOnce: 1 },
  );
  const reads = [deal('7'), deal('8'), { path: path`/app/clients/7.json` }].map((get) =>
    session.reads.get(get, record),
  );
  const [hung, queued, other] = await Promise.allSettled(reads);
  for (const failed of [hung, queued]) expect(failed).toMatchObject({ reason: { message: 'late', upstream: CALL } });
  expect(other).toMatchObject({ value: { id: '7' } });
  expect(upstream.calls).toEqual(['GET /app/deals/7.json', 'GET /app/clients/7.json']);
});

describe('a list that is read by POST', () => {
  const search = { path: path`/app/search.json`, body: { q: 'a' } };

  test('is sent as a read under the limit of a list, and is not kept', async () => {
    const { session, upstream } = fakeSession(listOfOne);
    expect([...(await session.reads.listByPost(search))]).toEqual([{ id: '1' }]);
    await session.reads.listByPost(search);
    expect(upstream.sent).toHaveLength(2);
    expect(upstream.sent[0]).toMatchObject({
      method: 'POST',
      body: '{"q":"a"}',
      isRead: true,
      limit: { setting: 'MAX_LIST_BYTES' },
    });
  });
});
