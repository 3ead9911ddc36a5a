import { z } from 'zod';
import { badRequest, type HttpError, invalid, payloadTooLarge } from './responses.ts';

const object = z.record(z.string(), z.unknown());

/** A text field. SQLite hands a text back only up to its first NUL, so one that holds a NUL is refused. */
export const text = z
  .string('must be a string')
  .refine((value) => !value.includes('\0'), 'must not contain a null character');

/** Yes or no. */
export const bool = z.boolean('must be true or false');

/** What no body of any API may exceed, in bytes. */
export const maxBodyBytes = 20 * 1024 * 1024;

/** How an API takes what it is sent. */
export interface BodyFormat {
  /** In bytes. A larger body is not read. */
  readonly maxBytes: number;
  /** What to answer then. */
  readonly payloadTooLarge: () => HttpError;
  /** What a request carries, undefined when it carries nothing. One that cannot be read is refused. */
  readonly parse: (source: Uint8Array, headers: Readonly<Record<string, string>>) => unknown;
}

export const jsonBodyFormat: BodyFormat = { maxBytes: maxBodyBytes, payloadTooLarge, parse: parseJson };

/** The JSON object that a request carries, undefined when it carries nothing. Anything else is 400. */
function parseJson(source: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  if (source.length === 0) return undefined;
  try {
    return object.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(source)));
  } catch {
    throw badRequest('the body must be a JSON object');
  }
}

/** What is wrong with a body: messages by field. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** The fields of a body that wraps them in a key: `{api_token: {fields}}`, checked. */
export function validateWrapped<Schema extends z.ZodType>(key: string, fields: Schema, body: unknown): z.infer<Schema> {
  return validate(fields, unwrap(key, body));
}

/** The same fields as they were sent. Not documented: a body without its wrapper is 400. */
export function unwrap(key: string, body: unknown): Readonly<Record<string, unknown>> {
  const fields = z.object({ [key]: object }).safeParse(body).data?.[key];
  if (!fields) throw badRequest(`the body must be {"${key}": {…}}`);
  return fields;
}

/** The value, or 422 with messages by field: what the schema finds, and what was found besides. */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  otherErrors: FieldErrors = {},
): z.infer<Schema> {
  const result = schema.safeParse(value);
  const errors = new Map(Object.entries(otherErrors).map(([field, messages]) => [field, [...messages]]));
  if (result.success && errors.size === 0) return result.data;
  for (const { path, message } of result.error?.issues ?? []) {
    const field = String(path[0]);
    errors.set(field, [...(errors.get(field) ?? []), message]);
  }
  throw invalid(Object.fromEntries(errors));
}

/** The integer id in a path. Not documented: what is no integer names nothing, so it is null. */
export function integerId(segment: string): number | null {
  return /^[1-9]\d{0,14}$/.test(segment) ? Number(segment) : null;
}
