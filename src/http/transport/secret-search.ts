import { bytesOfCharacter, type DecodedText } from '../formats/escapes.ts';
import { isBase64Digit, type SecretPattern } from './secret-patterns.ts';

const PADDING = 0x3d; // =

/** How many `=` end a text in base64 at most. */
const MAX_PADDING = 2;

/** A text to be searched for many patterns. */
export interface SearchedText {
  readonly text: DecodedText;
  /** For each byte 1 when the text holds it. */
  readonly holds: Uint8Array;
}

export function searchedText(text: DecodedText): SearchedText {
  const holds = new Uint8Array(256);
  for (const value of text.values) {
    if (value < 0x1_00) holds[value] = 1;
    else for (const byte of bytesOfCharacter(value)) holds[byte] = 1;
  }
  return { text, holds };
}

/** Finds one spelling of a secret in decoded texts, by Knuth-Morris-Pratt: in linear time, whatever text and secret are. */
export class SecretSearch {
  readonly #pattern: SecretPattern;
  /** The bytes to find, from the last to the first. */
  readonly #reversed: Uint8Array;
  readonly #fallbacks: Uint32Array;
  /** The end of the bytes in base64: a character with the last bits, and padding. */
  readonly #tailLength: number;

  constructor(pattern: SecretPattern) {
    this.#pattern = pattern;
    this.#reversed = pattern.bytes.toReversed();
    this.#fallbacks = fallbacks(this.#reversed);
    this.#tailLength = pattern.isBase64 ? MAX_PADDING + Number(pattern.hasBitsAfter) : 0;
  }

  /**
   * Marks the bytes of each occurrence.
   *
   * @param levels the text with more and more of its escapes decoded
   * @param marks gets a 1 for each byte of the text that belongs to an occurrence
   */
  mark(levels: readonly SearchedText[], marks: Uint8Array): void {
    if (this.#reversed.length > marks.length) return;
    for (const { text, holds } of this.#pattern.hasEscapes ? levels : levels.slice(-1)) {
      const matched = this.#mayBeIn(holds) ? this.#matchedLengths(text) : undefined;
      if (matched) this.#markMatches(text, matched, marks);
    }
  }

  /** False when the text lacks a byte of the pattern: most texts lack one, and need not be searched. */
  #mayBeIn(holds: Uint8Array): boolean {
    const found = new Uint8Array(256);
    for (const [byte, countsAs] of this.#pattern.alphabet.entries()) if (holds[byte] === 1) found[countsAs] = 1;
    return this.#reversed.every((byte) => found[byte] === 1);
  }

  /**
   * Reads the text from its end. A character has one successor, but may be reached from several positions: `%41` is an A from
   * its first byte on, and a 4 from its second on. So each position continues the match of its successor.
   *
   * @returns for each position the length of the longest end of the bytes that the text begins with there; undefined when
   *   the text holds no occurrence
   */
  #matchedLengths({ values, ends }: DecodedText): Uint32Array | undefined {
    const length = this.#reversed.length;
    const last = this.#reversed[0];
    const { alphabet } = this.#pattern;
    const matched = new Uint32Array(values.length + 1);
    let isFound = false;
    for (let position = values.length - 1; position >= 0; position -= 1) {
      const value = values[position] ?? 0;
      const before = matched[ends[position] ?? 0] ?? 0;
      if (before === 0 && value < 0x1_00 && alphabet[value] !== last) continue; // most characters of most texts
      const now = this.#withCharacter(before, value);
      matched[position] = now;
      isFound ||= now === length;
    }
    return isFound ? matched : undefined;
  }

  /** Continues a match by a character: its bytes from the last to the first. */
  #withCharacter(matched: number, value: number): number {
    if (value < 0x1_00) return this.#withByte(matched, value);
    return this.#withCharacter(this.#withByte(matched, value % 0x1_00), Math.floor(value / 0x1_00));
  }

  #withByte(matched: number, byte: number): number {
    const reversed = this.#reversed;
    const read = this.#pattern.alphabet[byte];
    let length = matched;
    while (length > 0 && reversed[length] !== read) length = this.#fallbacks[length] ?? 0;
    return reversed[length] === read ? length + 1 : 0;
  }

  /** Marks the matches from the beginning of the text on. Matches that overlap are marked as a plain search would find them. */
  #markMatches({ values, ends }: DecodedText, matched: Uint32Array, marks: Uint8Array): void {
    const length = this.#reversed.length;
    const tail = this.#tailLength;
    /** For each position, how many bytes of an occurrence are still to come, its tail included. */
    const remaining = new Uint32Array(values.length + 1);
    let markedUntil = 0; // all bytes from the present position up to here are marked
    for (let position = 0; position < values.length; position += 1) {
      const end = ends[position] ?? 0;
      const value = values[position] ?? 0;
      let left = remaining[position] ?? 0;
      if (left <= tail) {
        if (matched[position] === length) left = tail + length;
        else if (matched[end] === length && this.#pattern.hasBitsBefore && isBase64Digit(value))
          left = tail + length + 1;
        else if (!this.#isTail(value, left)) left = 0;
      }
      if (left === 0) continue;
      for (markedUntil = Math.max(position, markedUntil); markedUntil < end; markedUntil += 1) marks[markedUntil] = 1;
      const rest = left - byteLength(value);
      if (rest > (remaining[end] ?? 0)) remaining[end] = rest;
    }
  }

  #isTail(value: number, left: number): boolean {
    if (left > MAX_PADDING) return isBase64Digit(value);
    return left > 0 && value === PADDING;
  }
}

function byteLength(value: number): number {
  if (value < 0x1_00) return 1;
  if (value < 0x1_00_00) return 2;
  return value < 0x1_00_00_00 ? 3 : 4;
}

/**
 * The failure table: for each length of a match, the length to go on with when the next byte does not fit. It leaves out
 * those that the same byte would not fit either, so that few are tried for one byte.
 */
function fallbacks(bytes: Uint8Array): Uint32Array {
  const table = new Uint32Array(bytes.length + 1);
  let border = 0;
  for (let length = 1; length < bytes.length; length += 1) {
    const byte = bytes[length];
    table[length] = bytes[border] === byte ? (table[border] ?? 0) : border;
    while (border > 0 && bytes[border] !== byte) border = table[border] ?? 0;
    if (bytes[border] === byte) border += 1;
  }
  table[bytes.length] = border;
  return table;
}
