import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { LateEndpointError } from '../../../src/errors.ts';
import { record } from '../../../src/formats/decode.ts';
import { json } from '../../../src/formats/json.ts';
import { ReadCost } from '../../../src/calls/read-cost.ts';
import { CredentialState, CredentialStates } from '../../../src/calls/credential-states.ts';
import { Generations, OperationGenerations } from '../../../src/calls/cache/generations.ts';
import { SharedCalls } from '../../../src/calls/shared-calls.ts';
import { UpstreamSession } from '../../../src/calls/session.ts';
import { Departure } from '../../../src/calls/transport/departure.ts';
import { CallBudget } from '../../../src/calls/transport/call-budget.ts';
import { path } from '../../../src/calls/transport/path.ts';
import type { Upstream } from '../../../src/calls/transport/upstream.ts';
import { stoppedClock } from '../../support/clock.ts';
import { HELD, heldDeadlines } from '../../support/deadlines.ts';
import { FakeUpstream, type SessionChanges, sessionOptions } from '../../support/fake-upstream.ts';
import { stubUpstream } from '../../support/stub-upstream.ts';
import { upstreamAt } from './support.ts';

const DEAL = { path: path`/app/deals/${'7'}.json` };
const DEALS = { path: path`/app/deals.json` };

/** An upstream that answers when it is told to. Time passes when the test says so. */
async function heldUpstream() {
  const { pass } = stoppedClock();
  const held: ServerResponse[] = [];
  const { url, received } = await stubUpstream((_request, response) => void held.push(response));
  const upstream = upstreamAt(url, { timeoutMs: HELD.UPSTREAM_TIMEOUT_MS, connections: 10 });
  const answer = async (calls: number, body: unknown, status = 200) => {
    await expect.poll(() => held.length).toBe(calls);
    for (const response of held) response.writeHead(status, { 'content-type': 'application/json' });
    for (const response of held.splice(0)) response.end(JSON.stringify(body));
  };
  return { upstream, received, answer, pass };
}

const SUBJECTS = new Map([
  ['GET /app/deals/:id.json', ['deals']],
  ['GET /app/deals.json', ['deals']],
]);

/** The calls under way of an API whose reads share them. */
const states = () => new SharedCalls<unknown>();

const all = new CredentialStates({ api: 'CRM', onChange: () => {} });
const caller = (generations: OperationGenerations) => new CredentialState(all, () => 'a', generations);

/** A session of an operation of its own, of a caller with this credential. */
function session(
  upstream: Upstream,
  calls: SharedCalls<unknown>,
  more: SessionChanges = {},
  generations = new Generations(),
) {
  const credentialState = caller(new OperationGenerations(generations));
  return new UpstreamSession(sessionOptions(upstream, { credentialState, calls, subjects: SUBJECTS, ...more }));
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
  const shared = states();
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
  const sessions = [states(), states()].map((reads) => session(upstream, reads));
  const records = Promise.all(sessions.map(async ({ reads }) => reads.get(DEAL, record)));
  await answer(2, { id: 7 });
  await records;
  expect(received).toHaveLength(2);
});

test('a read under another limit of bytes has a call of its own', async () => {
  const { upstream, received, answer } = await heldUpstream();
  const shared = states();
  const limits = [10, 20].map((bytes) => ({ maxRecord: { bytes, setting: 'MAX_RECORD_BYTES' } }));
  const records = Promise.all(limits.map(async (limit) => session(upstream, shared, limit).reads.get(DEAL, record)));
  await answer(2, { id: 7 });
  await records;
  expect(received).toHaveLength(2);
});

test('a read joins no call of another generation, and none where the generation is not known', async () => {
  const { upstream, received, answer } = await heldUpstream();
  const shared = states();
  const unknown = new Generations({ read: async () => undefined, renew: async () => {}, close: () => {} });
  const own = new Generations();
  const read = async (generations: Generations) => session(upstream, shared, {}, generations).reads.list(DEALS);
  const records = [read(own), read(own), read(unknown), read(unknown)];
  void own.renew(['clients']);
  records.push(read(own));
  void own.renew(['deals']);
  records.push(read(own), read(own));
  await answer(4, []);
  await Promise.all(records);
  expect(received).toHaveLength(4);
});

test('a read of an operation that writes joins no call, and none joins its', async () => {
  const { upstream, received, answer } = await heldUpstream();
  const shared = states();
  const writing = new OperationGenerations(new Generations());
  writing.forbid();
  const credentialState = caller(writing);
  const records = [
    session(upstream, shared),
    session(upstream, shared, { credentialState }),
    session(upstream, shared),
  ].map(async ({ reads }) => reads.get(DEAL, record));
  await answer(2, { id: 7 });
  await Promise.all(records);
  expect(received).toHaveLength(2);
});

