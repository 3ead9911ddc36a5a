import { isObject } from './decode.ts';
import { boolean, compareDecimals, decimal, instant, text } from './leaves.ts';
import { LongNumber } from './long-numbers.ts';
import { GatewayError } from '../errors.ts';

/** How the values of a field are compared: as decimals, as instants, or as JSON, by their types. */
type FieldKind = 'decimal' | 'instant' | 'json';

/** The kind of a field by upstream's name. Undefined for one whose values are texts, ids or booleans. */
export type KindOf = (name: string) => FieldKind | undefined;

const isText: KindOf = () => undefined;

/** Of flexible data, whose fields have any names. */
export const isJson: KindOf = () => 'json';

/** Of a record with flexible data. */
export const hasJsonData: KindOf = (name) => (name === 'data' ? 'json' : undefined);

/**
 * Whether a record shows every field that was sent. Upstream may write a value in another form than it was sent in: a number as a
 * text, null as an empty text, an instant in another zone. A text is the same when its characters are: `007` is not `7`.
 *
 * @param sent the fields by upstream's names; undefined ones were not sent
 */
export function showsFields(record: object, sent: object, kindOf: KindOf = isText): boolean {
  const fields = Object.entries(sent).filter(([, value]) => value !== undefined);
  return fields.every(
    ([key, value]) => Object.hasOwn(record, key) && isSame(value, Reflect.get(record, key), kindOf(key)),
  );
}

function isSame(sent: unknown, found: unknown, kind: FieldKind | undefined): boolean {
  if (Array.isArray(sent)) {
    return (
      Array.isArray(found) && found.length === sent.length && sent.every((item, at) => isSame(item, found[at], kind))
    );
  }
  if (sent instanceof LongNumber) return found === String(sent); // which is how its digits are read
  if (isObject(sent)) return isObject(found) && showsFields(found, sent, () => kind) && !hasMoreKeys(found, sent);
  return kind === 'json' ? sent === (found ?? null) : isSameLeaf(sent, found, kind);
}

function isSameLeaf(sent: unknown, found: unknown, kind: FieldKind | undefined): boolean {
  if (sent === null || sent === '') return found === null || found === undefined || found === '';
  if (typeof sent === 'boolean') return isEqual(boolean, sent, found, (one, other) => one === other);
  return (
    isEqual(text, sent, found, (one, other) => one === other) ||
    (kind === 'decimal' && isEqual(decimal, sent, found, (one, other) => compareDecimals(one, other) === 0)) ||
    (kind === 'instant' && isEqual(instant, sent, found, (one, other) => one === other))
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
