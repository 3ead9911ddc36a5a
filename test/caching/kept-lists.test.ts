import { afterEach, expect, test, vi } from 'vitest';
import { UpstreamTimeoutError } from '../../src/errors.ts';
import { CacheMemory, ResponseCache } from '../../src/calls/cache/response-cache.ts';
import { CredentialState, CredentialStates } from '../../src/calls/credential-states.ts';
import { Generations, OperationGenerations } from '../../src/calls/cache/generations.ts';
import { OperationTrace } from '../../src/calls/transport/call-trace.ts';
import { path } from '../../src/calls/transport/path.ts';
import type { Outgoing } from '../../src/calls/transport/messages.ts';
import { fakeSession, jsonAnswer, type SessionChanges } from '../support/fake-upstream.ts';

// Reads of several records where the list of another operation is kept.
// A rejection that nobody handles would fail this file.

const list = { path: path`/app/deals.json` };
const one = (id: string) => ({ path: path`/app/deals/${id}.json` });
const endpoints = { one, list };

const times = { ttlMs: 60_000, pageMs: 0, idleMs: 60_000 };
const cache = new ResponseCache<unknown>(times, new CacheMemory(100_000));
const states = new CredentialStates({ api: 'CRM', onChange: () => {} });
const subjects = new Map([['GET /app/deals.json', ['deals']]]);

const validated = new ResponseCache<unknown>({ ttlMs: 0, pageMs: 0, idleMs: 60_000 }, new CacheMemory(100_000));

afterEach(() => [cache, validated].forEach((each) => each.clear()));

/** The deals 1 to 9, by id and in the list unless that fails. */
function deals(listError?: Error) {
  return ({ target }: Outgoing) => {
    const [, id] = /deals\/(\d)/.exec(target) ?? [];
    if (id !== undefined) return jsonAnswer({ id, from: 'id' });
    if (listError) throw listError;
    return jsonAnswer(Array.from({ length: 9 }, (_none, index) => ({ id: index + 1, from: 'list' })));
  };
}

function keepingSession(trace: OperationTrace | undefined, listError?: Error) {
  const generations = new OperationGenerations(new Generations());
  const credentialState = new CredentialState(states, () => 'token', generations);
  const own = { credentialState, trace: trace?.session() };
  return fakeSession(deals(listError), { batchReads: 'list', cache, subjects, ...own }).session;
}

const timeout = () => new UpstreamTimeoutError('No answer.', { api: 'CRM', endpoint: 'GET /app/deals.json' });

test('an operation whose own list failed reads a single record by its id, and leaves no rejection behind', async () => {
  const failing = keepingSession(undefined, timeout());
  await expect(failing.batches.getByIds(['1', '2'], endpoints)).rejects.toThrow('No answer.');
  await keepingSession(undefined).reads.list(list);
  await expect(failing.batches.getByIds(['3'], endpoints)).resolves.toMatchObject([{ id: '3', from: 'id' }]);
});

test('a trace shows the reads that a kept list replaced, each once', async () => {
  await keepingSession(undefined).reads.list(list);
  const trace = new OperationTrace();
  await keepingSession(trace).batches.getByIds(['1', '2', '3'], endpoints);
  trace.end();
  expect(trace.summary().calls).toMatchObject([{ cached: true, insteadOf: { reads: 3, reason: 'the list is kept' } }]);
});

/** Another operation of the caller, at an upstream whose list has an entity tag, and is asked about. */
function revalidating(changes: SessionChanges = {}) {
  const respond = ({ headers }: Outgoing) =>
    'if-none-match' in headers
      ? jsonAnswer(null, { status: 304, etag: '"a"', body: [] })
      : jsonAnswer([{ id: 1, name: 'x'.repeat(100) }], { etag: '"a"' });
  const credentialState = new CredentialState(states, () => 'token', new OperationGenerations(new Generations()));
  return fakeSession(respond, { cache: validated, subjects, credentialState, ...changes });
}

test('a revalidation tells nothing of the size of a list', async () => {
  await revalidating().session.reads.list(list);
  const { session, options, upstream } = revalidating();
  const recorded = vi.spyOn(options.api.readCost, 'recordList');
  expect(await session.reads.list(list)).toHaveLength(1);
  expect(upstream.sent).toMatchObject([{ headers: { 'if-none-match': '"a"' } }]);
  expect(recorded).not.toHaveBeenCalled();
});

test('a cached list beyond MAX_JOINED_LIST_BYTES does not stand for reads by id', async () => {
  await revalidating().session.reads.list(list);
  const maxJoinedList = { bytes: 100, setting: 'MAX_JOINED_LIST_BYTES' };
  const held = [revalidating(), revalidating({ maxJoinedList })].map(({ session }) => session.reads.holdsList(list));
  expect(held).toEqual([true, false]);
});
