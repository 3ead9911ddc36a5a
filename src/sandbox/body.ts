import { z } from 'zod';
import { parseJson } from './json-text.ts';
import { badRequest, type HttpError, invalid, payloadTooLarge } from './responses.ts';

const object = z.record(z.string(), z.unknown());

/** A text field. SQLite hands a text back only up to its first NUL, so one that holds a NUL is refused. */
export const text = z
  .string('must be a string')
  .refine((value) => !value.includes('\0'), 'must not contain a null character');

/** A boolean field. */
export const bool = z.boolean('must be true or false');

/** The maximum size of a body in bytes, whichever API it is sent to. */
export const maxBodyBytes = 20 * 1024 * 1024;

/** The format in which an API receives bodies. */
export interface BodyFormat {
  /** Maximum size in bytes. A larger body is not parsed. */
  readonly maxBytes: number;
  /** The error for a larger body. */
  readonly payloadTooLarge: () => HttpError;
  /**
   * Parses a body.
   *
   * @returns undefined when the body is empty
   * @throws HttpError when the body is malformed
   */
  readonly parse: (source: Uint8Array, headers: Readonly<Record<string, string>>) => unknown;
}

export const jsonBodyFormat: BodyFormat = { maxBytes: maxBodyBytes, payloadTooLarge, parse: parseBody };

/** Parses a JSON object. An empty body is undefined, any other body is 400. */
function parseBody(source: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  if (source.length === 0) return undefined;
  try {
    return object.parse(parseJson(new TextDecoder('utf-8', { fatal: true }).decode(source)));
  } catch {
    throw badRequest('the body must be a JSON object');
  }
}

/** Validation messages by field, as a 422 response lists them. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/**
 * Validates the fields of a body that wraps them in a key: `{api_token: {fields}}`.
 *
 * @throws HttpError 400 without the wrapper, 422 for invalid fields
 */
export function validateWrapped<Schema extends z.ZodType>(key: string, fields: Schema, body: unknown): z.infer<Schema> {
  return validate(fields, unwrap(key, body));
}

/** The same fields as they were sent. Not documented (A5): a body without its wrapper is 400. */
export function unwrap(key: string, body: unknown): Readonly<Record<string, unknown>> {
  const fields = z.object({ [key]: object }).safeParse(body).data?.[key];
  if (!fields) throw badRequest(`the body must be {"${key}": {…}}`);
  return fields;
}

/**
 * Validates a value.
 *
 * @param otherErrors messages that were found before, reported together with those of the schema
 * @throws HttpError 422 with messages by field
 */
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

/** The integer id in a path. Not documented (A6): what is no integer names nothing, so it is null. */
export function integerId(segment: string): number | null {
  return /^[1-9]\d{0,14}$/.test(segment) ? Number(segment) : null;
}
