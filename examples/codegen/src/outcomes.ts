import { type Outcome, outcomeOf, type Result } from 'trivium-kits/outcome';
import type { Answer } from './client.ts';

interface Typed {
  readonly __typename: string;
}

/** In place of an answer: a network failure, or a proxy's page. */
export const unanswered = (error: unknown) => ({ error });

/**
 * Tells the outcomes of an operation with one bulk mutation.
 *
 * @param answer or what stands in its place
 * @param resultsOf picks the mutation's results
 * @param count the number of items that were sent
 * @returns one outcome per item, in their order
 */
export function outcomesOf<TData, TItem extends Typed>(
  { data, errors, error }: Answer<TData> & Pick<Result<TData>, 'error'>,
  resultsOf: (data: TData) => readonly (TItem | null | undefined)[] | null | undefined,
  count: number,
): Outcome<TItem>[] {
  const results = data && resultsOf(data);
  return Array.from({ length: count }, (_, index) => {
    // An error of the whole mutation names no item.
    const ofItem = errors?.filter(({ path }) => path?.[1] === undefined || path[1] === index);
    return outcomeOf({ data: { item: results?.[index] }, errors: ofItem, error });
  });
}
