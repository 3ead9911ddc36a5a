import { afterEach, expect, test } from 'vitest';
import { UpstreamTimeoutError } from '../../src/errors.ts';
import { CacheMemory, ResponseCache } from '../../src/calls/cache/response-cache.ts';
import { CredentialState, CredentialStates } from '../../src/calls/credential-states.ts';
import { Generations, OperationGenerations } from '../../src/calls/cache/generations.ts';
import { OperationTrace } from '../../src/calls/transport/call-trace.ts';
import { path } from '../../src/calls/transport/path.ts';
import type { Outgoing } from '../../src/calls/transport/messages.ts';
import { fakeSession, jsonAnswer } from '../support/fake-upstream.ts';

// Reads of several records where the list of another operation is kept.
// A rejection that nobody handles would fail this file.

const list = { path: path`/app/deals.json` };
const one = (id: string) => ({ path: path`/app/deals/${id}.json` });
const endpoints = { one, list };

const times = { ttlMs: 60_000, pageMs: 0, idleMs: 60_000 };
const cache = new ResponseCache<unknown>(times, new CacheMemory(100_000));
const states = new CredentialStates({ api: 'CRM', onChange: () => {} });
const subjects = new Map([['GET /app/deals.json', ['deals']]]);

afterEach(() => cache.clear());

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
