import { BadResponseError, ForbiddenError, missingAsNull, NotFoundError } from './errors.ts';

interface Reads<T> {
  /** One record; a missing one is a `NotFoundError`. */
  readonly one: (id: string) => Promise<T>;
  /** Every record that the caller's list holds. */
  readonly all: () => Promise<readonly T[]>;
}

/** From this many ids on, one list call stands for as many calls by id. */
const LIST_FROM = 5;

/**
 * Reads records by id for an API without "get many": few of them one by one, more of them from one list call, and
 * by id what that list lacks. Answers in the order of `ids`; a missing record is null, a failure an Error in its
 * place. An id may come twice: identical reads are one call.
 */
export async function readMany<T extends { readonly id: string }>(
  ids: readonly string[],
  { one, all }: Reads<T>,
): Promise<(T | null | Error)[]> {
  const settled = (id: string) =>
    one(id)
      .catch(missingAsNull)
      .catch((error: unknown) => (error instanceof Error ? error : new Error('A read failed.', { cause: error })));

  if (new Set(ids).size < LIST_FROM) return Promise.all(ids.map(settled));
  const listed = new Map((await all().catch(unlisted)).map((record) => [record.id, record]));
  return Promise.all(ids.map((id) => listed.get(id) ?? settled(id)));
}

/** A list that cannot be had, or read, says nothing of single records; an upstream that is down does. */
function unlisted(error: unknown): [] {
  const byIdMayDo = [BadResponseError, ForbiddenError, NotFoundError].some((failure) => error instanceof failure);
  if (byIdMayDo) return [];
  throw error;
}
