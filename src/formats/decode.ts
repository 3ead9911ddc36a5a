import { isDeepStrictEqual } from 'node:util';
import { BadResponseError } from '../errors.ts';
import { shownBound } from './json-counts.ts';
import { Rows } from './rows.ts';
import { atOnce, inSlices, type Steps } from './slices.ts';

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

/** Whether a value is an object with an id. Null and a blank text are no id. */
export function hasId(value: unknown): value is JsonObject {
  if (!isObject(value)) return false;
  const { id } = value;
  return typeof id === 'number' || (typeof id === 'string' && id.trim() !== '');
}

/** The id or code by which a request names its record. */
export interface Asked {
  readonly id?: string | undefined;
  /** The code of a database: it stands in the place of the id. */
  readonly code?: string | undefined;
}

/**
 * Whether a record may be the one that was asked for. One without a code may have any. Not documented (A241): that ids and codes
 * may differ in upper and lower case.
 */
export function isAskedFor(found: { readonly id: string; readonly code?: unknown }, { id, code }: Asked): boolean {
  const isCode = code !== undefined && isSameText(found.code, code);
  if (id !== undefined) return isSameText(found.id, id) || isCode;
  return code === undefined || isCode || found.code === undefined || found.code === null || isSameText(found.id, code);
}

function isSameText(found: unknown, asked: string): boolean {
  return found === asked || (typeof found === 'string' && found.toLowerCase() === asked.toLowerCase());
}

/**
 * Takes the wrapper off a record: `{"client": {"id": 7}}`. Not documented (A229): that an answer may have one. The outer
 * object of a wrapper has no id, and the inner one has.
 *
 * @param key the key of the record in the API's document; a wrapper is named by it, or by its plural
 * @returns the body itself when there is no wrapper
 */
export function withoutWrapper(body: unknown, key: string | undefined): unknown {
  if (key === undefined || hasId(body)) return body;
  return valuesUnder(body, key).find(hasId) ?? body;
}

/** Takes the wrapper off a list: `{"clients": […]}`. Returns the body itself when there is none. */
export function rowsWithoutWrapper(body: unknown, key: string | undefined): unknown {
  if (Array.isArray(body) || hasId(body)) return body;
  return valuesUnder(body, key).find(Array.isArray) ?? body;
}

/** Takes the wrapper off a row: `{"client": {"id": 7}}`. It has no other key; else the row may be flat data without an id. */
export function rowWithoutWrapper(row: unknown, key: string | undefined): unknown {
  return isObject(row) && Object.keys(row).length === 1 ? withoutWrapper(row, key) : row;
}

/** The values under a key and under its plural. */
export function valuesUnder(body: unknown, key: string | undefined): unknown[] {
  if (key === undefined || !isObject(body)) return [];
  return [key, `${key}s`].filter((name) => Object.hasOwn(body, name)).map((name) => body[name]);
}

/**
 * Decodes an object with an id, bare or in a wrapper. Changes the id of the given object to a string; copies nothing.
 *
 * @param key the name of a wrapper, as `withoutWrapper` takes it
 * @throws BadResponseError for any other value
 */
export function record(body: unknown, key?: string): UpstreamRecord {
  return withTextId(object(withoutWrapper(body, key)));
}

/** Converts the id, which is one. A function of its own: rows that are no wrapper need no look for one. */
function withTextId(fields: JsonObject): UpstreamRecord {
  const { id } = fields;
  if (typeof id !== 'string' || !isPlainSegment(id)) fields['id'] = recordId(id);
  if (hasTextId(fields)) return fields;
  throw new BadResponseError(NO_ID);
}

function hasTextId(fields: JsonObject): fields is UpstreamRecord {
  return typeof fields['id'] === 'string';
}

/**
 * Decodes the records of an array. The array, and each record in it, may be in a wrapper. Not documented (A203): that a row
 * may be no record. Such rows are left out, and are a problem of the list.
 *
 * @param key the name of a wrapper, as `withoutWrapper` takes it
 * @returns a promise for a list that takes long only
 * @throws BadResponseError for a body that is no array
 */
export function records(body: unknown, key?: string): Rows<UpstreamRecord> | Promise<Rows<UpstreamRecord>> {
  const rows = rowsWithoutWrapper(body, key);
  if (!Array.isArray(rows)) throw new BadResponseError(`Expected a list, got ${kindOf(rows)}.`);
  const read = (row: unknown) =>
    isObject(row) && problemOfId(row['id']) === undefined ? withTextId(row) : readUnusualRow(row, key);
  const readOnce = onceById(read);
  return rows.length < STEP_ROWS ? readableRows(rows, readOnce) : inSlices(readingRows(rows, readOnce));
}

/**
 * Reads the first row of each id. Not documented (A235): that rows of one answer may have one id. An equal one is left out, and one with other
 * values is a problem, too: in the cache of a client both would be one node.
 */
export function onceById<Row>(read: (row: Row) => UpstreamRecord | string): ReadRow<Row, UpstreamRecord> {
  const records = new Map<string, UpstreamRecord>();
  return (row) => {
    const decoded = read(row);
    if (typeof decoded === 'string') return decoded;
    const first = records.get(decoded.id);
    if (first === undefined) records.set(decoded.id, decoded);
    else return isDeepStrictEqual(first, decoded) ? undefined : 'Another row has its id.';
    return decoded;
  };
}

