import { describe, expect, test } from 'vitest';
import {
  BadResponseError,
  ForbiddenError,
  NotFoundError,
  QueryLimitError,
  UnavailableError,
  UnreachableError,
  UpstreamTimeoutError,
  ValidationError,
} from '../../../src/http/errors.ts';
import { ReadCost } from '../../../src/http/session/read-cost.ts';
import { isObject } from '../../../src/http/formats/decode.ts';
import { CallBudget } from '../../../src/http/transport/call-budget.ts';
import { path } from '../../../src/http/transport/path.ts';
import type { Outgoing } from '../../../src/http/transport/messages.ts';
import { fakeSession, jsonAnswer, type SessionChanges } from '../../support/fake-upstream.ts';

const CALL = { api: 'CRM', endpoint: 'GET /app/deals.json' };
const LIST = 'GET /app/deals.json';
const list = { path: path`/app/deals.json` };
const one = (id: string) => ({ path: path`/app/deals/${id}.json` });
const read = (id: string) => `GET /app/deals/${id}.json`;
const idsTo = (count: number) => Array.from({ length: count }, (_none, index) => `${index + 1}`);

/** An upstream with the deals 1 to 10, in the list and by id. */
function deals({ target }: Outgoing) {
  const [, id] = /deals\/(\w+)\.json/.exec(target) ?? [];
  if (id === undefined) return jsonAnswer(idsTo(10).map((listed) => ({ id: listed, from: 'list' })));
  return Number(id) <= 10 ? jsonAnswer({ id, from: 'id' }) : jsonAnswer({}, { status: 404 });
}

/** The same, but its list fails. */
const listFails = (error: Error) => (request: Outgoing) => {
  if (request.target === '/app/deals.json') throw error;
  return deals(request);
};

/** Five ids or more try a list of unknown size. */
const session = (more: SessionChanges = {}, respond = deals) =>
  fakeSession(respond, { readsAtOnce: 4, readCost: new ReadCost(4), ...more });

describe('records by their ids', () => {
  test('are given in the order of the ids: a record, null for a 404, an Error for a failure', async () => {
    const { session: deals } = session({ batchReads: 'by-id' }, (request) =>
      request.target.includes('/3.')
        ? jsonAnswer({}, { status: 500 })
        : jsonAnswer({ id: 2 }, { status: request.target.includes('/9.') ? 404 : 200 }),
    );
    expect(await deals.batches.getByIds(['9', '3', '2'], { one, list })).toEqual([
      null,
      expect.any(UnavailableError),
      { id: '2' },
    ]);
  });

  test('are read once where an id stands among them twice', async () => {
    const { session: deals, upstream } = session({ batchReads: 'by-id' });
    expect(await deals.batches.getByIds(['1', '2', '1'], { one })).toMatchObject([
      { id: '1' },
      { id: '2' },
      { id: '1' },
    ]);
    expect(upstream.calls).toEqual([read('1'), read('2')]);
  });

  test('are decoded as the caller says', async () => {
    const { session: deals } = session({ batchReads: 'by-id' });
    const as = (body: unknown) => (isObject(body) ? body['from'] : undefined);
    expect(await deals.batches.getByIds(['1'], { one }, as)).toEqual(['id']);
  });

  test('are an Error where the id is refused before any call', async () => {
    const { session: deals, upstream } = session({ batchReads: 'by-id' });
    expect(await deals.batches.getByIds(['..', '1'], { one })).toMatchObject([
      expect.any(ValidationError),
      { id: '1' },
    ]);
    expect(upstream.calls).toEqual([read('1')]);
  });

  test('an empty list of ids costs no call', async () => {
    const { session: deals, upstream } = session({ batchReads: 'list' });
    expect(await deals.batches.getByIds([], { one, list })).toEqual([]);
    expect(upstream.calls).toEqual([]);
  });

  test('that the list lacks are read by id', async () => {
    const { session: deals, upstream } = session({ batchReads: 'list' });
    expect(await deals.batches.getByIds(['1', '11'], { one, list })).toEqual([{ id: '1', from: 'list' }, null]);
    expect(upstream.calls).toEqual([LIST, read('11')]);
  });
});

