import { bytesOfCharacter, type DecodedText, decodeOnce, mayHoldEscapes, undecoded } from '../formats/escapes.ts';

/** A text is decoded this many times: nested encodings, such as a URL parameter in JSON in HTML. */
const MAX_ENCODINGS = 4;

/** A spelling of a secret, as it is searched for in a text whose escapes are decoded. */
export interface SecretPattern {
  readonly bytes: Uint8Array;
  /** For each byte of a text the one that it counts as in this spelling, such as a space for a plus sign in a form. */
  readonly alphabet: Uint8Array;
  /** In base64: whether the character before `bytes` holds some bits of the secret. */
  readonly hasBitsBefore: boolean;
  /** In base64: whether the character after `bytes` holds some bits of the secret. */
  readonly hasBitsAfter: boolean;
  /** Whether up to two `=` at its end belong to it. */
  readonly isBase64: boolean;
  /** Whether it looks like an escape itself, so that it is lost where a text is decoded more often than it was encoded. */
  readonly hasEscapes: boolean;
}

/** Secrets of fewer bytes are found only in a base64 text of their own: inside another one, they would be 2 or 3 letters. */
const MIN_BYTES_INSIDE_BASE64 = 4;

const EACH_BYTE = alphabet([]);
const FORM = alphabet([['+', ' ']]);
const BASE64 = alphabet([
  ['-', '+'],
  [' ', '+'], // in a form that was decoded
  ['_', '/'],
]);

/**
 * Creates the patterns of a secret: as it is, in base64 and base64url, and inside a longer text in base64, which may hold it
 * in percent-encoding, in a form or in JSON. The escapes of a text are decoded before, so they need no patterns.
 *
 * @param secret not empty
 */
export function patternsOf(secret: string): SecretPattern[] {
  const text = Buffer.from(secret).toString(); // half of a surrogate pair can be in no URL
  const form = new URLSearchParams([['', text]]).toString().slice(1);
  const encoded = new Set([text, encodeURIComponent(text), form, JSON.stringify(text).slice(1, -1)]);
  return [...plainPatterns(secret), ...Array.from(encoded, (inBase64) => base64Patterns(Buffer.from(inBase64))).flat()];
}

/**
 * Decodes the escapes of a text level by level.
 *
 * @returns the text as it is, then with one more level decoded each time
 */
export function levelsOf(text: string): [DecodedText, ...DecodedText[]] {
  const levels: [DecodedText, ...DecodedText[]] = [undecoded(text)];
  let level = mayHoldEscapes(text) ? decodeOnce(levels[0]) : undefined;
  for (; level !== undefined && levels.length <= MAX_ENCODINGS; level = decodeOnce(level)) levels.push(level);
  return levels;
}

/** The secret as it is, and as it is left where a text is decoded more often than it was encoded. */
function plainPatterns(secret: string): SecretPattern[] {
  const alphabet = secret.includes(' ') ? FORM : EACH_BYTE;
  return levelsOf(secret).map((level) => pattern(bytesOf(level), { alphabet, hasEscapes: mayHoldEscapes(secret) }));
}

function bytesOf({ values, ends }: DecodedText): Uint8Array {
  const bytes: number[] = [];
  for (let position = 0; position < ends.length; position = ends[position] ?? Infinity) {
    bytes.push(...bytesOfCharacter(values[position] ?? 0));
  }
  return Uint8Array.from(bytes);
}

function base64Patterns(secret: Buffer): SecretPattern[] {
  if (secret.length < MIN_BYTES_INSIDE_BASE64) {
    const whole = secret.toString('base64url');
    return [pattern(Buffer.from(whole), { alphabet: BASE64, isBase64: true })];
  }
  return [0, 1, 2].map((bytesBefore) => {
    const encoded = Buffer.concat([Buffer.alloc(bytesBefore), secret]).toString('base64');
    const bitsBefore = 8 * bytesBefore;
    const bits = bitsBefore + 8 * secret.length;
    // The characters that hold bits of the secret alone: the others depend on the text around it, too.
    const own = encoded.slice(Math.ceil(bitsBefore / 6), Math.floor(bits / 6));
    return pattern(Buffer.from(own), {
      alphabet: BASE64,
      hasBitsBefore: bitsBefore % 6 !== 0,
      hasBitsAfter: bits % 6 !== 0,
      isBase64: true,
    });
  });
}

function pattern(bytes: Uint8Array, { alphabet = EACH_BYTE, ...more }: Partial<SecretPattern>): SecretPattern {
  return {
    bytes: bytes.map((byte) => alphabet[byte] ?? byte),
    alphabet,
    hasBitsBefore: false,
    hasBitsAfter: false,
    isBase64: false,
    hasEscapes: false,
    ...more,
  };
}

const BASE64_DIGITS: ReadonlySet<number> = new Set(
  Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_'),
);

/** Whether a character is one of base64 or base64url. */
export function isBase64Digit(value: number): boolean {
  return BASE64_DIGITS.has(value);
}

function alphabet(same: readonly (readonly [character: string, countsAs: string])[]): Uint8Array {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  for (const [character, countsAs] of same) bytes[character.charCodeAt(0)] = countsAs.charCodeAt(0);
  return bytes;
}
