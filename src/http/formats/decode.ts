import { BadResponseError } from '../errors.ts';
import { withPositions, withProblems } from '../problems.ts';

// Checks of the envelope of a response: objects, lists and ids. Resolvers decode single values, see leaves.ts.

/** A JSON object. */
export interface JsonObject {
  [key: string]: unknown;
}

/** A record as upstream sends it. Its id is converted to a string, so that 3 and "3" are one key. */
export interface UpstreamRecord extends JsonObject {
  id: string;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Decodes an object of any fields.
 *
 * @throws BadResponseError for any other value
 */
export function object(body: unknown): JsonObject {
  if (!isObject(body)) throw new BadResponseError(`Expected an object, got ${kindOf(body)}.`);
  return body;
}

/**
 * Decodes an object with an id. Changes the id of the given object to a string; copies nothing.
 *
 * @throws BadResponseError for any other value
 */
export function record(body: unknown): UpstreamRecord {
  const fields = object(body);
  const { id } = fields;
  if (typeof id !== 'string' || id === '') fields['id'] = recordId(id);
  if (hasTextId(fields)) return fields;
  throw new BadResponseError(NO_ID);
}

function hasTextId(fields: JsonObject): fields is UpstreamRecord {
  return typeof fields['id'] === 'string';
}

/**
 * Decodes the records of an array. Not documented (A203): that a row may be no record. Such rows are left out, and are a
 * problem of the list.
 *
 * @throws BadResponseError for a body that is no array
 */
export function records(body: unknown): UpstreamRecord[] {
  if (!Array.isArray(body)) throw new BadResponseError(`Expected a list, got ${kindOf(body)}.`);
  return readableRows(body, readRow);
}

function readRow(row: unknown): UpstreamRecord | string {
  return problemOfRow(row) ?? record(row);
}

/** Tells why a row is no record. Undefined for a record. */
function problemOfRow(row: unknown): string | undefined {
  return isObject(row) ? problemOfId(row['id']) : `Expected an object, got ${kindOf(row)}.`;
}

const NO_ID = 'A record has no id.';

/** The reasons that the problem of a list names. */
const MAX_REASONS = 3;

/**
 * Decodes the rows that can be read. The others are left out, and the list carries one problem that counts them.
 *
 * @param read decodes a row, or gives a text that says why it cannot be read
 */
export function readableRows<Row, T extends object>(rows: readonly Row[], read: (row: Row) => T | string): T[] {
  const list: T[] = [];
  const unreadable = new Map<number, string>();
  let position = 0;
  for (const row of rows) {
    const decoded = read(row);
    if (typeof decoded === 'string') unreadable.set(position, decoded);
    else list.push(decoded);
    position += 1;
  }
  return unreadable.size === 0 ? list : withUnreadable(list, unreadable);
}

/** Attaches the problem of the rows that were left out, by their positions, to the list of the others. */
function withUnreadable<T extends object>(list: T[], unreadable: ReadonlyMap<number, string>): T[] {
  const missing = unreadable.size;
  const total = list.length + missing;
  const reasons = [...new Set(unreadable.values())];
  const why = reasons.slice(0, MAX_REASONS).join(' ');
  const counted = `${missing} of ${total} rows ${missing === 1 ? 'was' : 'were'} left out`;
  const problem = new BadResponseError(`${counted}: ${why}${reasons.length > MAX_REASONS ? ' …' : ''}`);
  const positions = Array.from({ length: total }, (_row, position) => position);
  const of = positions.filter((position) => !unreadable.has(position));
  return withPositions(withProblems(list, [problem]), { of, total });
}

/**
 * Converts an id to text. Digits of any length are an id.
 *
 * @throws BadResponseError for a missing id, and for a number that is not whole
 */
export function recordId(id: unknown): string {
  const problem = problemOfId(id);
  if (problem === undefined) return String(id);
  throw new BadResponseError(problem);
}

function problemOfId(id: unknown): string | undefined {
  if (typeof id === 'number') {
    return Number.isSafeInteger(id) ? undefined : 'A record has an id that is no whole number in digits.';
  }
  return typeof id === 'string' && id !== '' ? undefined : NO_ID;
}

/** Names the kind of a value for an error message, such as `a list`. The value itself is never in it. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
