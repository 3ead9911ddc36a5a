import { isSent } from './lazy-fields.ts';
import { BadResponseError, GatewayError } from '../http/errors.ts';

export type Leaf<V> = (value: unknown) => V | null;

/**
 * Makes sure that a list has one of the keys, and not only values there that cannot be read: else nothing can be said of
 * any record, and least of all that none matches.
 */
export function assertDecodable<T extends object>(
  list: readonly T[],
  keys: readonly (keyof T)[],
  leaf: Leaf<unknown>,
): void {
  const held = keys.map((key) => contentOf(list, key, leaf));
  if (held.includes('values')) return;
  const misfit = held.find((holds) => holds instanceof GatewayError);
  if (misfit) {
    const odd = quotedNames(keys.filter((_key, at) => held[at] instanceof GatewayError));
    throw new BadResponseError(
      `No value under ${odd} can be read, so the list cannot be searched or ordered by it. ${misfit.message}`,
    );
  }
  if (held.includes('nothing')) return;
  throw new BadResponseError(
    `The list does not tell ${quotedNames(keys)} of its records, so it cannot be searched or ordered by it.`,
  );
}

const quotedNames = (keys: readonly PropertyKey[]) => keys.map((key) => `\`${String(key)}\``).join(', ');

/** What a list has under a key: values, no value but null, only what cannot be read and why, or not even the key. */
type Content = 'values' | 'nothing' | GatewayError | 'no key';

const contents = new WeakMap<readonly object[], Map<Leaf<unknown>, Map<PropertyKey, Content>>>();

/** Looked up once a list, for many parts of it may be asked for. */
function contentOf<T extends object>(list: readonly T[], key: keyof T, leaf: Leaf<unknown>): Content {
  const byLeaf = contents.get(list) ?? new Map<Leaf<unknown>, Map<PropertyKey, Content>>();
  const byKey = byLeaf.get(leaf) ?? new Map<PropertyKey, Content>();
  const found = byKey.get(key) ?? findContent(list, key, leaf);
  contents.set(list, byLeaf.set(leaf, byKey.set(key, found)));
  return found;
}

function findContent<T extends object>(list: readonly T[], key: keyof T, leaf: Leaf<unknown>): Content {
  if (!isSent(list, key)) return 'no key';
  let misfit: GatewayError | undefined;
  for (const record of list) {
    const value = attemptDecode(leaf, record[key]);
    if (value instanceof GatewayError) misfit ??= value;
    else if (value !== null) return 'values';
  }
  return misfit ?? 'nothing';
}

/** A value as far as it can be read. */
export function decodeOrNull<V>(leaf: Leaf<V>, value: unknown): V | null {
  const read = attemptDecode(leaf, value);
  return read instanceof GatewayError ? null : read;
}

function attemptDecode<V>(leaf: Leaf<V>, value: unknown): V | null | GatewayError {
  try {
    return leaf(value);
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}
