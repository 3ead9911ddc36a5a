const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The most that a JSON text may have. */
export interface JsonBounds {
  /** Lists and objects inside one another. */
  readonly levels: number;
  /** Items of lists and members of objects, all together. */
  readonly values: number;
  /** Members of one object. */
  readonly keys: number;
}

/**
 * The limits of one record in a response. Not documented (A239). `JSON.parse` cannot be interrupted, and takes up to 30 ms for 200,000 values.
 * A value of more than 200 levels is never shown.
 */
export const RECORD_BOUNDS: JsonBounds = { levels: 256, values: 200_000, keys: 50_000 };

/** Tells which bound a record exceeds. */
export function shownBound(exceeded: keyof JsonBounds): string {
  return `${RECORD_BOUNDS[exceeded]} ${exceeded === 'keys' ? 'keys in one object' : exceeded}`;
}

/** The members of a list, of which there is no bound of its own. */
const LIST = Number.NEGATIVE_INFINITY;

/**
 * Counts what a JSON text is made of, byte by byte and before it is parsed: a megabyte of brackets or of keys costs `JSON.parse` and
 * whoever reads its result hundreds of milliseconds, and as many megabytes. Of a text that is no JSON the counts mean nothing.
 */
export class JsonCounts {
  readonly #bounds: JsonBounds;
  /** The members so far of each open object, by its level. */
  readonly #members: number[] = [];
  #values = 0;
  #isInText = false;
  /** Whether the next byte is escaped. */
  #isEscaped = false;

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds;
  }

  /**
   * Counts the next bytes of the text.
   *
   * @returns the first bound that they exceed
   */
  exceededBy(bytes: Uint8Array): keyof JsonBounds | undefined {
    for (let at = 0; at < bytes.length; at++) {
      if (this.#isInText) at = this.#endOfText(bytes, at);
      const byte = bytes[at];
      if (byte === QUOTE) this.#isInText = !this.#isInText;
      else if (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) {
        const exceeded = this.#add(byte);
        if (exceeded) return exceeded;
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#members.pop();
    }
    return undefined;
  }

  /** The position of the quote that ends the text; the length where it goes on in the next bytes. */
  #endOfText(bytes: Uint8Array, start: number): number {
    let at = this.#isEscaped ? start + 1 : start;
    for (; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at += 1;
    this.#isEscaped = at > bytes.length;
    return at;
  }

  /** Counts the value that begins at a byte, or behind it. */
  #add(byte: number): keyof JsonBounds | undefined {
    const { levels, values, keys } = this.#bounds;
    this.#values += 1;
    if (this.#values > values) return 'values';
    if (byte !== COMMA) return this.#members.push(byte === OPEN_OBJECT ? 1 : LIST) > levels ? 'levels' : undefined;
    const level = this.#members.length - 1;
    const members = (this.#members[level] ?? LIST) + 1;
    if (level >= 0) this.#members[level] = members;
    return members > keys ? 'keys' : undefined;
  }
}
