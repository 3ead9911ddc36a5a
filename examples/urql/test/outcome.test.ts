import { GraphQLError } from 'graphql';
import { CombinedError } from 'urql';
import { expect, test } from 'vitest';
import { outcomeOf } from '../src/outcome.ts';

const failed = (outcome: string) =>
  new CombinedError({ graphQLErrors: [new GraphQLError('The CRM did not answer.', { extensions: { outcome } })] });

test.each(['APPLIED', 'REFUSED', 'UNKNOWN'])(
  'a write that failed with an error of the outcome %s has it',
  (outcome) => {
    expect(outcomeOf(null, failed(outcome)).outcome).toBe(outcome);
  },
);

test('a write without an answer has an unknown outcome', () => {
  const error = new CombinedError({ networkError: new Error('Failed to fetch') });
  expect(outcomeOf(undefined, error)).toEqual({ outcome: 'UNKNOWN', message: 'Failed to fetch' });
});

test('a record is the outcome of a write that was carried out, beside errors of its fields too', () => {
  const record = { __typename: 'Client' };
  expect(outcomeOf(record, failed('APPLIED'))).toEqual({ outcome: 'APPLIED', record });
});
