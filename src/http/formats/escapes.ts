import { entityNamed } from './entity-names.ts';

// Decodes percent-encoding, JSON escapes and HTML entities, one level at a time. Upstream may repeat a secret in any of them.

const PERCENT = 0x25;
const AMPERSAND = 0x26;
const BACKSLASH = 0x5c;
const HASH = 0x23;
const SEMICOLON = 0x3b;
const LETTER_U = 0x75;
const ESCAPE_START = /[%&\\]/;
const LARGEST_CODE_POINT = 0x10_ff_ff;

/** JSON's escapes of one letter: the decoded character by the letter after the backslash. 0 for every other letter. */
const jsonEscapes = new Uint8Array(128);
for (const [index, letter] of Array.from('"\\/bfnrt').entries()) {
  jsonEscapes[letter.charCodeAt(0)] = '"\\/\b\f\n\r\t'.charCodeAt(index);
}

/**
 * A text, some of whose escapes are decoded. It can be read from any byte on: `%41` is an A, but from its second byte on it
 * is 41. So characters that stand before a secret, and look like the beginning of an escape, do not hide it.
 */
export interface DecodedText {
  /** The original text in UTF-8. */
  readonly bytes: Uint8Array;
  /** For each byte the character that begins there, as its bytes in one number: 0x41 for `%41`, 0xc5bc for `&#380;`. */
  readonly values: Uint32Array;
  /** For each byte the end of that character in the original. */
  readonly ends: Uint32Array;
}

/** Wraps a text without decoding any escape. */
export function undecoded(text: string): DecodedText {
  const bytes = Buffer.from(text);
  const ends = new Uint32Array(bytes.length);
  for (let position = 0; position < bytes.length; position += 1) ends[position] = position + 1;
  return { bytes, values: Uint32Array.from(bytes), ends };
}

/** Whether a text has characters that can begin an escape. */
export function mayHoldEscapes(text: string): boolean {
  return ESCAPE_START.test(text);
}

/**
 * Decodes one level of every escape: `%2522` becomes `%22`, `&amp;lt;` becomes `&lt;`. All other text stays as it is.
 * The time is linear in the length of the text.
 *
 * @returns undefined when the text holds no escape
 */
export function decodeOnce(text: DecodedText): DecodedText | undefined {
  const escape = new EscapeReader(text);
  let decoded: DecodedText | undefined;
  for (let position = 0; position < text.bytes.length; position += 1) {
    if (!escape.read(position)) continue;
    decoded ??= { bytes: text.bytes, values: text.values.slice(), ends: text.ends.slice() };
    decoded.values[position] = escape.value;
    decoded.ends[position] = escape.end;
  }
  return decoded;
}

/** Reads one escape after the other. The result is in its fields: an object per escape would burden garbage collection. */
class EscapeReader {
  /** The character that the last escape stands for, as its bytes in one number. */
  value = 0;
  /** The end of the last escape. */
  end = 0;
  readonly #values: Uint32Array;
  readonly #ends: Uint32Array;

  constructor({ values, ends }: DecodedText) {
    this.#values = values;
    this.#ends = ends;
  }

  /** Reads the escape at a position into `value` and `end`. False when there is none. */
  read(position: number): boolean {
    switch (this.#values[position]) {
      case PERCENT:
        return this.#readPercent(this.#endOf(position));
      case BACKSLASH:
        return this.#readJson(this.#endOf(position));
      case AMPERSAND:
        return this.#readEntity(this.#endOf(position));
      default:
        return false;
    }
  }

