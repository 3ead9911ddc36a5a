import { identifier } from '../http/formats/leaves.ts';
import { assertDecodable, decodeOrNull } from './decodable.ts';

/**
 * Creates a lookup of the records in a list that refer to another record under `key`, such as the deals of a client. Each
 * list is indexed once.
 */
export function indexByForeignKey<T extends object>(key: keyof T & string) {
  const indexes = new WeakMap<readonly T[], ReadonlyMap<string, readonly T[]>>();
  return (list: readonly T[], id: string): readonly T[] => {
    const index = indexes.get(list) ?? buildIndex(list, key);
    indexes.set(list, index);
    return index.get(id) ?? [];
  };
}

function buildIndex<T extends object>(list: readonly T[], key: keyof T & string): Map<string, T[]> {
  if (list.length > 0) assertDecodable(list, [key], identifier);
  const index = new Map<string, T[]>();
  for (const record of list) {
    const id = decodeOrNull(identifier, record[key]); // a value that is no id refers to no record
    if (id === null) continue;
    const others = index.get(id);
    if (others) others.push(record);
    else index.set(id, [record]);
  }
  return index;
}
