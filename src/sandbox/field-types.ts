import { z } from 'zod';

/** The field types of databases, with one table or with several. */
export const fieldTypes = ['string', 'text', 'integer', 'number', 'boolean', 'datetime', 'date', 'time'] as const;
export type FieldType = (typeof fieldTypes)[number];

type Scalar = string | number | boolean;

const isoDate = z.iso.date();
const isoDatetime = z.iso.datetime({ offset: true, local: true });

/** Not documented (A85): what converts into which type. Undefined is what does not. */
const conversions: Readonly<Record<FieldType, (value: unknown) => Scalar | undefined>> = {
  string: scalarToText,
  text: scalarToText,
  integer: (value) => {
    const number = typeof value === 'string' && /^[+-]?\d+$/.test(value) ? Number(value) : value;
    return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
  },
  number: (value) => {
    const decimal = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
    const number = typeof value === 'string' && decimal.test(value) ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
    return Number.isInteger(number) && !Number.isSafeInteger(number) ? undefined : number;
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

function scalarToText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
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
