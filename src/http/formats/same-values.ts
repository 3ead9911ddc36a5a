import { isObject } from './decode.ts';
import { boolean, compareDecimals, decimal, instant, text } from './leaves.ts';
import { LongNumber } from './long-numbers.ts';
import { GatewayError } from '../errors.ts';

/**
 * Whether a record shows every field that was sent. Upstream may write a value in another form than it was sent in: a
 * number as a text, null as an empty text, an instant in another zone.
 *
 * @param sent the fields by upstream's names; undefined ones were not sent
 */
export function showsFields(record: object, sent: object): boolean {
  const fields = Object.entries(sent).filter(([, value]) => value !== undefined);
  return fields.every(([key, value]) => Object.hasOwn(record, key) && isSame(value, Reflect.get(record, key)));
}

function isSame(sent: unknown, found: unknown): boolean {
  if (Array.isArray(sent)) {
    return Array.isArray(found) && found.length === sent.length && sent.every((item, at) => isSame(item, found[at]));
  }
  if (sent instanceof LongNumber) return isSame(String(sent), found);
  if (isObject(sent)) return isObject(found) && showsFields(found, sent) && !hasMoreKeys(found, sent);
  if (sent === null || sent === '') return found === null || found === undefined || found === '';
  if (typeof sent === 'boolean') return isEqual(boolean, sent, found, (one, other) => one === other);
  return (
    isEqual(text, sent, found, (one, other) => one === other) ||
    isEqual(decimal, sent, found, (one, other) => compareDecimals(one, other) === 0) ||
    isEqual(instant, sent, found, (one, other) => one === other)
  );
}

/** An update may replace an object or add to it: one with other keys does not tell whether it was carried out. */
function hasMoreKeys(found: object, sent: object): boolean {
  return Object.keys(found).some((key) => !Object.hasOwn(sent, key));
}

/** Whether both values can be decoded and are equal. */
function isEqual<T>(
  leaf: (value: unknown) => T | null,
  sent: unknown,
  found: unknown,
  equal: (one: T, other: T) => boolean,
): boolean {
  try {
    const [one, other] = [leaf(sent), leaf(found)];
    return one !== null && other !== null && equal(one, other);
  } catch (error) {
    if (error instanceof GatewayError) return false;
    throw error;
  }
}
