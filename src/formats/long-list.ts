import { BadResponseError, GatewayError } from '../errors.ts';
import { inSlices, type Steps } from './slices.ts';
import { isObject, type JsonObject, LARGE_ROW } from './decode.ts';
import { JsonCounts, type JsonBounds, RECORD_BOUNDS } from './json-counts.ts';

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * The least size of a piece. V8 allocates a text of 128 KB and more outside of its young generation, which costs more than
 * parsing it; in UTF-16 that is twice this size.
 */
const PIECE_BYTES = 32 * 1024;

/** Chunks are joined up to this size before they are cut, so that few cuts are missed at their ends. */
const JOINED_BYTES = 8 * PIECE_BYTES;

/** Shorter JSON is not counted: it is parsed within a few milliseconds, whatever its values are. */
const SHORT_BYTES = 64 * 1024;

/** How many rows of a list may not be records. Not documented (A239). */
const MAX_NON_RECORDS = 100_000;

/** Parses the text of one piece, which is a JSON list. */
type Parse = (list: Buffer) => Steps<unknown>;

/**
 * Parses the JSON text of a list piece by piece, cut at the commas between its items. Parsed as one text, a list of ten
 * megabytes would be in memory three times, and one of some hundred kilobytes takes longer. Between the pieces of a list that
 * takes long, other requests are served.
 *
 * Each piece has to parse as a list, so a cut at a wrong place fails and never changes the result. A long row is counted before it
 * is parsed; `LARGE_ROW` stands for one that exceeds the bounds of a record.
 *
 * @param chunks the text; emptied while it is parsed, to free its memory early
 * @returns a promise for a list that takes long only
 * @throws SyntaxError for text that is no list, BadResponseError for 100,000 rows that are no records, and every error of `parse`
 */
export function parseList(chunks: Uint8Array[], parse: Parse): unknown[] | Promise<unknown[]> {
  return inSlices(parsingList(chunks, parse));
}

function* parsingList(chunks: Uint8Array[], parse: Parse): Steps<unknown[]> {
  const list = new ListOfRows();
  chunks.reverse(); // taking many chunks from the end is linear in their number
  let text = takeBytes(chunks, Buffer.alloc(0)); // a copy: brackets are written into it
  let rowStart = startOfRows(text);
  let isFirst = true;
  let scan: Scan = { at: 0, depth: 0 };
  for (;;) {
    const cut = yield* findCut(text, rowStart, scan);
    if (cut === -1) {
      if (chunks.length === 0) break;
      text = takeBytes(chunks, text);
      yield;
      continue;
    }
    text[cut] = CLOSE_LIST;
    scan = { at: 0, depth: 0 };
    const items = yield* parsingItemsOf(text.subarray(0, cut + 1), parse, rowStart !== undefined);
    if (items === undefined) {
      text[cut] = COMMA; // it is within an item, or the text is broken: from here on, the nesting is tracked
      rowStart = undefined;
      continue;
    }
    list.add(items);
    yield;
    text = text.subarray(cut);
    text[0] = OPEN_LIST;
    isFirst = false;
  }
  const items = yield* parsingItems(text, parse);
  if (items.length === 0 && !isFirst) throw noItem();
  list.add(items);
  return list.rows;
}

/** The rows of a list, as far as it is parsed. */
class ListOfRows {
  readonly rows: unknown[] = [];
  #nonRecords = 0;

