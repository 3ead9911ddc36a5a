import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { globalId } from './ids.ts';

const idDescription = 'Global id: the type and the upstream id, such as `Client:42`.';

/** The interface of all records with a global id. */
export const Node = builder.interfaceRef<object>('Node').implement({
  description: 'A record with an id that is unique in the whole graph.',
  fields: (t) => ({ id: t.id({ nullable: false, description: idDescription }) }),
});

/**
 * Creates a type with global ids whose records a data source loads by upstream ids. Fields of the type may resolve to an id.
 *
 * The loader has no cache. The data source caches the reads of the operation, and clears them when the operation writes.
 *
 * @param load returns one entry per id, in the order of the ids: the record, null when it is missing, an Error when the
 *   read failed
 * @param idOf returns the part of the global id after the type's name
 */
export function nodeRef<T extends { readonly id: string }>(
  name: string,
  load: (ids: string[], context: Context) => Promise<readonly (T | null | Error)[]>,
  idOf: (record: T) => string = ({ id }) => id,
) {
  const ref = builder.loadableObjectRef<T | null, string, string, T>(name, { load, loaderOptions: { cache: false } });
  ref.addInterfaces([Node]);
  builder.objectField(ref, 'id', (t) =>
    t.id({ nullable: false, description: idDescription, resolve: (record) => globalId(name, idOf(record)) }),
  );
  return ref;
}
