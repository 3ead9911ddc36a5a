import { kindOf } from './decode.ts';
import { BadResponseError } from '../errors.ts';

// How one value of an answer is read. The documents state few types, so each accepts the variants that are
// known to occur; absent and null are null, and what fits no variant spoils this one field.

type Leaf<T> = (value: unknown) => T | null;

const isBlank = (value: unknown): value is null | undefined | '' =>
  value === null || value === undefined || value === '';

/** An error that tells what was expected, and of the value no more than its kind. */
export function unexpectedType(wanted: string, value: unknown): BadResponseError {
  const got = typeof value === 'string' ? 'another text' : kindOf(value);
  return new BadResponseError(`Expected ${wanted}, got ${got}.`);
}

/** Text; numbers and booleans are shown as text. */
export const text: Leaf<string> = (value) => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(assertExact(value));
  if (typeof value === 'boolean') return String(value);
  throw unexpectedType('text', value);
};

/** `true`, `1`, `"1"`, `"true"` and their opposites. */
export const boolean: Leaf<boolean> = (value) => {
  if (isBlank(value)) return null;
  if (value === true || value === 1 || value === '1' || value === 'true') return true;
  if (value === false || value === 0 || value === '0' || value === 'false') return false;
  throw unexpectedType('true or false', value);
};

/** A whole number, as a number or as digits. */
export const integer: Leaf<number> = (value) => {
  if (isBlank(value)) return null;
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number)) return assertExact(number);
  throw unexpectedType('a whole number', value);
};

/** A whole number that GraphQL's Int can hold: its own refusal would read as a failure of the gateway. */
export const int32: Leaf<number> = (value) => {
  const number = integer(value);
  if (number === null || (number >= -(2 ** 31) && number < 2 ** 31)) return number;
  throw new BadResponseError('A number beyond 2^31 does not fit into an Int.');
};

/** Whatever was sent, for a scalar to check. */
export const raw: Leaf<unknown> = (value) => (isBlank(value) ? null : value);

/** An id of another record, as text. */
export const identifier: Leaf<string> = (value) => {
  if (isBlank(value)) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isInteger(value)) return String(assertExact(value));
  throw unexpectedType('an id', value);
};

/** An exact decimal without an exponent; upstream sends a text, such as `"100.0"`, or a number. */
export const decimal: Leaf<string> = (value) => {
  if (isBlank(value)) return null;
  const plain = typeof value === 'number' ? plainDecimal(String(assertExact(value))) : undefined;
  const read = typeof value === 'string' ? plainDecimal(value.trim()) : plain;
  if (read === undefined) throw unexpectedType('a decimal', value);
  return read;
};

/** A list of texts. */
export const texts: Leaf<string[]> = (value) => {
  if (isBlank(value)) return null;
  if (!Array.isArray(value)) throw unexpectedType('a list of texts', value);
  return value.map((item) => {
    if (typeof item !== 'string') throw unexpectedType('text', item);
    return item;
  });
};

/** One of the known values; another one is an error of this field, for a newer upstream may know more. */
export function oneOf<const T extends string>(values: readonly T[]): Leaf<T> {
  return (value) => {
    if (isBlank(value)) return null;
    const known = values.find((candidate) => candidate === value);
    if (known === undefined) throw new BadResponseError(`Expected one of ${values.join(', ')}.`);
    return known;
  };
}

/** A JSON number that may have lost digits when it was parsed is refused, never rounded. */
function assertExact(number: number): number {
  if (isExact(number)) return number;
  throw new BadResponseError(
    Number.isInteger(number)
      ? 'A whole number beyond 2^53 cannot be read exactly.'
      : 'A number of more than 15 digits cannot be read exactly.',
  );
}

/**
 * Whether a number that JSON was parsed into still has the digits that were sent, as far as can be told: a double holds
 * whole numbers up to 2^53, and of others no more than 15 significant digits.
 */
export function isExact(number: number): boolean {
  if (Number.isInteger(number)) return Number.isSafeInteger(number);
  const [digits = ''] = String(number).split('e');
  return digits.replaceAll(/[-.]/g, '').replace(/^0+/, '').length <= 15;
}

/** `1.5e3` is `1500`: the same digits, without an exponent. Undefined for what is no decimal. */
export function plainDecimal(text: string): string | undefined {
  const [, sign, whole, fraction = '', exponent = '0'] =
    /^([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = `${whole}${fraction}`;
  const point = whole.length + Number(exponent);
  const padded = digits.padStart(digits.length - Math.min(0, point - 1), '0').padEnd(point, '0');
  const at = Math.max(1, point);
  const before = padded.slice(0, at).replace(/^0+(?=\d)/, '');
  return `${sign === '-' ? '-' : ''}${before}${padded.length > at ? `.${padded.slice(at)}` : ''}`;
}

/** Which of two plain decimals is greater, exactly. */
export function compareDecimals(one: string, other: string): number {
  const scale = Math.max(...[one, other].map((decimal) => decimal.split('.')[1]?.length ?? 0));
  const scaled = (decimal: string) => {
    const [whole = '', fraction = ''] = decimal.split('.');
    return BigInt(`${whole}${fraction.padEnd(scale, '0')}`);
  };
  const difference = scaled(one) - scaled(other);
  return difference === 0n ? 0 : difference > 0n ? 1 : -1;
}

const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d(:([0-5]\d|60)(\.\d+)?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)?$/i;

/** A date that is in the calendar. */
export function isDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  // Looked up only where it matters: a long list has many dates.
  return Number(text.slice(8)) <= 28 || new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);
}

/** An ISO 8601 instant. Upstream may leave out the zone: then nobody but upstream knows it, and none is made up. */
export function isDateTime(text: string): boolean {
  const [date = '', time = '', ...more] = text.split(/T/i);
  return isDate(date) && TIME.test(time) && more.length === 0;
}

/** An instant in milliseconds since 1970. One without a zone is taken as UTC: only to be compared with another. */
export const instant: Leaf<number> = (value) => {
  if (isBlank(value)) return null;
  if (typeof value !== 'string' || !isDateTime(value)) throw unexpectedType('an instant', value);
  const parsable = value.replace(/(:\d\d):60/, '$1:59'); // JavaScript knows no leap second
  return Date.parse(/Z$|[+-]\d\d:?\d\d$/i.test(parsable) ? parsable : `${parsable}Z`);
};