/** Decodes a row in a wrapper, or tells why it is no record. */
function readUnusualRow(row: unknown, key: string | undefined): UpstreamRecord | string {
  const bare = rowWithoutWrapper(row, key);
  if (!isObject(bare)) return `Expected an object, got ${kindOf(bare)}.`;
  return problemOfId(bare['id']) ?? withTextId(bare);
}

const NO_ID = 'A record has no id.';

/** The reasons that the problem of a list names. */
const MAX_REASONS = 3;

/** Decodes a row, or gives a text that says why it cannot be read. Undefined for one that is left out without a word. */
type ReadRow<Row, T extends object> = (row: Row) => T | string | undefined;

/** Decodes the rows that can be read. The others are left out, and the list carries one problem that counts them. */
export function readableRows<Row, T extends object>(rows: readonly Row[], read: ReadRow<Row, T>): Rows<T> {
  return atOnce(readingRows(rows, read));
}

/** The number of rows in one step. */
const STEP_ROWS = 256;

// Decodes rows as `readableRows` does. What is kept of those that are left out does not grow with their number.
function* readingRows<Row, T extends object>(rows: readonly Row[], read: ReadRow<Row, T>): Steps<Rows<T>> {
  const list: T[] = [];
  const reasons = new Set<string>();
  let unreadable = 0;
  /** The positions of the rows of `list`. Undefined until a row is left out: until then they are the indexes. */
  let positions: number[] | undefined;
  let position = 0;
  for (const row of rows) {
    const decoded = read(row);
    if (typeof decoded === 'object') {
      list.push(decoded);
      positions?.push(position);
    } else {
      positions ??= Array.from(list.keys());
      if (decoded !== undefined && (unreadable += 1) && reasons.size <= MAX_REASONS) reasons.add(decoded);
    }
    position += 1;
    if (position % STEP_ROWS === 0) yield;
  }
  if (!positions) return new Rows(list);
  const problems = unreadable === 0 ? [] : [leftOut(unreadable, rows.length, reasons)];
  return new Rows(list, problems, { of: positions, total: rows.length });
}

function leftOut(unreadable: number, total: number, reasons: ReadonlySet<string>): BadResponseError {
  const why = [...reasons].slice(0, MAX_REASONS).join(' ');
  const counted = `${unreadable} of ${total} rows ${unreadable === 1 ? 'was' : 'were'} left out`;
  return new BadResponseError(`${counted}: ${why}${reasons.size > MAX_REASONS ? ' …' : ''}`);
}

/**
 * Converts an id to text. Digits of any length are an id. Not documented (A237): white space around an id, which is no part of
 * it, and ids that no path can hold: nobody could send them back.
 *
 * @throws BadResponseError for a missing id, for a number that is not whole, and for a text that no path can hold
 */
export function recordId(id: unknown): string {
  const problem = problemOfId(id);
  if (problem === undefined) return String(id).trim();
  throw new BadResponseError(problem);
}

/**
 * Converts an id back to what a request body sends. Not documented (A130, A236): whether an id in digits is a number. It is one
 * if JSON holds it exactly, as upstream sends its own ids; any other id is a text.
 */
export function wireId(id: string): string | number {
  return /^[1-9]\d*$/.test(id) && Number.isSafeInteger(Number(id)) ? Number(id) : id;
}

function problemOfId(id: unknown): string | undefined {
  if (typeof id === 'number') {
    return Number.isSafeInteger(id) ? undefined : 'A record has an id that is no whole number in digits.';
  }
  if (typeof id !== 'string') return NO_ID;
  if (isPlainSegment(id)) return undefined;
  if (id.trim() === '') return NO_ID;
  return canBeSegment(id.trim()) ? undefined : 'A record has an id that cannot be a part of a path.';
}

const BOUNDS = (['values', 'keys', 'levels'] as const).map(shownBound);

/** Stands in a list for a row that exceeds the bounds of a record, and was not parsed. */
export const LARGE_ROW = Symbol('a row that exceeds the bounds of a record');

/** Names the kind of a value for an error message, such as `a list`. The value itself is never in it. */
export function kindOf(value: unknown): string {
  if (value === LARGE_ROW) return `one with more than ${BOUNDS.join(', or ')}`;
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Characters that need no encoding in a segment of a path, and lead nowhere else. */
const PLAIN_SEGMENT = /^[\w-]{1,500}$/;

// The path must fit its template for every reader on the way. Some decode it twice, resolve dot segments, or cut a segment at
// a semicolon; control characters end a line or a string somewhere.
const UNSAFE_SEGMENT = /^\.{0,2}(?:;|$)|[/\\?#]|%[\da-f]{2}|\p{Cc}/iu;
const MAX_SEGMENT_LENGTH = 500;

/** Whether a text is a segment of a path as it is. */
export function isPlainSegment(text: string): boolean {
  return PLAIN_SEGMENT.test(text);
}

/** Whether a text can be a segment of a path, once it is encoded, without leading to another endpoint. */
export function canBeSegment(text: string): boolean {
  if (PLAIN_SEGMENT.test(text)) return true;
  return !UNSAFE_SEGMENT.test(text) && text.length <= MAX_SEGMENT_LENGTH && text.isWellFormed();
}
