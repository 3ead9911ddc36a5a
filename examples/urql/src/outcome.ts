import type { CombinedError } from 'urql';
import type { RefusalFragment } from './generated/graphql';

/** Messages by the name of the field. */
export type FieldMessages = ReadonlyMap<string, string>;

/** Whether a write was carried out. `UNKNOWN`: it may have been, and must not be sent again without a look. */
export type Outcome<TRecord> =
  | { readonly outcome: 'APPLIED'; readonly record: TRecord | null }
  | { readonly outcome: 'REFUSED'; readonly message: string; readonly fields: FieldMessages }
  | { readonly outcome: 'UNKNOWN'; readonly message: string };

const refusals: Record<RefusalFragment['__typename'], true> = {
  ConflictError: true,
  ForbiddenError: true,
  NotAttempted: true,
  NotFoundError: true,
  ValidationError: true,
};

interface Result {
  readonly __typename: string;
}

const isRefusal = (result: Result): result is RefusalFragment => Object.hasOwn(refusals, result.__typename);

/**
 * Tells the outcome of an operation with one mutation.
 *
 * @param result the mutation's member of its result union
 */
export function outcomeOf<TRecord extends Result>(
  result: TRecord | RefusalFragment | null | undefined,
  error: CombinedError | undefined,
): Outcome<TRecord> {
  if (result && isRefusal(result)) {
    const fields = result.__typename === 'ValidationError' ? result.fields : [];
    return {
      outcome: 'REFUSED',
      message: result.message,
      fields: new Map(fields.map(({ field, messages }) => [field, messages.join(' ')])),
    };
  }
  if (result) return { outcome: 'APPLIED', record: result };
  const [failure] = error?.graphQLErrors ?? [];
  const message = failure?.message ?? error?.networkError?.message ?? 'There was no answer.';
  switch (failure?.extensions['outcome']) {
    case 'APPLIED':
      return { outcome: 'APPLIED', record: null };
    case 'REFUSED':
      return { outcome: 'REFUSED', message, fields: new Map() };
    default:
      return { outcome: 'UNKNOWN', message };
  }
}
