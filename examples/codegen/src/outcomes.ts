import type { RefusalFragment } from '../generated/graphql.ts';
import type { Answer, Failure } from './client.ts';
import { isRefusal } from './results.ts';

/**
 * Whether a write was carried out.
 *
 * - `APPLIED`: it was. The record is null when it cannot be shown.
 * - `REFUSED`: it was not, so it can be sent again. The refusal is null when an error says why.
 * - `UNKNOWN`: it may have been. Look for the record before you send it again.
 */
export type Outcome<TRecord> =
  | { readonly outcome: 'APPLIED'; readonly record: TRecord | null }
  | { readonly outcome: 'REFUSED'; readonly message: string; readonly refusal: RefusalFragment | null }
  | { readonly outcome: 'UNKNOWN'; readonly message: string };

interface Typed {
  readonly __typename: string;
}

type Result<TRecord> = TRecord | RefusalFragment | null | undefined;

/**
 * Tells the outcome of an operation with one mutation. It does not reject: without an answer the outcome is unknown.
 *
 * @param resultOf picks the mutation's result
 */
export async function outcomeOf<TData, TRecord extends Typed>(
  sent: Promise<Answer<TData>>,
  resultOf: (data: TData) => Result<TRecord>,
): Promise<Outcome<TRecord>> {
  const { data, errors } = await sent.catch(unanswered<TData>);
  return conclude(data && resultOf(data), errors?.[0]);
}

/**
 * Tells the outcomes of an operation with one bulk mutation. It does not reject.
 *
 * @param count the number of items that were sent
 * @returns one outcome per item, in their order
 */
export async function outcomesOf<TData, TRecord extends Typed>(
  sent: Promise<Answer<TData>>,
  resultsOf: (data: TData) => readonly Result<TRecord>[] | null | undefined,
  count: number,
): Promise<Outcome<TRecord>[]> {
  const { data, errors } = await sent.catch(unanswered<TData>);
  const results = data && resultsOf(data);
  return Array.from({ length: count }, (_, index) => {
    // An error of the whole mutation names no item.
    const failure = errors?.find(({ path }) => path?.[1] === undefined || path[1] === index);
    return conclude(results?.[index], failure);
  });
}

/** The answer in place of a network failure, or of a proxy's page. */
function unanswered<TData>(error: unknown): Answer<TData> {
  return { errors: [{ message: String(error), extensions: { code: 'NO_ANSWER' } }] };
}

/** @param failure why there is no result */
function conclude<TRecord extends Typed>(result: Result<TRecord>, failure: Failure | undefined): Outcome<TRecord> {
  if (result) {
    return isRefusal(result)
      ? { outcome: 'REFUSED', message: result.message, refusal: result }
      : { outcome: 'APPLIED', record: result };
  }
  const message = failure?.message ?? 'There is neither a result nor an error.';
  switch (failure?.extensions.outcome) {
    case 'APPLIED':
      return { outcome: 'APPLIED', record: null };
    case 'REFUSED':
      return { outcome: 'REFUSED', message, refusal: null };
    default:
      return { outcome: 'UNKNOWN', message };
  }
}
