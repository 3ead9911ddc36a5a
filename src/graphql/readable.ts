import { isSent } from './lazy.ts';
import { BadResponseError, GatewayError } from '../http/errors.ts';

export type Leaf<V> = (value: unknown) => V | null;

/** No record of a list has the key: then nothing can be said of any, and least of all that none matches. */
export function demandOneOf<T extends object>(list: readonly T[], keys: readonly (keyof T)[]): void {
  if (keys.some((key) => isSent(list, key))) return;
  const names = keys.map((key) => `\`${String(key)}\``).join(', ');
  throw new BadResponseError(
    `The list does not tell ${names} of its records, so it cannot be filtered or ordered by it.`,
  );
}

/** A value as far as it can be read. */
export function quietly<V>(leaf: Leaf<V>, value: unknown): V | null {
  try {
    return leaf(value);
  } catch (error) {
    if (error instanceof GatewayError) return null;
    throw error;
  }
}
