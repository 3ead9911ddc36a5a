import { buildSchema } from 'graphql';
import { expect, test, vi } from 'vitest';
import { OperationCosts } from '../../src/server/cost/operation-costs.ts';
import { warmUp } from '../../src/server/warm-up.ts';

// Operations that are prepared at the start, before anybody has sent one.

const EXAMPLES = [
  { query: 'query First($id: ID!) { client(id: $id) { name } }', variables: '{ "id": "1" }' },
  { query: '{ client(id: 2) { name } }' },
  { query: '{ database { name } }' }, // of another schema
  { query: null },
];

/** A schema whose fields say that they were resolved, and costs that say whose they were. */
function observed() {
  const resolved = vi.fn<() => null>();
  const schema = buildSchema('type Query { client(id: ID!): Client } type Client { name: String }');
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) field.resolve = resolved;
  const costs = new OperationCosts({ MAX_COST: 100, MAX_PAGE_SIZE: 10 });
  return { schema, costs, of: vi.spyOn(costs, 'of'), resolved };
}

test('each valid example is prepared several times, and none is executed', async () => {
  const { schema, costs, of, resolved } = observed();
  await warmUp(schema, costs, EXAMPLES, () => true);
  const names = of.mock.calls.map(([{ document }]) => document.loc?.source.body);
  expect(new Set(names)).toEqual(new Set([EXAMPLES[0]?.query, EXAMPLES[1]?.query, '{ __typename }']));
  expect(names).toHaveLength(3 * 4);
  expect(resolved).not.toHaveBeenCalled();
});

test('it ends with the gateway', async () => {
  const { schema, costs, of } = observed();
  await warmUp(schema, costs, EXAMPLES, () => of.mock.calls.length < 2);
  expect(of).toHaveBeenCalledTimes(2);
});

test('it takes a turn of the event loop for each example: requests come between them', async () => {
  const { schema, costs, of } = observed();
  const before: number[] = [];
  const turn = () => {
    before.push(of.mock.calls.length);
    if (of.mock.calls.length < 12) setImmediate(turn);
  };
  setImmediate(turn);
  await warmUp(schema, costs, EXAMPLES, () => true);
  expect(before.slice(0, 5)).toEqual([0, 1, 2, 2, 3]);
});
