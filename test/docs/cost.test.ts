import { parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/apis/schema.ts';
import { OperationCosts } from '../../src/operation/cost/operation-costs.ts';
import { testConfig } from '../support/gateway.ts';
import { read, unpadded } from './pages.ts';

const rows = [...unpadded(read('docs/queries.md')).matchAll(/^\| `([^`]+)` \| ([\d,]+) \| (.+) \|$/gm)].map(
  ([, operation = '', cost = '', because = '']) => ({ operation, cost: Number(cost), because }),
);

test('docs/queries.md has a table of costs', () => {
  expect(rows).toHaveLength(9);
});

test.each(rows)('docs/queries.md: $operation costs $cost', ({ operation, cost }) => {
  const document = parse(operation);
  expect(validate(schema, document)).toEqual([]);
  expect(new OperationCosts(testConfig()).of({ schema, document }).requested).toBe(cost);
});
