import { z } from 'zod';
import { text } from '../body.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import { convertTo, type FieldType } from '../field-types.ts';

// The document shows no types. Not documented (A86): in any field but a text, the empty text is no value, and null.

/** Free text. */
export const freeText = text.nullable();

export const email = text
  .refine((value) => value === '' || z.email().safeParse(value).success, 'must be an email address')
  .nullable()
  .transform((value) => value || null);

/** A decimal, stored as text to keep every digit. A whole number beyond 2^53 is a bigint, unless its digits were lost. */
export const decimal = z.unknown().transform((value, context) => {
  if (value === null || value === '') return null;
  const exact = typeof value === 'number' && (!Number.isInteger(value) || Number.isSafeInteger(value));
  const written = exact || typeof value === 'bigint' ? String(value) : value;
  if (typeof written === 'string' && /^-?\d+(\.\d+)?$/.test(written)) return written;
  context.addIssue({ code: 'custom', message: 'must be a number' });
  return null;
});

/** Not documented (A202): that a record of the CRM has no whole number beyond 2^53. */
export const integer = fieldOfType('integer', 'must be an integer');
export const boolean = fieldOfType('boolean', 'must be true or false');
export const date = fieldOfType('date', 'must be a date');

/** A datetime, stored in UTC. Without a zone it is read as UTC. */
export const datetime = fieldOfType('datetime', 'must be a date and a time');

/** A date, stored as it is, or a datetime in UTC. Not documented (A137): which of them the fields of payments are. */
export const dateOrDatetime = z.union([date, datetime], 'must be a date, or a date and a time');

/** A code or a number, stored as it was sent: the document does not say which it is. */
export const codeOrNumber = z.union([text, z.number()], 'must be a text or a number').nullable();

/** Ids of a record in other systems, by system. Null is an empty map. */
export const externalIds = z.unknown().transform((value, context): JsonObject => {
  const ids = isJsonObject(value) ? Object.entries(value).map(([system, id]) => [system, externalIdToText(id)]) : [];
  const fits = value === null || (isJsonObject(value) && ids.flat().every((part) => text.safeParse(part).success));
  if (!fits) context.addIssue({ code: 'custom', message: 'must be a map of systems to ids' });
  return Object.fromEntries(ids);
});

/** One of these words, or none. */
export function oneOf(words: readonly string[]) {
  return text
    .refine((value) => value === '' || words.includes(value), `must be one of ${words.join(', ')}`)
    .nullable()
    .transform((value) => value || null);
}

/** Maps each name to the same schema. */
export function each(names: readonly string[], type: z.ZodType): Record<string, z.ZodType> {
  return Object.fromEntries(names.map((name) => [name, type]));
}

/** The schema of a record's writable fields. An absent field stays unchanged; an unknown field is ignored. */
export function writableFields(types: Readonly<Record<string, z.ZodType>>) {
  return z.object(Object.fromEntries(Object.entries(types).map(([name, type]) => [name, type.exactOptional()])));
}

/** Maps each name to null. */
export function nullFields(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, null]));
}

/** Whether a value is absent, null or white space. */
export function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

function fieldOfType(type: FieldType, message: string) {
  return z.unknown().transform((value, context) => {
    const kept = convertTo(type, value);
    if (kept === undefined || typeof kept === 'bigint') context.addIssue({ code: 'custom', message });
    return kept ?? null;
  });
}

function externalIdToText(id: unknown): unknown {
  return Number.isSafeInteger(id) || typeof id === 'bigint' ? String(id) : id;
}