describe('the list is read in place of reads by id', () => {
  test.each([
    ['auto', 1, false],
    ['auto', 4, false],
    ['auto', 5, true],
    ['by-id', 5, false],
    ['list', 1, false],
    ['list', 2, true],
  ] as const)('%s, %i ids: %s', async (batchReads, count, isList) => {
    const { session: deals, upstream } = session({ batchReads });
    await deals.batches.getByIds(idsTo(count), { one, list });
    expect(upstream.calls).toEqual(isList ? [LIST] : idsTo(count).map(read));
    if (isList) expect(upstream.sent[0]?.limit.setting).toBe('MAX_JOINED_LIST_BYTES');
  });

  test('unless the API has no list', async () => {
    const { session: deals, upstream } = session({ batchReads: 'list' });
    await deals.batches.getByIds(idsTo(6), { one });
    expect(upstream.calls).toEqual(idsTo(6).map(read));
  });

  test('unless the records were read by id already', async () => {
    const { session: deals, upstream } = session({ batchReads: 'list' });
    await deals.batches.getByIds(['1', '2'], { one });
    await deals.batches.getByIds(['1', '2', '3'], { one, list });
    expect(upstream.calls).toEqual([read('1'), read('2'), read('3')]);
  });

  test('where it is under way for fewer ids than it would be read for', async () => {
    const { session: deals, upstream } = session();
    const listed = deals.reads.list(list);
    await Promise.resolve(); // the list is asked for in the next turn
    await Promise.all([listed, deals.batches.getByIds(['1', '2'], { one, list })]);
    expect(upstream.calls).toEqual([LIST]);
  });

  test('but one id does not wait for a list that is under way', async () => {
    const { session: deals, upstream } = session();
    const listed = deals.reads.list(list);
    await Promise.resolve(); // the list is asked for in the next turn
    await Promise.all([listed, deals.batches.getByIds(['1'], { one, list })]);
    expect(upstream.calls).toEqual([LIST, read('1')]);
  });

  test('and one id is taken from a list that is there', async () => {
    const { session: deals, upstream } = session();
    await deals.reads.list(list);
    expect(await deals.batches.getByIds(['1'], { one, list })).toEqual([{ id: '1', from: 'list' }]);
    expect(upstream.calls).toEqual([LIST]);
  });

  test('where reads by id would take more than half of the calls that are left', async () => {
    for (const [calls, isList] of [
      [8, false],
      [7, true],
    ] as const) {
      const { session: deals, upstream } = session({ budget: new CallBudget(calls) });
      await deals.batches.getByIds(idsTo(4), { one, list });
      expect(upstream.calls).toEqual(isList ? [LIST] : idsTo(4).map(read));
    }
  });

  test('unless it is avoided', async () => {
    const { session: deals, upstream, options } = session();
    options.api.readCost.avoidList(list.path.template);
    await deals.batches.getByIds(idsTo(5), { one, list });
    expect(upstream.calls).toEqual(idsTo(5).map(read));
  });

  test('even if it is avoided, where the calls that are left do not suffice for reads by id', async () => {
    for (const [calls, isList] of [
      [5, false],
      [4, true],
    ] as const) {
      const { session: deals, upstream, options } = session({ budget: new CallBudget(calls) });
      options.api.readCost.avoidList(list.path.template);
      await deals.batches.getByIds(idsTo(5), { one, list });
      expect(upstream.calls).toEqual(isList ? [LIST] : idsTo(5).map(read));
    }
  });
});

