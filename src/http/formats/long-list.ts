import { setImmediate } from 'node:timers/promises';

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * The least size of a piece. V8 allocates a text of 128 KB and more outside of its young generation, which costs more than
 * parsing it; in UTF-16 that is twice this size.
 */
const PIECE_BYTES = 32 * 1024;

/** Chunks are joined up to this size before they are cut, so that few cuts are missed at their ends. */
const JOINED_BYTES = 8 * PIECE_BYTES;

/** Other requests are served after this many bytes. */
const TURN_BYTES = 16 * PIECE_BYTES;

/** Parses the text of one piece, which is a JSON list. */
type Parse = (list: Buffer) => unknown;

/**
 * Parses the JSON text of a list piece by piece, cut at the commas between its items. Parsed as one text, a list of ten
 * megabytes would be in memory three times, and one of some hundred kilobytes takes longer.
 *
 * Each piece has to parse as a list, so a cut at a wrong place fails and never changes the result.
 *
 * @param chunks the text; emptied while it is parsed, to free its memory early
 * @throws SyntaxError for text that is no list, and every error of `parse`
 */
export function parseList(chunks: Uint8Array[], parse: Parse): unknown[] {
  return Array.from(piecesOf(chunks, parse), ({ items }) => items).flat();
}

/**
 * Parses a list as `parseList` does, and serves other requests in between: parsing all of it at once would block the process
 * for half a second.
 */
export async function parseLongList(chunks: Uint8Array[], parse: Parse): Promise<unknown[]> {
  const pieces: (readonly unknown[])[] = [];
  let bytesInTurn = 0;
  for (const { items, bytes } of piecesOf(chunks, parse)) {
    pieces.push(items);
    bytesInTurn += bytes;
    if (bytesInTurn < TURN_BYTES) continue;
    await setImmediate();
    bytesInTurn = 0;
  }
  return pieces.flat();
}

interface Piece {
  readonly items: readonly unknown[];
  readonly bytes: number;
}

function* piecesOf(chunks: Uint8Array[], parse: Parse): Generator<Piece, void> {
  chunks.reverse(); // taking many chunks from the end is linear in their number
  let text = takeBytes(chunks, Buffer.alloc(0)); // a copy: brackets are written into it
  let rowStart = startOfRows(text);
  let isFirst = true;
  for (;;) {
    const cut = findCut(text, rowStart);
    if (cut === -1) {
      if (chunks.length === 0) break;
      text = takeBytes(chunks, text);
      continue;
    }
    text[cut] = CLOSE_LIST;
    const items = parseItems(text.subarray(0, cut + 1), parse, rowStart !== undefined);
    if (items === undefined) {
      text[cut] = COMMA; // it is within an item, or the text is broken: from here on, the nesting is tracked
      rowStart = undefined;
      continue;
    }
    yield { items, bytes: cut };
    text = text.subarray(cut);
    text[0] = OPEN_LIST;
    isFirst = false;
  }
  const items = parse(text);
  if (!isList(items) || (items.length === 0 && !isFirst)) throw noItem();
  yield { items, bytes: text.length };
}

/**
 * Parses a piece that another one follows.
 *
 * @param isGuess whether it may have been cut at a wrong place. Then errors are undefined.
 */
function parseItems(piece: Buffer, parse: Parse, isGuess: boolean): readonly unknown[] | undefined {
  try {
    const items = parse(piece);
    if (isList(items) && items.length > 0) return items;
    throw noItem();
  } catch (error) {
    if (isGuess) return undefined;
    throw error;
  }
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

/** The position of a comma between items of a list, after a piece. -1 when the text holds none, or is too short to tell. */
function findCut(text: Buffer, rowStart: Buffer | undefined): number {
  const end = rowStart === undefined ? -1 : text.indexOf(rowStart, PIECE_BYTES);
  if (end !== -1) return end + 1;
  return rowStart === undefined || text.length > JOINED_BYTES ? findSeparator(text) : -1;
}

/** The position of the first comma between items of a list after a piece. Tracks the nesting byte by byte. */
function findSeparator(text: Buffer): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === QUOTE) at = endOfText(text, at);
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth -= 1;
    else if (byte === COMMA && depth === 1 && at >= PIECE_BYTES) return at;
  }
  return -1;
}

/** The position of the quote that ends the text that begins here. The length when there is none. */
function endOfText(json: Buffer, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    if (json[at] === BACKSLASH) at += 1;
    else if (json[at] === QUOTE) return at;
  }
  return json.length;
}
