import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  BadResponseError,
  ForbiddenError,
  NotFoundError,
  QueryLimitError,
  QueuedTooLongError,
  TooSlowError,
  UnavailableError,
  UnreachableError,
  UpstreamTimeoutError,
  ValidationError,
} from '../../../src/errors.ts';
import { CredentialState, CredentialStates } from '../../../src/calls/credential-states.ts';
import { ReadCost } from '../../../src/calls/read-cost.ts';
import { isObject } from '../../../src/formats/decode.ts';
import { CallBudget } from '../../../src/calls/transport/call-budget.ts';
import { path } from '../../../src/calls/transport/path.ts';
import type { Outgoing } from '../../../src/calls/transport/messages.ts';
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
function batches(more: SessionChanges = {}, respond = deals) {
  const credentials = new CredentialStates({ api: 'CRM', onChange: () => {} });
  const credentialState = new CredentialState(credentials, () => 'canary-secret');
  const over = fakeSession(respond, { readsAtOnce: 4, readCost: new ReadCost(4), credentialState, ...more });
  const { batches, reads } = over.session;
  const getByIds = async (ids: readonly string[]) => batches.getByIds(ids, { one, list });
  /** The same for an API that has no list. */
  const getWithoutList = async (ids: readonly string[]) => batches.getByIds(ids, { one });
  return { ...over, credentialState, reads, getByIds, getWithoutList };
}

describe('records by their ids', () => {
  test('are given in the order of the ids: a record, null for a 404, an Error for a failure', async () => {
    const { getByIds } = batches({ batchReads: 'by-id' }, (request) =>
      request.target.includes('/3.')
        ? jsonAnswer({}, { status: 500 })
        : jsonAnswer({ id: 2 }, { status: request.target.includes('/9.') ? 404 : 200 }),
    );
    expect(await getByIds(['9', '3', '2'])).toEqual([null, expect.any(UnavailableError), { id: '2' }]);
  });

  test('are read once where an id stands among them twice', async () => {
    const { getByIds, upstream } = batches({ batchReads: 'by-id' });
    expect(await getByIds(['1', '2', '1'])).toMatchObject([{ id: '1' }, { id: '2' }, { id: '1' }]);
    expect(upstream.calls).toEqual([read('1'), read('2')]);
  });

  test('are decoded as the caller says', async () => {
    const { session } = batches({ batchReads: 'by-id' });
    const as = (body: unknown) => (isObject(body) ? body['from'] : undefined);
    expect(await session.batches.getByIds(['1'], { one }, as)).toEqual(['id']);
  });

  test('are an Error where the id is refused before any call', async () => {
    const { getByIds, upstream } = batches({ batchReads: 'by-id' });
    expect(await getByIds(['..', '1'])).toMatchObject([expect.any(ValidationError), { id: '1' }]);
    expect(upstream.calls).toEqual([read('1')]);
  });

  test('an empty list of ids costs no call', async () => {
    const { getByIds, upstream } = batches({ batchReads: 'list' });
    expect(await getByIds([])).toEqual([]);
    expect(upstream.calls).toEqual([]);
  });

  test('that the list lacks are read by id', async () => {
    const { getByIds, upstream } = batches({ batchReads: 'list' });
    expect(await getByIds(['1', '11'])).toEqual([{ id: '1', from: 'list' }, null]);
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
    const { getByIds, upstream } = batches({ batchReads });
    await getByIds(idsTo(count));
    expect(upstream.calls).toEqual(isList ? [LIST] : idsTo(count).map(read));
    if (isList) expect(upstream.sent[0]?.limit.setting).toBe('MAX_JOINED_LIST_BYTES');
  });

  test('unless the API has no list', async () => {
    const { getWithoutList, upstream } = batches({ batchReads: 'list' });
    await getWithoutList(idsTo(6));
    expect(upstream.calls).toEqual(idsTo(6).map(read));
  });

  test('unless the records were read by id already', async () => {
    const { getByIds, getWithoutList, upstream } = batches({ batchReads: 'list' });
    await getWithoutList(['1', '2']);
    await getByIds(['1', '2', '3']);
    expect(upstream.calls).toEqual([read('1'), read('2'), read('3')]);
  });

  test.each([
    ['for fewer ids than it would be read for', ['1', '2'], []],
    ['but not for one id, which does not wait', ['1'], [read('1')]],
  ])('where it is under way, %s', async (_name, ids, reads) => {
    const over = batches();
    const listed = over.reads.list(list);
    await Promise.resolve(); // the list is asked for in the next turn
    await Promise.all([listed, over.getByIds(ids)]);
    expect(over.upstream.calls).toEqual([LIST, ...reads]);
  });

  test('and one id is taken from a list that is there', async () => {
    const { getByIds, reads, upstream } = batches();
    await reads.list(list);
    expect(await getByIds(['1'])).toEqual([{ id: '1', from: 'list' }]);
    expect(upstream.calls).toEqual([LIST]);
  });

  test.each([
    ['not where reads by id would take half of the calls that are left', 4, 8, false, false],
    ['where they would take more than half of them', 4, 7, false, true],
    ['not where it is avoided', 5, 100, true, false],
    ['not where it is avoided, and reads by id would take all of the calls that are left', 5, 5, true, false],
    ['where it is avoided, and those calls do not suffice for reads by id', 5, 4, true, true],
  ])('%s', async (_name, count, calls, isAvoided, isList) => {
    const { getByIds, upstream, credentialState } = batches({ budget: new CallBudget(calls) });
    if (isAvoided) credentialState.avoidList(list.path.template);
    await getByIds(idsTo(count));
    expect(upstream.calls).toEqual(isList ? [LIST] : idsTo(count).map(read));
  });
});

