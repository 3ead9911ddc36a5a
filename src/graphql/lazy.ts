import type { Context } from '../context.ts';

/**
 * Resolvers for the keys of a record. What a list or a creation lacks is loaded, but only when it is asked for;
 * what is still missing then is null.
 *
 * @param load the whole record; identical loads of one operation are one call
 */
export function keysOf<T extends object>(load: (record: T, context: Context) => Promise<T | null>) {
  return <K extends keyof T, V>(key: K, read: (value: unknown) => V) =>
    // Not async: a promise for each field of a long list would cost more than reading it.
    (record: T, _args: object, context: Context): V | Promise<V> =>
      Object.hasOwn(record, key) ? read(record[key]) : load(record, context).then((whole) => read(whole?.[key]));
}
