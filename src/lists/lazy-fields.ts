import type { Context } from '../context.ts';

type Load<T> = (record: T, context: Context) => Promise<T | null>;

/** Sources of the keys that a record lacks. */
interface Sources<T> {
  /** Loads the record through a batch loader: several records may come from one list. */
  readonly batched?: Load<T>;
  /** The list that may contain the record; undefined when this operation has not read it. */
  readonly listed?: (context: Context) => Promise<readonly T[]> | undefined;
  readonly byId: Load<T>;
}

/**
 * Creates resolvers for the keys of a record. Lists and responses to writes may lack keys: the resolver loads the record
 * again when such a key is selected. The value is null when the loaded record lacks the key, too, and when other records
 * of the same list have it: then upstream left it out because it has no value.
 */
export function lazyFieldResolver<T extends object>({ batched, listed, byId }: Sources<T>) {
  const load = async (record: T, key: keyof T, context: Context): Promise<unknown> => {
    const list = await listed?.(context)?.catch(() => undefined); // the field of the list reports its failure
    if (list && isSent(list, key) && isMember(list, record)) return undefined;
    const found = await batched?.(record, context);
    if (found === null || (found && Object.hasOwn(found, key))) return found?.[key];
    return (await byId(record, context))?.[key];
  };
  return <K extends keyof T, V>(key: K, read: (value: unknown) => V) =>
    // Not async: a promise for each field of a long list would take longer than reading the field.
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

/** Whether any record of a list has the key. Computed once per list. */
export function isSent<T extends object>(list: readonly T[], key: keyof T): boolean {
  const known = sentKeys.get(list) ?? new Map<PropertyKey, boolean>();
  sentKeys.set(list, known);
  const sent = known.get(key) ?? list.some((record) => Object.hasOwn(record, key));
  known.set(key, sent);
  return sent;
}