describe('while calls wait for a connection', () => {
  const crowded = (readCost = new ReadCost(4)) => {
    const over = batches({ readCost });
    const waiting = vi.spyOn(over.upstream, 'waiting', 'get').mockReturnValue(1);
    onTestFinished(() => waiting.mockRestore());
    return over;
  };

  test('the list is read for fewer ids than READS_AT_ONCE, and although it is avoided', async () => {
    const { getByIds, upstream, credentialState } = crowded();
    credentialState.avoidList(list.path.template);
    await getByIds(idsTo(2));
    expect(upstream.calls).toEqual([LIST]);
  });

  test('unless it is known to take longer than the reads', async () => {
    const readCost = new ReadCost(4);
    readCost.recordRead(1);
    readCost.recordList(list.path.template, { bytes: 1_000_000, headMs: 1, transferMs: 4, parseCpuMs: 5 });
    const { getByIds, upstream, credentialState } = crowded(readCost);
    credentialState.avoidList(list.path.template);
    await getByIds(idsTo(2));
    expect(upstream.calls).toEqual(idsTo(2).map(read));
  });
});

describe('after a failure of the list', () => {
  test.each([
    ['a bad response', new BadResponseError('a redirect', CALL)],
    ['a 403', new ForbiddenError('not allowed', CALL)],
    ['a 404', new NotFoundError('nothing there', CALL)],
    ['a 422', new ValidationError('refused', {}, CALL)],
    ['too much time', new TooSlowError('late', CALL)],
  ])('that concerns it alone the records are read by id: %s', async (_name, error) => {
    const { getByIds, upstream } = batches({}, listFails(error));
    expect(await getByIds(idsTo(5))).toMatchObject(idsTo(5).map((id) => ({ id, from: 'id' })));
    expect(upstream.calls).toEqual([LIST, ...idsTo(5).map(read)]);
  });

  test.each([
    ['no connection', new UnreachableError('nobody listens', CALL)],
    ['no free connection', new QueuedTooLongError('all are busy', CALL)],
    ['no answer of the API within the deadline', new UpstreamTimeoutError('late', CALL)],
    ['a mistake of the gateway', new TypeError('a mistake')],
  ])('that a read by id would meet, too, none is tried: %s', async (_name, error) => {
    const { getByIds, upstream } = batches({}, listFails(error));
    await expect(getByIds(idsTo(5))).rejects.toBe(error);
    expect(upstream.calls).toEqual([LIST]);
  });

  test('with a 5xx one probe that succeeds suffices: the records are read by id, and the list is avoided', async () => {
    const { getByIds, upstream, credentialState } = batches({}, (request) => {
      if (!/deals\/[13]\.json/.test(request.target))
        return listFails(new UnavailableError('status 500', CALL))(request);
      return jsonAnswer({}, { status: 500 });
    });
    expect(await getByIds(idsTo(5))).toMatchObject([
      expect.any(UnavailableError),
      { id: '2' },
      expect.any(UnavailableError),
      { id: '4' },
      { id: '5' },
    ]);
    expect(upstream.calls).toEqual([LIST, ...idsTo(5).map(read)]);
    expect(credentialState.avoidsList(list.path.template)).toBe(true);
  });

  test('with a 5xx a probe that finds no record shows that upstream is up', async () => {
    const { getByIds } = batches({}, (request) =>
      jsonAnswer({}, { status: request.target === '/app/deals.json' ? 500 : 404 }),
    );
    expect(await getByIds(idsTo(5))).toEqual(idsTo(5).map(() => null));
  });

  test('with a 5xx three probes that fail, too, are enough: the failure is that of the list', async () => {
    const { getByIds, upstream, credentialState } = batches({}, () => jsonAnswer({}, { status: 500 }));
    await expect(getByIds(idsTo(6))).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      upstream: { endpoint: LIST },
    });
    expect(upstream.calls).toEqual([LIST, ...idsTo(3).map(read)]);
    expect(credentialState.avoidsList(list.path.template)).toBe(false);
  });

  test('too much time and three failed probes: the failure is that of the list, which is not avoided', async () => {
    const { getByIds, upstream, credentialState } = batches({}, ({ target }) => {
      if (target === '/app/deals.json') throw new TooSlowError('late', CALL);
      return jsonAnswer({}, { status: 500 });
    });
    await expect(getByIds(idsTo(6))).rejects.toThrow(TooSlowError);
    expect(upstream.calls).toEqual([LIST, ...idsTo(3).map(read)]);
    expect(credentialState.avoidsList(list.path.template)).toBe(false);
  });

  test('with a 5xx none is read by id where the calls that are left do not suffice', async () => {
    const failing = listFails(new UnavailableError('status 500', CALL));
    const short = batches({ budget: new CallBudget(5) }, failing);
    await expect(short.getByIds(idsTo(5))).rejects.toThrow(/status 500/);
    expect(short.upstream.calls).toEqual([LIST]);

    const enough = batches({ budget: new CallBudget(6) }, failing);
    await expect(enough.getByIds(idsTo(5))).resolves.toHaveLength(5);
  });

  test('records that were read meanwhile need no probe', async () => {
    const failing = listFails(new UnavailableError('status 500', CALL));
    const { getByIds, reads } = batches({ batchReads: 'list' }, failing);
    const batch = getByIds(['1', '2']);
    await Promise.all(['1', '2'].map(async (id) => reads.get(one(id), (body) => body)));
    await expect(batch).resolves.toMatchObject([{ id: '1' }, { id: '2' }]);
  });
});

test('records beyond the calls that are left are errors of their own', async () => {
  const { getByIds, upstream } = batches({ batchReads: 'by-id', budget: new CallBudget(2) });
  const read = await getByIds(idsTo(3));
  expect(read).toEqual([expect.any(QueryLimitError), expect.any(QueryLimitError), expect.any(QueryLimitError)]);
  expect(upstream.calls).toEqual([]);
});
