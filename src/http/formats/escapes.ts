import { namedEntities } from './xml-entities.ts';

// Decoders of the spellings in which upstream may repeat a secret. They take and return UTF-8 as one character per byte, so
// that bytes of a character which are spelled in different ways come together again.

/** Decodes each of its spellings in a text once: `%2525` becomes `%25`. Text of no such spelling stays as it is. */
export type Decoder = (bytes: string) => string;

/** HTML's names of the ASCII characters that XML has no name for, in small letters: name, character, name and so on. */
const ASCII_ENTITIES = (
  'excl ! num # dollar $ percnt % lpar ( rpar ) ast * midast * plus + comma , period . sol / colon : semi ; equals = ' +
  'quest ? commat @ lsqb [ lbrack [ bsol \\ rsqb ] rbrack ] hat ^ lowbar _ underbar _ grave ` diacriticalgrave ` ' +
  'lcub { lbrace { verbar | vert | verticalline | rcub } rbrace }'
).split(' ');
const asciiEntities: ReadonlyMap<string, string> = new Map([
  ['tab', '\t'],
  ['newline', '\n'],
  ...ASCII_ENTITIES.flatMap((name, at): [string, string][] =>
    at % 2 === 0 ? [[name, ASCII_ENTITIES[at + 1] ?? '']] : [],
  ),
]);
const LONGEST_NAME = 'diacriticalgrave'.length;

const LARGEST_CODE_POINT = 0x10_ff_ff;

/** Escapes of URLs, of JSON (and `%u0061` of old servers), and of HTML and XML with or without the semicolon. */
const ESCAPE = /(?:%[\da-f]{2})+|(?:[%\\]u[\da-f]{4})+|\\["\\/bfnrt]|&(?:#(?:x[\da-f]+|\d+)|[a-z][\da-z]*);?/gi;
const ESCAPE_BUT_LETTER = /(?:%[\da-f]{2})+|(?:[%\\]u[\da-f]{4})+|&(?:#(?:x[\da-f]+|\d+)|[a-z][\da-z]*);?/gi;

const JSON_LETTERS: ReadonlyMap<string, string> = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** Percent-encoding, escapes of JSON, and entities that end in a semicolon. */
const fromEscapes: Decoder = (bytes) => bytes.replaceAll(ESCAPE, (escape) => fromJson(escape) ?? fromCode(escape));

/** The same without JSON's letters: the first backslash of `\\u0041` may be a part of the secret. */
const fromCodes: Decoder = (bytes) =>
  bytes.includes('\\\\')
    ? bytes.replaceAll(ESCAPE_BUT_LETTER, (escape) => fromJson(escape) ?? fromCode(escape))
    : bytes;

/** The same without JSON. */
const fromCodesButJson: Decoder = (bytes) => bytes.replaceAll(ESCAPE, fromCode);

/** Entities without a semicolon, too. They are apart because their end may be spelled in another way, as in `&#9\u0037;`. */
const fromOpenEntities: Decoder = (bytes) => (bytes.includes('&') ? bytes.replaceAll(ESCAPE, fromOpenEntity) : bytes);

function fromJson(escape: string): string | undefined {
  if (escape.startsWith('&')) return undefined;
  const letter = escape.charAt(1).toLowerCase();
  if (letter === 'u') return utf8(escape.replaceAll(/.u(....)/gi, (_unit, hex: string) => codeUnit(hex)));
  return escape.startsWith('\\') ? (JSON_LETTERS.get(letter) ?? letter) : undefined;
}

function codeUnit(hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16));
}

function fromCode(escape: string): string {
  if (escape.startsWith('%')) return /u/i.test(escape) ? escape : fromHex(escape.replaceAll('%', ''));
  return escape.startsWith('&') && escape.endsWith(';') ? (entity(escape.slice(1, -1)) ?? escape) : escape;
}

/** Decodes an entity by its longest name: `&ampere` is `&ere`. */
function fromOpenEntity(escape: string): string {
  if (!escape.startsWith('&')) return escape;
  const name = escape.endsWith(';') ? escape.slice(1, -1) : escape.slice(1);
  if (name.startsWith('#')) return entity(name) ?? escape;
  for (let length = Math.min(name.length, LONGEST_NAME); length > 1; length -= 1) {
    const character = entity(name.slice(0, length));
    if (character !== undefined) return character + escape.slice(length < name.length ? length + 1 : escape.length);
  }
  return escape;
}

/** The character of an entity, such as `amp`, `#38` or `#x26`. Undefined for one that does not exist. */
function entity(name: string): string | undefined {
  const lower = name.toLowerCase();
  if (!lower.startsWith('#')) {
    const character = namedEntities.get(name) ?? namedEntities.get(lower) ?? asciiEntities.get(lower);
    return character === undefined ? undefined : utf8(character);
  }
  const code = lower.startsWith('#x') ? Number.parseInt(lower.slice(2), 16) : Number(lower.slice(1));
  return code <= LARGEST_CODE_POINT ? utf8(String.fromCodePoint(code)) : undefined;
}

/** Decodes each run of hexadecimal digits that may hold 8 bytes, from its first and from its second digit on. */
const hexDecoder: Decoder = (bytes) => runs(bytes, /[\da-f]{16,}/gi, 2, fromHex);

/**
 * Decodes each run of digits of base64 and base64url that may hold 8 bytes, from each of its first four digits on: letters
 * in front of it may read as a part of it.
 */
const base64Decoder: Decoder = (bytes) =>
  runs(bytes, /[\w+/-]{11,}/g, 4, (run) => Buffer.from(run, 'base64').toString('latin1'));

function runs(bytes: string, pattern: RegExp, starts: number, decode: Decoder): string {
  const found = bytes.match(pattern) ?? [];
  return found.flatMap((run) => Array.from({ length: starts }, (_, start) => decode(run.slice(start)))).join('\n');
}

function fromHex(digits: string): string {
  return Buffer.from(digits, 'hex').toString('latin1');
}

/** The bytes of a text in UTF-8, one character each. */
export function utf8(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** Percent-encoding, JSON and entities. */
export const escapeDecoders = [fromEscapes, fromCodes, fromOpenEntities];

/** Percent-encoding and entities only. */
export const urlAndEntityDecoders = [fromCodesButJson, fromOpenEntities];

/** Decoders that make something of nearly every text, most often nonsense. */
export const binaryDecoders = [base64Decoder, hexDecoder];
