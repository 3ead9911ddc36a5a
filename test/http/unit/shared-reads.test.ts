import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { record } from '../../../src/http/formats/decode.ts';
import { json } from '../../../src/http/formats/json.ts';
import { ReadCost } from '../../../src/http/session/read-cost.ts';
import { type SessionOptions, UpstreamSession } from '../../../src/http/session/session.ts';
import { OperationSharing, SharedReads } from '../../../src/http/session/shared-reads.ts';
import { Departure } from '../../../src/http/transport/departure.ts';
import { CallBudget } from '../../../src/http/transport/call-budget.ts';
import { path } from '../../../src/http/transport/path.ts';
import { Turns } from '../../../src/http/transport/turns.ts';
import { Upstream } from '../../../src/http/transport/upstream.ts';
import { API, sessionOptions } from '../../support/fake-upstream.ts';
import { stubUpstream } from '../../support/stub-upstream.ts';

const DEAL = { path: path`/app/deals/${'7'}.json` };
const DEALS = { path: path`/app/deals.json` };

/** An upstream that answers when it is told to. */
async function heldUpstream() {
  const held: ServerResponse[] = [];
  const { url, received } = await stubUpstream((_request, response) => void held.push(response));
  const upstream = new Upstream(API, {
    url: new URL(url),
    timeoutMs: 60_000,
    connections: 10,
    maxWaiting: 10,
    turns: new Turns(),
  });
  onTestFinished(async () => upstream.close());
  const answer = async (calls: number, body: unknown, status = 200) => {
    await expect.poll(() => held.length).toBe(calls);
    for (const response of held) response.writeHead(status, { 'content-type': 'application/json' });
    for (const response of held.splice(0)) response.end(JSON.stringify(body));
  };
  return { upstream, received, answer };
}

/** A session of an operation of its own, of a caller with this credential. */
function session(
  upstream: Upstream,
  reads: SharedReads<unknown>,
  more: Partial<SessionOptions<unknown>> = {},
  generationOf: (endpoint: string) => string | undefined = () => '1',
) {
  const sharing = new OperationSharing(reads, () => 'a', generationOf);
  return new UpstreamSession({ ...sessionOptions(upstream), sharing, ...more });
}

test('a response that is shared is parsed once, and its times are learned once', async () => {
  const { upstream, answer } = await heldUpstream();
  let [parsed, reads, lists] = [0, 0, 0];
  const parse: typeof json.parse = (...body) => {
    parsed += 1;
    return json.parse(...body);
  };
  class CountedCost extends ReadCost {
    override recordRead = () => void (reads += 1);
    override recordList = () => void (lists += 1);
  }
  const more = { format: { ...json, parse }, readCost: new CountedCost(10) };
  const shared = new SharedReads<unknown>();
  const sessions = [1, 2, 3].map(() => session(upstream, shared, more));

  const records = Promise.all(sessions.map(async ({ reads }) => reads.get(DEAL, record)));
  await answer(1, { id: 7 });
  const [first, ...others] = await records;
  expect(first).toEqual({ id: '7' });
  for (const other of others) expect(other).toBe(first);

  const listed = Promise.all(sessions.map(async ({ reads }) => reads.list(DEALS)));
  await answer(1, [{ id: 7 }, 'no record']);
  const [list, ...otherLists] = await listed;
  for (const other of otherLists) expect(other).toBe(list);

  expect({ parsed, reads, lists }).toEqual({ parsed: 2, reads: 1, lists: 1 });
  expect(shared.size).toBe(0);
});

test('each API has reads of its own, whatever the path and the credential', async () => {
  const { upstream, received, answer } = await heldUpstream();
  const sessions = [new SharedReads<unknown>(), new SharedReads<unknown>()].map((reads) => session(upstream, reads));
  const records = Promise.all(sessions.map(async ({ reads }) => reads.get(DEAL, record)));
  await answer(2, { id: 7 });
  await records;
  expect(received).toHaveLength(2);
});

