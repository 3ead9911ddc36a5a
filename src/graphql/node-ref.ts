import { builder } from '../builder.ts';
import type { Context } from '../context.ts';

/**
 * A type with global ids, whose records a data source loads by their upstream ids. A field of the type may resolve to an id.
 *
 * The loader keeps nothing: the data source remembers what the operation has read, and forgets it when the operation
 * writes something.
 *
 * @param load answers in the order of the ids: null for a missing record, an Error for one that failed
 * @param idOf the part of the global id behind the type's name
 */
export function nodeRef<T extends { readonly id: string }>(
  name: string,
  load: (ids: string[], context: Context) => Promise<readonly (T | null | Error)[]>,
  idOf: (record: T) => string = ({ id }) => id,
) {
  return builder.loadableNodeRef(name, { id: { resolve: idOf }, load, loaderOptions: { cache: false } });
}
