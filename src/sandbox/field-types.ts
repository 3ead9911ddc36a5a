import { z } from 'zod';

/** The field types of databases, with one table or with several. */
export const fieldTypes = ['string', 'text', 'integer', 'number', 'boolean', 'datetime', 'date', 'time'] as const;
export type FieldType = (typeof fieldTypes)[number];

type Scalar = string | number | bigint | boolean;

/** The bounds of a bigint column of a database: 64 bits. */
export const maxBigint = 2n ** 63n - 1n;
export const minBigint = -(2n ** 63n);

const isoDate = z.iso.date();
const isoDatetime = z.iso.datetime({ offset: true, local: true });

/** Not documented (A85): what converts into which type. Undefined is what does not. */
const conversions: Readonly<Record<FieldType, (value: unknown) => Scalar | undefined>> = {
  string: scalarToText,
  text: scalarToText,
  integer: (value) => {
    const whole = toWholeNumber(value);
    return whole !== undefined && whole <= maxBigint && whole >= minBigint ? whole : undefined;
  },
  number: (value) => {
    const whole = typeof value === 'number' ? undefined : toWholeNumber(value);
    if (whole !== undefined) return whole;
    const decimal = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
    const number = typeof value === 'string' && decimal.test(value) ? Number(value) : value;
    return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
  },
  boolean: (value) => {
    if ([true, 'true', 1, '1'].some((yes) => yes === value)) return true;
    return [false, 'false', 0, '0'].some((no) => no === value) ? false : undefined;
  },
  datetime: toUtcDatetime,
  date: (value) => (isoDate.safeParse(value).success ? scalarToText(value) : undefined),
  time: toTime,
};

/**
 * Converts a value to a field type. The result is undefined when the value does not convert.
 * Not documented (A86): the empty text is no value, and null, in any field but a text.
 */
export function convertTo(type: FieldType, value: unknown): Scalar | null | undefined {
  if (value === null) return null;
  if (value === '' && type !== 'string' && type !== 'text') return null;
  return conversions[type](value);
}

/**
 * A whole number with all of its digits: a number up to 2^53, a bigint beyond. Not documented (A90): one of more than 309
 * digits is none.
 */
function toWholeNumber(value: unknown): number | bigint | undefined {
  const isWhole = typeof value === 'string' ? /^[+-]?\d{1,309}$/.test(value) : Number.isInteger(value);
  const whole = (typeof value === 'string' || typeof value === 'number') && isWhole ? BigInt(value) : value;
  if (typeof whole !== 'bigint') return undefined;
  return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole;
}

function scalarToText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return ['number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

/** Converts to UTC with milliseconds, so that equal instants are equal texts. A datetime without a zone is read as UTC. */
function toUtcDatetime(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (isoDate.safeParse(value).success) return new Date(value).toISOString();
  if (!isoDatetime.safeParse(value).success) return undefined;
  const zoned = /(Z|[+-]\d\d:\d\d)$/.test(value);
  return new Date(zoned ? value : `${value}Z`).toISOString();
}

/** Converts to `HH:MM:SS`. */
function toTime(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const [, minutes, seconds = ':00'] = /^((?:[01]\d|2[0-3]):[0-5]\d)(:[0-5]\d)?$/.exec(value) ?? [];
  return minutes === undefined ? undefined : minutes + seconds;
}