test('an operation without calls left joins none', async () => {
  const { upstream, received, answer } = await heldUpstream();
  const shared = states();
  const first = session(upstream, shared).reads.list(DEALS);
  const refused = session(upstream, shared, { budget: new CallBudget(0) }).reads.list(DEALS);
  await expect(refused).rejects.toMatchObject({ code: 'QUERY_LIMIT_EXCEEDED' });
  await answer(1, []);
  await first;
  expect(received).toHaveLength(1);
});

test('a participant may have less time than the call', async () => {
  const { upstream, received, answer } = await heldUpstream();
  const shared = states();
  const patient = session(upstream, shared).reads.list(DEALS);
  const hasty = session(upstream, shared).reads.list({ ...DEALS, timeoutMs: 20 });
  await expect(hasty).rejects.toMatchObject({ message: 'The CRM API did not answer within 0.02 s.' });
  expect(shared.size).toBe(1);
  await answer(1, [{ id: 7 }]);
  expect([...(await patient)]).toEqual([{ id: '7' }]);
  expect(received).toHaveLength(1);
});

test('a call has one deadline from its beginning, which ends it for all participants, and is one failure', async () => {
  const deadlines = heldDeadlines();
  const { upstream, received, answer } = await heldUpstream();
  const shared = states();
  const participants = Array.from({ length: 20 }, async () => session(upstream, shared).reads.list(DEALS));
  const lists = Promise.allSettled(participants);
  await deadlines.comeWhen(1, () => received.length, 1);
  expect(await lists).toMatchObject(Array.from({ length: 20 }, () => ({ reason: { code: 'UPSTREAM_TIMEOUT' } })));

  const anew = session(upstream, shared).reads.list(DEALS); // ten failures would have stopped it
  await answer(2, []);
  await expect(anew).resolves.toHaveLength(0);
});

test.each([
  ['a second, where nothing is known of its endpoint', undefined, 1_000],
  ['four times what its endpoint usually takes', 20, 80],
  ['a second, however long its endpoint takes', 3_000, 1_000],
])('nobody joins a call that is older than %s', async (_age, usualMs, ageMs) => {
  const { upstream, received, answer, pass } = await heldUpstream();
  const shared = states();
  const read = async () => session(upstream, shared).reads.list(DEALS);
  let calls = 1;
  if (usualMs !== undefined) {
    const usual = read();
    await expect.poll(() => received).toHaveLength(1);
    pass(usualMs);
    await answer(1, []);
    await usual;
    calls += 1;
  }
  const hanging = read();
  await expect.poll(() => received).toHaveLength(calls);
  pass(ageMs);
  const joining = read();
  pass(1);
  const later = [read(), read()]; // which share a call of their own
  await expect.poll(() => received).toHaveLength(calls + 1);
  await answer(2, []);
  await Promise.all([hanging, joining, ...later]);
});

test('a call whose participants have all given up may not be joined any more', async () => {
  const { upstream, received, answer } = await heldUpstream();
  const shared = states();
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
  await expect(anew).resolves.toHaveLength(0);
});

test('a failure of the network is the failure of every participant, and nobody joins it later', async () => {
  const upstream = upstreamAt(undefined);
  const shared = states();
  const lists = [1, 2].map(async () => session(upstream, shared).reads.list(DEALS));
  for (const list of lists) await expect(list).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
  expect(shared.size).toBe(0);
});

test.each([200, 500])('a status %i that is shared is told to the breaker of the endpoint once', async (status) => {
  const { upstream, answer } = await heldUpstream();
  const told: string[] = [];
  class Told extends CredentialState {
    override succeeded = (endpoint: string) => void told.push(`${endpoint} 200`);
    override failed = (endpoint: string) => void told.push(`${endpoint} 500`);
  }
  const shared = states();
  const generations = new Generations();
  const sessions = [1, 2, 3].map(() => {
    const credentialState = new Told(all, () => 'a', new OperationGenerations(generations));
    return session(upstream, shared, { credentialState });
  });
  const ended = Promise.allSettled(sessions.map(async ({ reads }) => reads.get(DEAL, record)));
  await answer(1, { id: 7 }, status);
  await ended;
  expect(told).toEqual([`GET /app/deals/:id.json ${status}`]);
});

test('an endpoint that is late for a call that is shared has failed once', async () => {
  const late = new LateEndpointError('late', { api: 'CRM', endpoint: 'GET /app/deals.json' });
  const upstream = new FakeUpstream(() => {
    throw late;
  });
  const told: string[] = [];
  class Told extends CredentialState {
    override failed = (endpoint: string) => void told.push(endpoint);
  }
  const shared = states();
  const generations = new Generations();
  const sessions = [1, 2, 3].map(() => {
    const credentialState = new Told(all, () => 'a', new OperationGenerations(generations));
    return session(upstream, shared, { credentialState });
  });
  await Promise.allSettled(sessions.map(async ({ reads }) => reads.list(DEALS)));
  expect([shared.joined, told]).toEqual([2, ['GET /app/deals.json']]);
});
