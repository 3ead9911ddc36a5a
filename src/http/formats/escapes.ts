// Decodes percent-encoding, JSON escapes and HTML entities, one level at a time. Upstream may repeat a secret in any of them.

/** A text with some of its escapes decoded, and the position of each character in the original. */
export interface DecodedText {
  readonly text: string;
  /** The position in the original of each character, followed by the length of the original. */
  readonly origins: Uint32Array;
}

const ESCAPE_START = /[%&\\]/;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

const ENTITY = /&(?:#(\d{1,16})|#[xX]([\da-fA-F]{1,16})|(amp|lt|gt|quot|apos));/y;
const namedEntities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** JSON's escapes of one letter: the code of the letter after the backslash, and the code of the decoded character. */
const jsonEscapes: ReadonlyMap<number, number> = new Map(
  Array.from('"\\/bfnrt', (letter, index) => [letter.charCodeAt(0), '"\\/\b\f\n\r\t'.charCodeAt(index)]),
);

/** Wraps a text without decoding any escape. */
export function undecoded(text: string): DecodedText {
  const origins = new Uint32Array(text.length + 1);
  for (let position = 0; position <= text.length; position += 1) origins[position] = position;
  return { text, origins };
}

/**
 * Decodes one level of every escape: `%2522` becomes `%22`, `&amp;lt;` becomes `&lt;`. All other text stays as it is.
 * The time is linear in the length of the text.
 *
 * @returns undefined when the text holds no escape
 */
export function decodeOnce({ text, origins }: DecodedText): DecodedText | undefined {
  if (!ESCAPE_START.test(text)) return undefined;
  const units = new Uint16Array(text.length);
  const unitOrigins = new Uint32Array(text.length + 1);
  const escape = new EscapeReader(text);
  let length = 0;
  let position = 0;
  while (position < text.length) {
    const isEscape = escape.read(position);
    const code = isEscape ? escape.code : text.charCodeAt(position);
    const isPair = code > 0xff_ff;
    unitOrigins[length] = origins[position] ?? 0;
    units[length] = isPair ? 0xd7_c0 + Math.floor(code / 0x4_00) : code;
    length += 1;
    if (isPair) {
      unitOrigins[length] = origins[position] ?? 0;
      units[length] = 0xdc_00 + (code % 0x4_00);
      length += 1;
    }
    position += isEscape ? escape.length : 1;
  }
  if (length === text.length) return undefined;
  unitOrigins[length] = origins[text.length] ?? 0;
  const decoded = Buffer.from(units.buffer, 0, 2 * length).toString('utf16le');
  return { text: decoded, origins: unitOrigins.subarray(0, length + 1) };
}

/** Lead bytes of UTF-8: the smallest, how many bytes follow it, the largest. */
const UTF8_LEAD_BYTES = [
  [0xc0, 1, 0xdf],
  [0xe0, 2, 0xef],
  [0xf0, 3, 0xf7],
] as const;

/** Reads one escape after the other. The result is in its fields: an object per escape would burden garbage collection. */
class EscapeReader {
  /** The code point that the last escape stands for. */
  code = 0;
  /** The number of characters of the last escape. */
  length = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads the escape at a position into `code` and `length`. False when there is none. */
  read(position: number): boolean {
    switch (this.#text.charCodeAt(position)) {
      case PERCENT:
        return this.#setCode(this.#percentEscape(position));
      case BACKSLASH:
        return this.#setCode(this.#jsonEscape(position));
      case AMPERSAND:
        return this.#setCode(this.#entity(position));
      default:
        return false;
    }
  }

  #setCode(code: number | undefined): boolean {
    this.code = code ?? 0;
    return code !== undefined && code <= 0x10_ff_ff;
  }

  /** The percent-encoded bytes of one character in UTF-8. */
  #percentEscape(position: number): number | undefined {
    const text = this.#text;
    const first = hexNumber(text, position + 1, 2);
    this.length = 3;
    if (first === undefined || first < 0x80) return first;
    const [least = 0, following = 0] = UTF8_LEAD_BYTES.find(([least, , most]) => first >= least && first <= most) ?? [];
    if (following === 0) return undefined;
    this.length += 3 * following;
    let code = first - least;
    for (let at = position + 3; at < position + this.length; at += 3) {
      const byte = text.charCodeAt(at) === PERCENT ? hexNumber(text, at + 1, 2) : undefined;
      if (byte === undefined || byte < 0x80 || byte > 0xbf) return undefined;
      code = code * 0x40 + (byte - 0x80);
    }
    return code;
  }

  #jsonEscape(position: number): number | undefined {
    const letter = this.#text.charCodeAt(position + 1);
    this.length = letter === LETTER_U ? 6 : 2;
    return letter === LETTER_U ? hexNumber(this.#text, position + 2, 4) : jsonEscapes.get(letter);
  }

  #entity(position: number): number | undefined {
    ENTITY.lastIndex = position;
    const [source = '', digits, hex, name = ''] = ENTITY.exec(this.#text) ?? [];
    this.length = source.length;
    if (digits !== undefined) return Number(digits);
    return hex === undefined ? namedEntities.get(name)?.charCodeAt(0) : Number.parseInt(hex, 16);
  }
}

/** Parses `digits` hexadecimal digits. Undefined when one of the characters is no such digit. */
function hexNumber(text: string, position: number, digits: number): number | undefined {
  let number = 0;
  for (let index = 0; index < digits; index += 1) {
    const digit = hexDigit(text.charCodeAt(position + index));
    if (digit === undefined) return undefined;
    number = number * 16 + digit;
  }
  return number;
}

function hexDigit(code: number): number | undefined {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  if (code >= 0x41 && code <= 0x46) return code - 0x37;
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : undefined;
}
