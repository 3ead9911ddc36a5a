import { identifier } from '../http/formats/leaves.ts';
import { demandReadable, quietly } from './decodable.ts';

/**
 * The records of a list that name another one under `key`, such as the deals of a client. A list is gone through once,
 * however many records are looked up in it.
 */
export function naming<T extends object>(key: keyof T & string) {
  const indexes = new WeakMap<readonly T[], ReadonlyMap<string, readonly T[]>>();
  return (list: readonly T[], id: string): readonly T[] => {
    const index = indexes.get(list) ?? indexed(list, key);
    indexes.set(list, index);
    return index.get(id) ?? [];
  };
}

function indexed<T extends object>(list: readonly T[], key: keyof T & string): Map<string, T[]> {
  if (list.length > 0) demandReadable(list, [key], identifier);
  const index = new Map<string, T[]>();
  for (const record of list) {
    const id = quietly(identifier, record[key]); // what is no id names nobody
    if (id === null) continue;
    const others = index.get(id);
    if (others) others.push(record);
    else index.set(id, [record]);
  }
  return index;
}
