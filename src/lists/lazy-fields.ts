import type { Context } from '../context.ts';

type Load<T> = (record: T, context: Context) => Promise<T | null>;

/** Where the keys are that a record lacks. */
interface Sources<T> {
  /** Where several records are asked for at once: the same key of all of them may come from one list. */
  readonly batched?: Load<T>;
  /** The list that the record may come from, where this operation has read it. */
  readonly listed?: (context: Context) => Promise<readonly T[]> | undefined;
  readonly byId: Load<T>;
}

/**
 * Resolvers for the keys of a record. What a list or a creation lacks is loaded, but only when it is asked for. What is
 * still missing is null; so is a key that other records of the same list have, for then it has no value here.
 */
export function lazyFieldResolver<T extends object>({ batched, listed, byId }: Sources<T>) {
  const load = async (record: T, key: keyof T, context: Context): Promise<unknown> => {
    const list = await listed?.(context)?.catch(() => undefined); // a list that failed says so in its own place
    if (list && isSent(list, key) && isMember(list, record)) return undefined;
    const found = await batched?.(record, context);
    if (found === null || (found && Object.hasOwn(found, key))) return found?.[key];
    return (await byId(record, context))?.[key];
  };
  return <K extends keyof T, V>(key: K, read: (value: unknown) => V) =>
    // Not async: a promise for each field of a long list would cost more than reading it.
    (record: T, _args: object, context: Context): V | Promise<V> =>
      Object.hasOwn(record, key) ? read(record[key]) : load(record, key, context).then(read);
}

const members = new WeakMap<readonly object[], ReadonlySet<object>>();

function isMember(list: readonly object[], record: object): boolean {
  const known = members.get(list) ?? new Set(list);
  members.set(list, known);
  return known.has(record);
}

const sentKeys = new WeakMap<readonly object[], Map<PropertyKey, boolean>>();

/** Whether any record of a list has the key; looked up once a list. */
export function isSent<T extends object>(list: readonly T[], key: keyof T): boolean {
  const known = sentKeys.get(list) ?? new Map<PropertyKey, boolean>();
  sentKeys.set(list, known);
  const sent = known.get(key) ?? list.some((record) => Object.hasOwn(record, key));
  known.set(key, sent);
  return sent;
}
