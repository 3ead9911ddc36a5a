import { setImmediate } from 'node:timers/promises';

const [QUOTE, COMMA, OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('",[\\]{}');
const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');

/** So much of a list is parsed at once: a text of a megabyte would be kept outside of the heap, and stay there for long. */
const PIECE_BYTES = 512 * 1024;

/**
 * Parses the JSON text of a list piece by piece, cut at commas between its items: as one text, a list of some ten
 * megabytes would be held three times before its first item is there.
 *
 * Between two pieces others have their turn: all of them at once would hold up every request for half a second.
 *
 * A cut in a wrong place would do no harm: every piece has to be a list by itself.
 *
 * @param chunks is used up on the way: its memory is free before the last item is there
 * @param parse is given the text of a list
 * @throws SyntaxError, or what `parse` throws
 */
export async function parseLongList(chunks: Uint8Array[], parse: (list: Buffer) => unknown): Promise<unknown[]> {
  const pieces: (readonly unknown[])[] = [];
  const nesting = new Nesting();
  let piece: Uint8Array[] = [];
  let size = 0;

  const keep = (part: Uint8Array) => {
    piece.push(part);
    size += part.length;
  };
  // Where to cut the chunk, or else its length. Within the loop below, V8 would optimize it anew after every pause.
  const cutIn = (chunk: Uint8Array, start: number) => {
    for (let at = start; at < chunk.length; at++) {
      if (nesting.separatesAt(chunk[at]) && size + at - start >= PIECE_BYTES) return at;
    }
    return chunk.length;
  };
  const take = (isLast: boolean) => {
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
    for (let end = cutIn(chunk, start); end < chunk.length; end = cutIn(chunk, start)) {
      keep(chunk.subarray(start, end));
      take(false);
      await setImmediate();
      start = end + 1;
    }
    keep(chunk.subarray(start));
  }
  take(true);
  return pieces.flat();
}

/** Where one is in a JSON text, byte by byte. */
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
