import { isSent } from './lazy-fields.ts';
import { BadResponseError, GatewayError } from '../http/errors.ts';

export type Leaf<V> = (value: unknown) => V | null;

/**
 * Makes sure that a list has one of the keys, and not only values there that cannot be read: else nothing can be said of
 * any record, and least of all that none matches.
 */
export function demandReadable<T extends object>(
  list: readonly T[],
  keys: readonly (keyof T)[],
  leaf: Leaf<unknown>,
): void {
  const held = keys.map((key) => holding(list, key, leaf));
  if (held.includes('values')) return;
  const misfit = held.find((holds) => holds instanceof GatewayError);
  if (misfit) {
    const odd = named(keys.filter((_key, at) => held[at] instanceof GatewayError));
    throw new BadResponseError(
      `No value under ${odd} can be read, so the list cannot be searched or ordered by it. ${misfit.message}`,
    );
  }
  if (held.includes('nothing')) return;
  throw new BadResponseError(
    `The list does not tell ${named(keys)} of its records, so it cannot be searched or ordered by it.`,
  );
}

const named = (keys: readonly PropertyKey[]) => keys.map((key) => `\`${String(key)}\``).join(', ');

/** What a list has under a key: values, no value but null, only what cannot be read and why, or not even the key. */
type Holding = 'values' | 'nothing' | GatewayError | 'no key';

const holdings = new WeakMap<readonly object[], Map<Leaf<unknown>, Map<PropertyKey, Holding>>>();

/** Looked up once a list, for many parts of it may be asked for. */
function holding<T extends object>(list: readonly T[], key: keyof T, leaf: Leaf<unknown>): Holding {
  const byLeaf = holdings.get(list) ?? new Map<Leaf<unknown>, Map<PropertyKey, Holding>>();
  const byKey = byLeaf.get(leaf) ?? new Map<PropertyKey, Holding>();
  const found = byKey.get(key) ?? lookedUp(list, key, leaf);
  holdings.set(list, byLeaf.set(leaf, byKey.set(key, found)));
  return found;
}

function lookedUp<T extends object>(list: readonly T[], key: keyof T, leaf: Leaf<unknown>): Holding {
  if (!isSent(list, key)) return 'no key';
  let misfit: GatewayError | undefined;
  for (const record of list) {
    const value = attempted(leaf, record[key]);
    if (value instanceof GatewayError) misfit ??= value;
    else if (value !== null) return 'values';
  }
  return misfit ?? 'nothing';
}

/** A value as far as it can be read. */
export function quietly<V>(leaf: Leaf<V>, value: unknown): V | null {
  const read = attempted(leaf, value);
  return read instanceof GatewayError ? null : read;
}

function attempted<V>(leaf: Leaf<V>, value: unknown): V | null | GatewayError {
  try {
    return leaf(value);
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}
