import { readDateTime } from './dates.ts';
import { kindOf } from './decode.ts';
import { BadResponseError } from '../errors.ts';

// Decoders of single values. The documents state few types, so each decoder accepts the variants that are known to occur.
// An absent value is null. A value of another kind throws a BadResponseError, which fails this one field.

type Leaf<T> = (value: unknown) => T | null;

const isBlank = (value: unknown): value is null | undefined | '' =>
  value === null || value === undefined || value === '';

/** Creates the error for a value of another type than `wanted`. It names the kind of the value, never the value. */
export function unexpectedType(expected: string, value: unknown): BadResponseError {
  const got = typeof value === 'string' ? 'another text' : kindOf(value);
  return new BadResponseError(`Expected ${expected}, got ${got}.`);
}

/** Decodes a text. Numbers and booleans are converted to text. */
export const text: Leaf<string> = (value) => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return digitsOf(value);
  if (typeof value === 'boolean') return String(value);
  throw unexpectedType('text', value);
};

/** Decodes `true`, `1`, `"1"`, `"true"` and their opposites. */
export const boolean: Leaf<boolean> = (value) => {
  if (isBlank(value)) return null;
  if (value === true || value === 1 || value === '1' || value === 'true') return true;
  if (value === false || value === 0 || value === '0' || value === 'false') return false;
  throw unexpectedType('true or false', value);
};

/** Decodes a whole number, given as a number or as digits. */
export const integer: Leaf<number> = (value) => {
  if (isBlank(value)) return null;
  const isShort = typeof value === 'string' && value.length <= MAX_DIGITS;
  const number = isShort && /^-?\d+$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number)) return assertSafe(number);
  throw unexpectedType('a whole number', value);
};

/** Decodes a whole number of 32 bits. GraphQL's own `Int` would report a larger one as a failure of the gateway. */
export const int32: Leaf<number> = (value) => {
  const number = integer(value);
  if (number === null || (number >= -(2 ** 31) && number < 2 ** 31)) return number;
  throw new BadResponseError('A number beyond 2^31 does not fit into an Int.');
};

/** Passes the value on unchanged: a GraphQL scalar decodes it. */
export const raw: Leaf<unknown> = (value) => (isBlank(value) ? null : value);

/** Decodes the id of another record as text. Not documented (A237): white space around it. It is no part of it, and alone no id. */
export const identifier: Leaf<string> = (value) => externalIdentifier(value)?.trim() || null;

/** Decodes an id of another system as text, as it is. */
export const externalIdentifier: Leaf<string> = (value) => {
  if (isBlank(value)) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isInteger(value)) return String(assertSafe(value));
  throw unexpectedType('an id', value);
};

/**
 * Decodes an exact decimal, given as a text such as `"100.0"` or `"1 000,50"`, or as a number. The result has no exponent.
 * Not documented (A238): how long one may be.
 */
export const decimal: Leaf<string> = (value) => {
  if (isBlank(value)) return null;
  const written = typeof value === 'number' ? digitsOf(value) : value;
  const trimmed = typeof written === 'string' ? written.trim() : '';
  const plain = plainDecimal(trimmed);
  if (plain !== undefined) return plain;
  if (isTooLong(trimmed)) throw new BadResponseError(`A decimal of more than ${DIGITS_BOUND} cannot be read.`);
  const read = localDecimal(trimmed);
  if (read === undefined) throw unexpectedType('a decimal', value);
  return read;
};

const DECIMAL_COMMA = /^[+-]?\d+,\d+$/;
/** Groups of three digits after a blank, a no-break space, a narrow one, a point or a comma; then a fraction. */
const GROUPED = /^[+-]?[1-9]\d{0,2}([ \u00A0\u202F.,])\d{3}(?:\1\d{3})*(?:([.,])\d+)?$/;
const ONE_COMMA_GROUP = /^[+-]?[1-9]\d{0,2},\d{3}$/;

/**
 * Reads a decimal in a form that people write: `1 000,50`, `1,000.50`, `1.000,50`. Not documented (A206): such forms.
 *
 * @throws BadResponseError for `1,000`, which is a thousand or one
 */
function localDecimal(text: string): string | undefined {
  if (ONE_COMMA_GROUP.test(text)) throw new BadResponseError('A decimal such as 1,000 can be read in two ways.');
  if (DECIMAL_COMMA.test(text)) return plainDecimal(text.replace(',', '.'));
  const [, separator = '', mark = ''] = GROUPED.exec(text) ?? [];
  if (separator === mark) return undefined;
  return plainDecimal(text.replaceAll(separator, '').replace(',', '.'));
}

/** Decodes a list of texts. */
export const texts: Leaf<string[]> = (value) => {
  if (isBlank(value)) return null;
  if (!Array.isArray(value)) throw unexpectedType('a list of texts', value);
  return value.map((item) => {
    if (typeof item !== 'string') throw unexpectedType('text', item);
    return item;
  });
};

