import { z } from 'zod';
import { parseJson } from './json-text.ts';

/** A JSON object. No name of a field is special: read it with `getOwn`, build it with `Object.fromEntries`. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Not documented (A91): how deep data may be nested. */
const maxDepth = 100;

/** Whether a value is a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads an own field, undefined when it is absent. `constructor` and `__proto__` are fields like any other. */
export function getOwn(data: JsonObject, field: string): unknown {
  return Object.hasOwn(data, field) ? data[field] : undefined;
}

/** Not documented (A87): null and the empty text count as missing. */
export function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/**
 * A JSON object of field values in a request. Keys and their order are preserved.
 * Not documented (A89): keys that are whole numbers come first, as in any object that JavaScript reads.
 */
export const jsonObjectInput = z
  .unknown()
  .refine(isJsonObject, 'must be an object')
  .transform((value, context): JsonObject => {
    const problem = findProblem(value, 0);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
    return isJsonObject(value) ? value : {};
  });

/** Parses the stored text of a JSON object. */
export function parseJsonObject(text: string): JsonObject {
  const value = parseJson(text);
  return isJsonObject(value) ? value : {};
}

/** Not documented (A90): a number that no double holds is refused. A whole number beyond 2^53 is a bigint here. */
function findProblem(value: unknown, depth: number): string | null {
  if (value === Infinity || value === -Infinity) return 'must not hold a number beyond 1.8e308';
  if (typeof value !== 'object' || value === null) return null;
  if (depth === maxDepth) return `must not be nested deeper than ${maxDepth} levels`;
  for (const member of Object.values(value)) {
    const problem = findProblem(member, depth + 1);
    if (problem !== null) return problem;
  }
  return null;
}
