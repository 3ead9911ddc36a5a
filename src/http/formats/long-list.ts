import { setImmediate } from 'node:timers/promises';

const [QUOTE, COMMA, OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('",[\\]{}');
const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');

/** The size of a piece. V8 keeps a text of a megabyte outside of its heap, and frees it late. */
const PIECE_BYTES = 512 * 1024;

/**
 * Parses the JSON text of a list piece by piece, cut at the commas between its items. Parsed as one text, a list of ten
 * megabytes would be in memory three times.
 *
 * Other requests are served between two pieces: parsing all of them at once would block the process for half a second.
 *
 * Each piece has to parse as a list, so a cut at a wrong place fails and never changes the result.
 *
 * @param chunks the text; emptied while it is parsed, to free its memory early
 * @param parse parses the text of one piece, which is a JSON list
 * @throws SyntaxError for text that is no list, and every error of `parse`
 */
export async function parseLongList(chunks: Uint8Array[], parse: (list: Buffer) => unknown): Promise<unknown[]> {
  const pieces: (readonly unknown[])[] = [];
  const nesting = new Nesting();
  let piece: Uint8Array[] = [];
  let size = 0;

  const addToPiece = (part: Uint8Array) => {
    piece.push(part);
    size += part.length;
  };
  // Returns the position of the next cut, or the chunk's length. A function of its own, because V8 would optimize the same
  // loop again after every `await` below.
  const findCut = (chunk: Uint8Array, start: number) => {
    for (let at = start; at < chunk.length; at++) {
      if (nesting.separatesAt(chunk[at]) && size + at - start >= PIECE_BYTES) return at;
    }
    return chunk.length;
  };
  const parsePiece = (isLast: boolean) => {
    const isFirst = pieces.length === 0;
    const list = parse(Buffer.concat([...(isFirst ? [] : [OPEN]), ...piece, ...(isLast ? [] : [CLOSE])]));
    const isWhole = isFirst && isLast;
    if (!Array.isArray(list) || (list.length === 0 && !isWhole)) throw new SyntaxError('There is no item at a comma.');
    pieces.push(list);
    piece = [];
    size = 0;
  };

  for (let chunk = chunks.shift(); chunk !== undefined; chunk = chunks.shift()) {
    let start = 0;
    for (let end = findCut(chunk, start); end < chunk.length; end = findCut(chunk, start)) {
      addToPiece(chunk.subarray(start, end));
      parsePiece(false);
      await setImmediate();
      start = end + 1;
    }
    addToPiece(chunk.subarray(start));
  }
  parsePiece(true);
  return pieces.flat();
}

/** Tracks the nesting of a JSON text byte by byte. */
class Nesting {
  #depth = 0;
  #inText = false;
  #escaped = false;

  /** Whether the next byte is a comma between items of the outermost list. */
  separatesAt(byte: number | undefined): boolean {
    if (this.#inText) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) this.#inText = false;
      return false;
    }
    if (byte === QUOTE) this.#inText = true;
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#depth -= 1;
    return byte === COMMA && this.#depth === 1;
  }
}