describe('after a failure of the list', () => {
  test.each([
    ['a bad response', new BadResponseError('a redirect', CALL)],
    ['a 403', new ForbiddenError('not allowed', CALL)],
    ['a 404', new NotFoundError('nothing there', CALL)],
    ['a 422', new ValidationError('refused', {}, CALL)],
    ['its own deadline', new UpstreamTimeoutError('late', CALL)],
  ])('that concerns it alone the records are read by id: %s', async (_name, error) => {
    const { session: deals, upstream } = session({}, listFails(error));
    expect(await deals.batches.getByIds(idsTo(5), { one, list })).toMatchObject(
      idsTo(5).map((id) => ({ id, from: 'id' })),
    );
    expect(upstream.calls).toEqual([LIST, ...idsTo(5).map(read)]);
  });

  test.each([
    ['no connection', new UnreachableError('nobody listens', CALL)],
    ['a mistake of the gateway', new TypeError('a mistake')],
  ])('that a read by id would meet, too, none is tried: %s', async (_name, error) => {
    const { session: deals, upstream } = session({}, listFails(error));
    await expect(deals.batches.getByIds(idsTo(5), { one, list })).rejects.toBe(error);
    expect(upstream.calls).toEqual([LIST]);
  });

  test('with a 5xx the records are read by id where some of them can be, and the list is avoided', async () => {
    const { session: deals, upstream, options } = session({}, listFails(new UnavailableError('status 500', CALL)));
    expect(await deals.batches.getByIds(idsTo(6), { one, list })).toMatchObject(
      idsTo(6).map((id) => ({ id, from: 'id' })),
    );
    expect(upstream.calls).toEqual([LIST, ...idsTo(6).map(read)]);
    expect(options.api.readCost.avoidsList(list.path.template)).toBe(true);
  });

  test('with a 5xx one probe that succeeds suffices', async () => {
    const { session: deals } = session({}, (request) => {
      if (!/deals\/[13]\.json/.test(request.target))
        return listFails(new UnavailableError('status 500', CALL))(request);
      return jsonAnswer({}, { status: 500 });
    });
    expect(await deals.batches.getByIds(idsTo(5), { one, list })).toMatchObject([
      expect.any(UnavailableError),
      { id: '2' },
      expect.any(UnavailableError),
      { id: '4' },
      { id: '5' },
    ]);
  });

  test('with a 5xx a probe that finds no record shows that upstream is up', async () => {
    const { session: deals } = session({}, (request) =>
      jsonAnswer({}, { status: request.target === '/app/deals.json' ? 500 : 404 }),
    );
    expect(await deals.batches.getByIds(idsTo(5), { one, list })).toEqual(idsTo(5).map(() => null));
  });

  test('with a 5xx three probes that fail, too, are enough: the failure is that of the list', async () => {
    const { session: deals, upstream, options } = session({}, () => jsonAnswer({}, { status: 500 }));
    await expect(deals.batches.getByIds(idsTo(6), { one, list })).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      upstream: { endpoint: LIST },
    });
    expect(upstream.calls).toEqual([LIST, ...idsTo(3).map(read)]);
    expect(options.api.readCost.avoidsList(list.path.template)).toBe(false);
  });

  test('with a 5xx none is read by id where the calls that are left do not suffice', async () => {
    const failing = listFails(new UnavailableError('status 500', CALL));
    const short = session({ budget: new CallBudget(5) }, failing);
    await expect(short.session.batches.getByIds(idsTo(5), { one, list })).rejects.toThrow(/status 500/);
    expect(short.upstream.calls).toEqual([LIST]);

    const enough = session({ budget: new CallBudget(6) }, failing);
    await expect(enough.session.batches.getByIds(idsTo(5), { one, list })).resolves.toHaveLength(5);
  });

  test('records that were read meanwhile need no probe', async () => {
    const { session: deals } = session({ batchReads: 'list' }, listFails(new UnavailableError('status 500', CALL)));
    const batch = deals.batches.getByIds(['1', '2'], { one, list });
    const reads = ['1', '2'].map(async (id) => deals.reads.get(one(id), (body) => body));
    await Promise.all(reads);
    await expect(batch).resolves.toMatchObject([{ id: '1' }, { id: '2' }]);
  });
});

test('records beyond the calls that are left are errors of their own', async () => {
  const { session: deals, upstream } = session({ batchReads: 'by-id', budget: new CallBudget(2) });
  const read = await deals.batches.getByIds(idsTo(3), { one });
  expect(read).toEqual([expect.any(QueryLimitError), expect.any(QueryLimitError), expect.any(QueryLimitError)]);
  expect(upstream.calls).toEqual([]);
});
