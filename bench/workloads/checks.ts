import { deepStrictEqual } from 'node:assert';

/** The value at a path of keys and indices. @throws Error when there is none */
export function at(data: unknown, ...path: readonly (string | number)[]): unknown {
  let value = data;
  for (const key of path) {
    const entry: unknown =
      typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, key)?.value : undefined;
    if (entry === undefined || entry === null) throw new Error(`The answer has no ${path.join('.')}.`);
    value = entry;
  }
  return value;
}

/** @throws Error when the value at the path is another one; 7 and "7" are the same id */
export function equals(expected: string | number, data: unknown, ...path: readonly (string | number)[]): void {
  deepStrictEqual(String(at(data, ...path)), String(expected), path.join('.'));
}

/** @returns the list at the path. @throws Error when it has another length */
export function list(length: number, data: unknown, ...path: readonly (string | number)[]): unknown[] {
  const value = at(data, ...path);
  if (!Array.isArray(value) || value.length !== length) throw new Error(`${path.join('.')} has not ${length} entries.`);
  return value;
}

/** @throws Error when the record has not exactly so many fields */
export function fields(count: number, record: unknown, ...path: readonly (string | number)[]): void {
  deepStrictEqual(Object.keys(Object(at(record, ...path))).length, count, `fields of ${path.join('.')}`);
}