test('a read under another limit of bytes has a call of its own', async () => {
  const { upstream, received, answer } = await heldUpstream();
  const shared = new SharedReads<unknown>();
  const limits = [10, 20].map((bytes) => ({ maxRecord: { bytes, setting: 'MAX_RECORD_BYTES' } }));
  const records = Promise.all(limits.map(async (limit) => session(upstream, shared, limit).reads.get(DEAL, record)));
  await answer(2, { id: 7 });
  await records;
  expect(received).toHaveLength(2);
});

test('a read joins no call of another generation, and none where the generation is not known', async () => {
  const { upstream, received, answer } = await heldUpstream();
  const shared = new SharedReads<unknown>();
  const asked: string[] = [];
  const generations = ['1', '1', '2', undefined, undefined, '2'];
  const records = Promise.all(
    generations.map(async (generation) => {
      const generationOf = (endpoint: string) => {
        asked.push(endpoint);
        return generation;
      };
      return session(upstream, shared, {}, generationOf).reads.get(DEAL, record);
    }),
  );
  await answer(4, { id: 7 });
  await records;
  expect(received).toHaveLength(4);
  expect(new Set(asked)).toEqual(new Set(['GET /app/deals/:id.json']));
});

test('an operation without calls left joins none', async () => {
  const { upstream, received, answer } = await heldUpstream();
  const shared = new SharedReads<unknown>();
  const first = session(upstream, shared).reads.list(DEALS);
  const refused = session(upstream, shared, { budget: new CallBudget(0) }).reads.list(DEALS);
  await expect(refused).rejects.toMatchObject({ code: 'QUERY_LIMIT_EXCEEDED' });
  await answer(1, []);
  await first;
  expect(received).toHaveLength(1);
});

test('each participant has a deadline of its own', async () => {
  const { upstream, received, answer } = await heldUpstream();
  const shared = new SharedReads<unknown>();
  const patient = session(upstream, shared).reads.list(DEALS);
  const hasty = session(upstream, shared).reads.list({ ...DEALS, timeoutMs: 20 });
  await expect(hasty).rejects.toMatchObject({ message: 'The CRM API did not answer within 0.02 s.' });
  expect(shared.size).toBe(1);
  await answer(1, [{ id: 7 }]);
  await expect(patient).resolves.toEqual([{ id: '7' }]);
  expect(received).toHaveLength(1);
});

test('a call whose participants have all given up may not be joined any more', async () => {
  const { upstream, received, answer } = await heldUpstream();
  const shared = new SharedReads<unknown>();
  const gone = new Departure();
  const leaving = session(upstream, shared, { gone }).reads.list(DEALS);
  const hasty = session(upstream, shared).reads.list({ ...DEALS, timeoutMs: 20 });
  await expect(hasty).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
  await expect.poll(() => received).toHaveLength(1);
  gone.happen();
  await expect(leaving).rejects.toMatchObject({ code: 'CALLER_GONE' });
  expect(shared.size).toBe(0);

  const anew = session(upstream, shared).reads.list(DEALS);
  await answer(2, []);
  await expect(anew).resolves.toEqual([]);
});

test('a failure of the network is the failure of every participant, and nobody joins it later', async () => {
  const upstream = new Upstream(API, {
    url: undefined,
    timeoutMs: 1_000,
    connections: 1,
    maxWaiting: 10,
    turns: new Turns(),
  });
  const shared = new SharedReads<unknown>();
  const lists = [1, 2].map(async () => session(upstream, shared).reads.list(DEALS));
  for (const list of lists) await expect(list).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
  expect(shared.size).toBe(0);
});

test.each([200, 500])('a status %i that is shared is told to the breaker of the endpoint once', async (status) => {
  const { upstream, answer } = await heldUpstream();
  const told: string[] = [];
  const endpoints = {
    admit: () => 1,
    retrySeconds: () => 1,
    succeed: (endpoint: string) => void told.push(`${endpoint} 200`),
    fail: (endpoint: string) => void told.push(`${endpoint} 500`),
  };
  const shared = new SharedReads<unknown>();
  const sessions = [1, 2, 3].map(() => session(upstream, shared, { endpoints }));
  const ended = Promise.allSettled(sessions.map(async ({ reads }) => reads.get(DEAL, record)));
  await answer(1, { id: 7 }, status);
  await ended;
  expect(told).toEqual([`GET /app/deals/:id.json ${status}`]);
});
