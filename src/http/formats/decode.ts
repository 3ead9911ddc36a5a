import { BadResponseError } from '../errors.ts';

// Checks of the envelope of an answer, and only that: leaves are coerced where they are read.

/** A JSON object. */
export interface JsonObject {
  [key: string]: unknown;
}

/** A record as upstream sends it: an object with an id, which is a string from here on, so that 3 and "3" are one key. */
export interface UpstreamRecord extends JsonObject {
  id: string;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object, whatever it holds. */
export function object(body: unknown): JsonObject {
  if (!isObject(body)) throw new BadResponseError(`Expected an object, got ${kindOf(body)}.`);
  return body;
}

/** An object with an id. It is the parsed answer itself: nothing is copied. */
export function record(body: unknown): UpstreamRecord {
  const fields = object(body);
  return Object.assign(fields, { id: recordId(fields['id']) });
}

/** An array of records. */
export function records(body: unknown): UpstreamRecord[] {
  if (!Array.isArray(body)) throw new BadResponseError(`Expected a list, got ${kindOf(body)}.`);
  return body.map(record);
}

/** The record that the answer to a write carries, or null where it carries none: then it is to be read by id. */
export function recordIfAny(body: unknown): UpstreamRecord | null {
  return isObject(body) && Object.hasOwn(body, 'id') ? record(body) : null;
}

/** An id as text. */
export function recordId(id: unknown): string {
  const digits = typeof id === 'number' || (typeof id === 'string' && /^\d+$/.test(id));
  if (digits ? Number.isSafeInteger(Number(id)) : typeof id === 'string' && id !== '') return String(id);
  if (digits) throw new BadResponseError('A record has an id that is no whole number below 2^53.');
  throw new BadResponseError('A record has no id.');
}

/** What a value is, in words that never hold the value. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
