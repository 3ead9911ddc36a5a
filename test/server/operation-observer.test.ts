import { expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import type { BegunOperation, EndedOperation, OperationObserver } from '../../src/operation/operation-observer.ts';
import { sharedDemo } from '../support/demo.ts';
import { ask } from '../support/parts.ts';

const demo = sharedDemo();

/** Keeps what it sees. */
function recordingObserver() {
  const seen: unknown[] = [];
  const observer: OperationObserver = {
    begin: ({ name, type }: BegunOperation) => {
      seen.push({ name, type });
      return {
        run: (execute) => {
          seen.push('runs');
          return execute();
        },
        end: (ended: EndedOperation) => void seen.push(ended),
      };
    },
    refuse: (errors) => void seen.push({ refused: errors }),
  };
  return { observer, seen };
}

async function observed(settings: Partial<Config> = {}) {
  const { observer, seen } = recordingObserver();
  return { ...(await demo(settings, [{ operations: observer }])), seen };
}

test('an operation is seen from its begin to its response', async () => {
  const { execute, seen } = await observed();
  await execute('query Deals { deals(first: 1) { nodes { id } } }');

  expect(seen).toEqual([{ name: 'Deals', type: 'query' }, 'runs', { errors: {}, hasData: true, upstreamCalls: 1 }]);
});

test('errors are counted by their codes', async () => {
  const { execute, seen } = await observed();
  await execute('mutation { deleteDeal(id: "../1") { __typename } }');
  await execute('{ deals(first: 1) { nodes { id } } }', { token: null });

  expect(seen).toMatchObject([
    { name: undefined, type: 'mutation' },
    'runs',
    { errors: {}, hasData: true, upstreamCalls: 0 },
    { name: undefined, type: 'query' },
    'runs',
    { errors: { UNAUTHENTICATED: 1 }, hasData: false, upstreamCalls: 0 },
  ]);
});

test('an operation without a plan, and one in parts, are seen once', async () => {
  const { execute, url, seen } = await observed();
  await execute('query Deals($first: Int!) { deals(first: $first) { nodes { id } } }', { variables: { first: 'x' } });
  const headers = { accept: 'multipart/mixed', authorization: 'Bearer demo-admin' };
  const query = 'query Parts { __typename ... @defer { deals(first: 1) { nodes { id } } } }';
  await (await ask(url, query, { headers })).text();

  expect(seen).toMatchObject([
    { name: 'Deals' },
    'runs',
    { hasData: false, errors: { BAD_USER_INPUT: 1 } },
    { name: 'Parts' },
    'runs',
    { hasData: true, errors: {}, upstreamCalls: 1 },
  ]);
});

test('an operation beyond MAX_COST begins and ends, an invalid one is refused', async () => {
  const { execute, seen } = await observed({ MAX_COST: 1 });
  await execute('query Deals { deals(first: 100) { nodes { id } } }');
  await execute('{ nothing }');

  expect(seen).toEqual([
    { name: 'Deals', type: 'query' },
    { errors: { QUERY_LIMIT_EXCEEDED: 1 }, hasData: false, upstreamCalls: 0 },
    { refused: { GRAPHQL_VALIDATION_FAILED: 1 } },
  ]);
});

test('several observers see the same, each around the execution', async () => {
  const [first, second] = [recordingObserver(), recordingObserver()];
  const { execute } = await demo({}, [{ operations: first.observer }, {}, { operations: second.observer }]);
  await execute('{ __typename }');
  await execute('{ nothing }');

  expect(first.seen).toEqual([
    { name: undefined, type: 'query' },
    'runs',
    { errors: {}, hasData: true, upstreamCalls: 0 },
    { refused: { GRAPHQL_VALIDATION_FAILED: 1 } },
  ]);
  expect(second.seen).toEqual(first.seen);
});