  /** @throws BadResponseError for too many rows that are no records */
  add(items: readonly unknown[]): void {
    for (const item of items) {
      if (!isObject(item) || (item['id'] === undefined && isEmpty(item))) this.#nonRecords += 1;
      if (this.#nonRecords > MAX_NON_RECORDS)
        throw new BadResponseError(`Expected a list of records, got more than ${MAX_NON_RECORDS} rows that are none.`);
      this.rows.push(item);
    }
  }
}

function isEmpty(object: JsonObject): boolean {
  for (const key in object) if (Object.hasOwn(object, key)) return false;
  return true;
}

// Parses a piece that another one follows. If it may have been cut at a wrong place, errors are undefined.
function* parsingItemsOf(piece: Buffer, parse: Parse, isGuess: boolean): Steps<readonly unknown[] | undefined> {
  try {
    if (isGuess && (yield* exceeding(piece))) return undefined;
    const items = yield* parsingItems(piece, parse);
    if (items.length > 0) return items;
    throw noItem();
  } catch (error) {
    if (isGuess && !(error instanceof GatewayError)) return undefined;
    throw error;
  }
}

// Parses a piece that is cut between its items, or a whole list.
function* parsingItems(piece: Buffer, parse: Parse): Steps<readonly unknown[]> {
  if (yield* exceeding(piece)) return yield* parsingEach(piece, parse);
  const items = yield* parse(piece);
  if (isList(items)) return items;
  throw noItem();
}

// Parses the items of a list one by one, but for those that exceed the bounds of a record.
function* parsingEach(list: Buffer, parse: Parse): Steps<readonly unknown[]> {
  const items: unknown[] = [];
  let rest = list;
  for (;;) {
    const scan: Scan = { at: 0, depth: 0 };
    const comma = yield* findSeparator(rest, scan, 0);
    const isLast = comma === -1;
    if (isLast && (scan.depth !== 0 || scan.at < rest.length || !endsAsList(rest))) throw noItem();
    if (!isLast) rest[comma] = CLOSE_LIST;
    const item = isLast ? rest : rest.subarray(0, comma + 1);
    const parsed = (yield* exceeding(item)) ? [LARGE_ROW] : yield* parse(item);
    if (!isList(parsed) || parsed.length === 0) throw noItem();
    items.push(...parsed);
    if (isLast) return items;
    rest = rest.subarray(comma);
    rest[0] = OPEN_LIST;
    yield;
  }
}

/** Whether nothing but white space follows the last bracket. */
const endsAsList = (text: Buffer) => text.toString('latin1', text.lastIndexOf(CLOSE_LIST) + 1).trim() === '';

/**
 * Counts a JSON text that takes long to parse.
 *
 * @returns the bound of a record that it exceeds
 */
export function* exceeding(json: Buffer): Steps<keyof JsonBounds | undefined> {
  if (json.length <= SHORT_BYTES) return undefined;
  const counts = new JsonCounts(RECORD_BOUNDS);
  for (let at = 0; at < json.length; at += JOINED_BYTES) {
    const exceeded = counts.exceededBy(json.subarray(at, at + JOINED_BYTES));
    if (exceeded) return exceeded;
    yield;
  }
  return undefined;
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const noItem = () => new SyntaxError('There is no item at a comma.');

/** Moves the last chunks behind a text. It is at least twice as long then, so that each byte is copied a few times at most. */
function takeBytes(chunks: Uint8Array[], text: Buffer): Buffer {
  const parts: Uint8Array[] = [text];
  let missing = Math.max(JOINED_BYTES, text.length);
  for (let chunk = chunks.pop(); chunk !== undefined; chunk = missing > 0 ? chunks.pop() : undefined) {
    parts.push(chunk);
    missing -= chunk.length;
  }
  return Buffer.concat(parts);
}

/**
 * The bytes from the end of a row to the first key of the next one, such as `},{"id"`, when the first row is an object. Rows
 * mostly begin with the same key, and these bytes are found many times as fast as nesting is tracked.
 */
function startOfRows(text: Buffer): Buffer | undefined {
  const [, start] = /^\s*\[(\s*\{\s*"[^"\\]*")/.exec(text.toString('latin1', 0, 256)) ?? [];
  return start === undefined ? undefined : Buffer.from(`},${start}`, 'latin1');
}

// The position of a comma between items of a list, after a piece. -1 when the text holds none, or is too short to tell.
function* findCut(text: Buffer, rowStart: Buffer | undefined, scan: Scan): Steps<number> {
  const end = rowStart === undefined ? -1 : text.indexOf(rowStart, PIECE_BYTES);
  if (end !== -1) return end + 1;
  return rowStart === undefined || text.length > JOINED_BYTES ? yield* findSeparator(text, scan, PIECE_BYTES) : -1;
}

/** How far a text was looked through, and the nesting there. */
interface Scan {
  at: number;
  depth: number;
}

// The position of the first comma between items of a list from a position on; -1 when there is none yet. Tracks the nesting byte by
// byte, from where `scan` was moved to before: each byte of a text that grows is looked at once.
function* findSeparator(text: Uint8Array, scan: Scan, from: number): Steps<number> {
  let { at, depth } = scan;
  let stepEnd = at + JOINED_BYTES;
  for (; at < text.length; at++) {
    if (at > stepEnd) {
      stepEnd = at + JOINED_BYTES;
      yield;
    }
    const byte = text[at];
    if (byte === QUOTE) {
      const end = endOfText(text, at);
      if (end >= text.length) break;
      at = end;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth -= 1;
    else if (byte === COMMA && depth === 1 && at >= from) return at;
  }
  scan.at = at;
  scan.depth = depth;
  return -1;
}

/** The position of the quote that ends the text that begins here. The length when there is none. */
function endOfText(json: Uint8Array, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    if (json[at] === BACKSLASH) at += 1;
    else if (json[at] === QUOTE) return at;
  }
  return json.length;
}