/** Creates a decoder of known values. Any other value fails its field only: a newer upstream may have more of them. */
export function oneOf<const T extends string>(values: readonly T[]): Leaf<T> {
  return (value) => {
    if (isBlank(value)) return null;
    const known = values.find((candidate) => candidate === value);
    if (known === undefined) throw new BadResponseError(`Expected one of ${values.join(', ')}.`);
    return known;
  };
}

/** @throws BadResponseError for a whole number beyond 2^53: no number of JavaScript holds all of its digits */
function assertSafe(number: number): number {
  if (Number.isSafeInteger(number)) return number;
  throw new BadResponseError('A whole number beyond 2^53 cannot be read exactly.');
}

/**
 * Writes a number of a response with the digits that were sent: one that JSON would round is a text, see long-numbers.ts.
 *
 * @throws BadResponseError for a number beyond 1.8e308
 */
function digitsOf(number: number): string {
  if (Number.isFinite(number)) return String(number);
  throw new BadResponseError('A number is too large to be read.');
}

/**
 * Whether a number of a request surely has all digits that were sent. A double holds whole numbers up to 2^53 exactly, and
 * other numbers of up to 15 significant digits.
 */
export function isExact(number: number): boolean {
  return Number.isSafeInteger(number) || (Number.isFinite(number) && hasDigits(String(number), 15));
}

/** Whether a number as it is written has at most so many significant digits. */
export function hasDigits(number: string, most: number): boolean {
  const [digits = ''] = number.toLowerCase().split('e');
  const significant = digits.replaceAll(/[-+.]/g, '').replace(/^0+/, '');
  return /^0*$/.test(significant.slice(most));
}

/** Numbers of more digits are not read: converting and comparing them would take long. */
const MAX_DIGITS = 1_000;

/** The bound on digits, for messages. */
export const DIGITS_BOUND = '1,000 digits';

/** The length of a text with so many digits, with a sign, a point and marks between groups of three digits. */
const MAX_DECIMAL_LENGTH = MAX_DIGITS * 1.4;

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

/**
 * Writes a decimal without an exponent, with the same digits: `1.5e3` becomes `1500`. Undefined for any other text, and for a
 * decimal of more than 1,000 digits, the zeros of its exponent included.
 */
export function plainDecimal(text: string): string | undefined {
  if (text.length > MAX_DECIMAL_LENGTH) return undefined;
  const [, sign, whole, fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = `${whole}${fraction}`;
  const point = whole.length + Number(exponent);
  if (Math.max(digits.length, point, digits.length + 1 - point) > MAX_DIGITS) return undefined;
  const padded = digits.padStart(digits.length - Math.min(0, point - 1), '0').padEnd(point, '0');
  const at = Math.max(1, point);
  const before = padded.slice(0, at).replace(/^0+(?=\d)/, '');
  return `${sign === '-' ? '-' : ''}${before}${padded.length > at ? `.${padded.slice(at)}` : ''}`;
}

/** Whether a text that `plainDecimal` does not read has too many digits. */
export function isTooLong(text: string): boolean {
  return text.length > MAX_DECIMAL_LENGTH ? /^[+-]?\d/.test(text) : DECIMAL.test(text);
}

/** Compares two decimals as `plainDecimal` writes them, exactly. Returns -1, 0 or 1, as `Array.sort` takes it. */
export function compareDecimals(one: string, other: string): number {
  const [isNegative, otherIsNegative] = [one.startsWith('-'), other.startsWith('-')];
  if (!isNegative && !otherIsNegative) return compareSizes(one, other);
  if (isNegative && otherIsNegative) return compareSizes(other.slice(1), one.slice(1));
  if (ZERO.test(one) && ZERO.test(other)) return 0;
  return isNegative ? -1 : 1;
}

const ZERO = /^-?0(?:\.0*)?$/;
const NO_MORE = /^\.?0*$/;

/** Compares decimals without signs as texts: conversions to `BigInt` would take longer than all else about a long list. */
function compareSizes(one: string, other: string): number {
  const wholeDigits = digitsBeforePoint(one) - digitsBeforePoint(other);
  if (wholeDigits !== 0) return Math.sign(wholeDigits);
  if (one === other) return 0;
  const [less, more] = one < other ? [one, other] : [other, one];
  if (more.startsWith(less) && NO_MORE.test(more.slice(less.length))) return 0; // such as 1.5 and 1.50
  return less === one ? -1 : 1;
}

function digitsBeforePoint(decimal: string): number {
  const point = decimal.indexOf('.');
  return point === -1 ? decimal.length : point;
}

/**
 * Decodes an instant as milliseconds since 1970, for comparisons only: an instant without a zone is taken as UTC, a date
 * as its midnight.
 */
export const instant: Leaf<number> = (value) => {
  if (isBlank(value)) return null;
  const read = readDateTime(value);
  if (read === undefined) throw unexpectedType('an instant', value);
  const parsable = read.replace(/(:\d\d):60/, '$1:59'); // JavaScript knows no leap second
  return Date.parse(/Z$|[+-]\d\d:?\d\d$/i.test(parsable) ? parsable : `${parsable}Z`);
};
