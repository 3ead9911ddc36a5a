interface Reads<T> {
  /** Reads these by id, in this order: null for a missing one, an Error in the place of a failure. */
  readonly ones: (ids: readonly string[]) => Promise<readonly (T | null | Error)[]>;
  /** Every record of the caller's list, where that costs less than these ids one by one; none where it cannot be had. */
  readonly all: (ids: readonly string[]) => Promise<readonly T[]> | undefined;
}

/**
 * Reads records by id for an API without "get many": one by one, or from one list call where that costs less, and by id
 * what that list lacks. Answers in the order of `ids`; a missing record is null, a failure an Error in its place. An id
 * may come twice.
 */
export async function readMany<T extends { readonly id: string }>(
  ids: readonly string[],
  { ones, all }: Reads<T>,
): Promise<(T | null | Error)[]> {
  const wanted = [...new Set(ids)];
  const listed = (await all(wanted)) ?? [];
  const found = new Map<string, T | null | Error>(listed.map((record) => [record.id, record]));

  const lacking = wanted.filter((id) => !found.has(id));
  const read = await ones(lacking);
  lacking.forEach((id, index) => found.set(id, read[index] ?? null));
  return ids.map((id) => found.get(id) ?? null);
}
