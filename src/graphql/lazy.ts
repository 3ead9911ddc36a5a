import type { Context } from '../context.ts';

type Load<T> = (record: T, context: Context) => Promise<T | null>;

/**
 * Resolvers for the keys of a record. What a list or a creation lacks is loaded, but only when it is asked for: first
 * with a loader, for the same key of many records may come from one list, then by id. What is still missing is null.
 */
export function lazily<T extends object>(batched: Load<T>, byId: Load<T>) {
  const load = async (record: T, key: keyof T, context: Context): Promise<unknown> => {
    const found = await batched(record, context);
    if (!found || Object.hasOwn(found, key)) return found?.[key];
    return (await byId(record, context))?.[key];
  };
  return <K extends keyof T, V>(key: K, read: (value: unknown) => V) =>
    // Not async: a promise for each field of a long list would cost more than reading it.
    (record: T, _args: object, context: Context): V | Promise<V> =>
      Object.hasOwn(record, key) ? read(record[key]) : load(record, key, context).then(read);
}
