import { CombinedGraphQLErrors, type ErrorLike } from '@apollo/client';
import type { RefusalFragment } from './generated/graphql.ts';
import types from './generated/possible-types.ts';

/** The answer to a mutation: its field, and the error beside it. */
interface Answer<Result> {
  readonly result: Result | null | undefined;
  readonly error: ErrorLike | undefined;
}

/** Text for the user about a write, with the messages of each field of the input. */
export interface Problem {
  readonly message: string;
  readonly fields: ReadonlyMap<string, readonly string[]>;
}

export type Outcome<Result> =
  | { readonly outcome: 'APPLIED'; readonly record: Exclude<Result, RefusalFragment> | null }
  | { readonly outcome: 'REFUSED' | 'UNKNOWN'; readonly problem: Problem };

interface Typed {
  readonly __typename: string;
}

const isRefusal = (result: Typed): result is RefusalFragment =>
  types.possibleTypes.MutationError?.includes(result.__typename) ?? false;

/** Tells whether a write was made. Without an answer of the gateway that is unknown. */
export function outcomeOf<Result extends Typed>({ result, error }: Answer<Result>): Outcome<Result> {
  if (result) {
    if (!isRefusal(result)) return { outcome: 'APPLIED', record: result as Exclude<Result, RefusalFragment> };
    const fields = result.__typename === 'ValidationError' ? result.fields : [];
    const problem = { message: result.message, fields: new Map(fields.map((it) => [it.field, it.messages])) };
    return { outcome: 'REFUSED', problem };
  }

  const message = error?.message ?? 'No answer.';
  const told = CombinedGraphQLErrors.is(error)
    ? error.errors.map(({ extensions }) => extensions?.outcome)
    : ['UNKNOWN'];
  if (told.includes('UNKNOWN')) {
    const advice = 'The change may have been made: look before you send it again.';
    return { outcome: 'UNKNOWN', problem: { message: `${message} ${advice}`, fields: new Map() } };
  }
  if (told.includes('APPLIED')) return { outcome: 'APPLIED', record: null };
  return { outcome: 'REFUSED', problem: { message, fields: new Map() } };
}