  /** Two digits after `%`: one byte, which may be one of several of a character. */
  #readPercent(position: number): boolean {
    const byte = this.#hexNumber(position, 2);
    if (byte === undefined) return false;
    this.value = byte;
    return true;
  }

  /** A letter after a backslash, or `u` with four digits. */
  #readJson(position: number): boolean {
    const letter = this.#valueAt(position);
    this.end = this.#endOf(position);
    if (letter === LETTER_U) return this.#readUnit(this.end);
    this.value = jsonEscapes[letter] ?? 0;
    return this.value !== 0;
  }

  /** Four digits after `\u`: a character, or the first half of one, which another escape follows. */
  #readUnit(position: number): boolean {
    const unit = this.#hexNumber(position, 4);
    if (unit === undefined) return false;
    const end = this.end;
    const low = unit >= 0xd8_00 && unit < 0xdc_00 ? this.#lowSurrogate(end) : undefined;
    if (low === undefined) this.end = end;
    this.value = packedUtf8(low === undefined ? unit : 0x1_00_00 + (unit - 0xd8_00) * 0x4_00 + (low - 0xdc_00));
    return true;
  }

  #lowSurrogate(position: number): number | undefined {
    const letter = this.#endOf(position);
    if (this.#valueAt(position) !== BACKSLASH || this.#valueAt(letter) !== LETTER_U) return undefined;
    const unit = this.#hexNumber(this.#endOf(letter), 4);
    return unit !== undefined && unit >= 0xdc_00 && unit <= 0xdf_ff ? unit : undefined;
  }

  /** After `&`: a name with a semicolon, or `#` and digits, with or without one. */
  #readEntity(position: number): boolean {
    if (this.#valueAt(position) === HASH) return this.#readNumber(this.#endOf(position));
    this.end = position;
    this.value = entityNamed(() => this.#nextCharacter()) ?? 0;
    return this.value !== 0;
  }

  #readNumber(position: number): boolean {
    this.end = position;
    const isHex = 'xX'.includes(String.fromCharCode(this.#valueAt(position)));
    if (isHex) this.#nextCharacter();
    const base = isHex ? 16 : 10;
    const start = this.end;
    let code = 0;
    for (let digit = this.#digit(base); digit !== undefined; digit = this.#digit(base)) {
      code = Math.min(code * base + digit, LARGEST_CODE_POINT + 1);
      this.end = this.#endOf(this.end);
    }
    if (this.end === start || code > LARGEST_CODE_POINT) return false;
    if (this.#valueAt(this.end) === SEMICOLON) this.end = this.#endOf(this.end);
    this.value = packedUtf8(code);
    return true;
  }

  #digit(base: number): number | undefined {
    const digit = hexDigit(this.#valueAt(this.end));
    return digit < base ? digit : undefined;
  }

  /** Reads so many hexadecimal digits up to `end`. Undefined when one of them is no such digit. */
  #hexNumber(position: number, digits: number): number | undefined {
    this.end = position;
    let number = 0;
    for (let index = 0; index < digits; index += 1) {
      const digit = hexDigit(this.#nextCharacter());
      if (digit === NO_DIGIT) return undefined;
      number = number * 16 + digit;
    }
    return number;
  }

  #nextCharacter(): number {
    const value = this.#valueAt(this.end);
    this.end = this.#endOf(this.end);
    return value;
  }

  #valueAt(position: number): number {
    return this.#values[position] ?? 0;
  }

  #endOf(position: number): number {
    return this.#ends[position] ?? position + 1;
  }
}

const NO_DIGIT = 16;

/** The value of a hexadecimal digit; 16 for every other character. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  if (code >= 0x41 && code <= 0x46) return code - 0x37;
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : NO_DIGIT;
}

/** The bytes of a character in UTF-8, as one number. Half of a surrogate pair becomes U+FFFD, as in every buffer. */
function packedUtf8(code: number): number {
  if (code < 0x80) return code;
  return Buffer.from(String.fromCodePoint(code)).reduce((number, byte) => number * 0x1_00 + byte, 0);
}

/** The bytes of a character of a decoded text. */
export function bytesOfCharacter(value: number): number[] {
  const bytes: number[] = [value % 0x1_00];
  for (let rest = Math.floor(value / 0x1_00); rest > 0; rest = Math.floor(rest / 0x1_00)) bytes.unshift(rest % 0x1_00);
  return bytes;
}
