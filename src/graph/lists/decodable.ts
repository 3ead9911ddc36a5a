import { BadResponseError, GatewayError } from '../../errors.ts';
import { type Content, keepFinding, type Rows } from '../../formats/rows.ts';
import type { Steps } from '../../formats/slices.ts';

export type Leaf<V> = (value: unknown) => V | null;

/**
 * Checks that a list has a decodable value under one of the keys. Without one, a filter would wrongly find that no record
 * matches. A list whose values are all null passes.
 *
 * @throws BadResponseError when no record has any of the keys, or none of the values can be decoded
 * @yields after each step
 */
export function* checkingDecodable<T extends object>(
  list: Rows<T>,
  keys: readonly (keyof T)[],
  leaf: Leaf<unknown>,
): Steps<void> {
  const contentByKey: Content[] = [];
  for (const key of keys) contentByKey.push(yield* contentOf(list, key, leaf));
  if (contentByKey.includes('values')) return;
  const decodeError = contentByKey.find((holds) => holds instanceof GatewayError);
  if (decodeError) {
    const undecodableKeys = quotedNames(keys.filter((_key, at) => contentByKey[at] instanceof GatewayError));
    throw new BadResponseError(
      `No value under ${undecodableKeys} can be read, so the list cannot be searched or ordered by it. ${decodeError.message}`,
    );
  }
  if (contentByKey.includes('nothing')) return;
  throw new BadResponseError(
    `The list does not tell ${quotedNames(keys)} of its records, so it cannot be searched or ordered by it.`,
  );
}

/** Names keys in an error message. */
export const quotedNames = (keys: readonly PropertyKey[], separator = ', ') =>
  keys.map((key) => `\`${String(key)}\``).join(separator);

/** Whether any record of a list has the key. Computed once per list. */
export function isSent<T extends object>(list: Rows<T>, key: keyof T): boolean {
  const { sentKeys } = list.findings;
  const sent = sentKeys.get(key) ?? list.some((record) => Object.hasOwn(record, key));
  keepFinding(sentKeys, key, sent);
  return sent;
}

// Computed once per list, because several fields of an operation may filter or order it.
function* contentOf<T extends object>(list: Rows<T>, key: keyof T, leaf: Leaf<unknown>): Steps<Content> {
  const { contents } = list.findings;
  const byKey = contents.get(leaf) ?? new Map<PropertyKey, Content>();
  const found = byKey.get(key) ?? (yield* findContent(list, key, leaf));
  keepFinding(byKey, key, found);
  keepFinding(contents, leaf, byKey);
  return found;
}

/** The number of rows in one step. */
const STEP_ROWS = 64;

function* findContent<T extends object>(list: Rows<T>, key: keyof T, leaf: Leaf<unknown>): Steps<Content> {
  if (!isSent(list, key)) return 'no key';
  let misfit: GatewayError | undefined;
  let row = 0;
  for (const record of list) {
    if (++row % STEP_ROWS === 0) yield;
    const value = attemptDecode(leaf, record[key]);
    if (value instanceof GatewayError) misfit ??= value;
    else if (value !== null) return 'values';
  }
  return misfit ?? 'nothing';
}

/** Decodes a value. Returns undefined when it cannot be decoded: then a condition on it cannot be decided. */
export function decodeOrUndefined<V>(leaf: Leaf<V>, value: unknown): V | null | undefined {
  const read = attemptDecode(leaf, value);
  return read instanceof GatewayError ? undefined : read;
}

/** Decodes a value. Returns null when it cannot be decoded. */
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
