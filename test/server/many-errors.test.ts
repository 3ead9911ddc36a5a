import { GraphQLError, Kind, parse } from 'graphql';
import { createSchema, createYoga } from 'graphql-yoga';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/observe/log.ts';
import { OperationCosts } from '../../src/operation/cost/operation-costs.ts';
import { errorLimiter } from '../../src/operation/errors/public-error.ts';
import { useOperations } from '../../src/operation/run-operation.ts';

test('a response with more errors than a call takes arguments lists 100 of them', async () => {
  const problem = new GraphQLError('A row cannot be read.', { extensions: { code: 'UPSTREAM_BAD_RESPONSE' } });
  const problems = Array.from({ length: 200_000 }, () => problem);
  const statedNotices = { takeErrors: () => problems, takeNotSent: () => undefined };
  const yoga = createYoga({
    schema: createSchema({ typeDefs: 'type Query { now: String }', resolvers: { Query: { now: () => 'noon' } } }),
    context: { operation: { statedNotices, budget: { spent: 0, end: () => {} } } },
    plugins: [
      useOperations({
        maxBytes: 1024 ** 2,
        log: createLog('silent', { write: () => {} }),
        costs: new OperationCosts(readConfig({})),
        observer: undefined,
        trusted: undefined,
      }),
    ],
    maskedErrors: false,
    logging: false,
  });
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ query: '{ now }' });
  const response = await yoga.fetch('http://x/graphql', { method: 'POST', headers, body });
  const { data, errors } = await response.json();
  expect(data).toEqual({ now: 'noon' });
  expect(errors).toHaveLength(101);
  expect(errors[100]).toMatchObject({ extensions: { omitted: 199_900 } });
});

test('of more than 100 errors those of references are listed: a null without one would be a record that is gone', () => {
  const [field] = parse('{ _entities }').definitions.flatMap((each) =>
    each.kind === Kind.OPERATION_DEFINITION ? each.selectionSet.selections : [],
  );
  const below = Array.from(
    { length: 120 },
    (_, index) => new GraphQLError('x', { path: ['_entities', index, 'name'] }),
  );
  const references = Array.from(
    { length: 60 },
    (_, index) => new GraphQLError('y', { nodes: field ?? null, path: ['_entities', index] }),
  );
  const listed = errorLimiter()([...below, ...references]);
  expect(listed.filter(({ message }) => message === 'y')).toEqual(references);
  expect(listed.at(-1)).toMatchObject({ extensions: { omitted: 80 } });
});
