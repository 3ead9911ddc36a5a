import { camelCased } from '../errors.ts';
import { binaryDecoders, type Decoder, escapeDecoders, urlAndEntityDecoders, utf8 } from '../formats/escapes.ts';

/** Shorter secrets are a part of many words, so they are looked for as whole words. */
const MIN_LENGTH_IN_WORDS = 8;

/** Encodings inside one another that are decoded. Five decoders make at most 156 texts of one. */
const MAX_DEPTH = 3;

/** More characters of a secret are not compared: it would be no less a secret, and take long in some texts. */
const MAX_NEEDLE = 64;

/** A secret of 8 characters may have fewer once it is decoded. */
const MIN_NEEDLE = 6;

/** The beginning of a secret that an escape may swallow which begins before it, such as `%4` before `1-secret`. It is not compared. */
const SWALLOWED = /^(?:amp;|lt;|gt;|quot;|apos;|[\da-fnrtux"\\/#&;]{0,5})/i;

const WORD_CHARACTER = /[\p{L}\p{N}]/u;

/** Tells which texts of upstream may be shown: those in which no secret is found. */
export interface Redactor {
  /** Returns a text as it is; undefined when it holds a secret. */
  readonly text: (text: string) => string | undefined;
  /**
   * Returns the path of a field, such as `client.post_code`, as it is; undefined when it holds a secret. The names of the
   * schema's fields are no secrets.
   */
  readonly fieldPath: (path: string) => string | undefined;
}

/**
 * Creates a redactor of secrets.
 *
 * It finds a secret as it is, in percent-encoding and form encoding, in escapes of JSON, HTML and XML, in hexadecimal, and
 * in base64 and base64url at any position, in small letters or capitals, and in up to three of these inside one another. A text with
 * more escapes inside one another counts as one that holds a secret. One of fewer than 8 characters is found as a whole word only, as it
 * is, in percent-encoding and in entities. The time is linear in the length of the text.
 *
 * @param secrets empty strings are ignored
 * @param isFieldName whether a field of the schema has a name. Anybody may know these, and a caller whose token is `title` has
 *   to learn which field is wrong
 */
export function createRedactor(
  secrets: readonly string[],
  isFieldName: (name: string) => boolean = () => false,
): Redactor {
  const isPublic = (name: string) => isFieldName(name) || isFieldName(camelCased(name));
  const holdsSecret = secretSearch(secrets);
  const pathHoldsSecret = secretSearch(secrets.filter((secret) => !isPublic(secret)));

  return {
    text: (text) => (holdsSecret(text) ? undefined : text),
    fieldPath: (path) => (path.split('.').every(isPublic) || !pathHoldsSecret(path) ? path : undefined),
  };
}

function secretSearch(secrets: readonly string[]): (text: string) => boolean {
  const long = secrets.filter(({ length }) => length >= MIN_LENGTH_IN_WORDS);
  const short = secrets.filter(({ length }) => length < MIN_LENGTH_IN_WORDS && length > 0);
  const spelled = spellings(long);
  const words = [...spellings(short), ...spelled.filter(({ length }) => length < MIN_NEEDLE)];
  const needles = [
    ...spelled.filter(({ length }) => length >= MIN_NEEDLE).map(withoutSwallowed),
    ...long.flatMap(inBase64),
  ];
  const sought = needles.map((needle) => needle.slice(0, MAX_NEEDLE));

  return (text) =>
    (long.length > 0 &&
      someReading(readings(text, escapeDecoders, binaryDecoders), (reading) =>
        sought.some((n) => reading.includes(n)),
      )) ||
    (words.length > 0 &&
      someReading(readings(text, urlAndEntityDecoders), (reading) => words.some((word) => holdsWord(reading, word))));
}

/**
 * The readings of secrets. A secret may look like an escape itself, such as `a%41b`: a text that is decoded further than it
 * was encoded holds `aAb`.
 */
function spellings(secrets: readonly string[]): string[] {
  const read = secrets.flatMap((secret) => [...readings(secret, escapeDecoders)]);
  return [...new Set(read)].filter((secret) => secret !== undefined);
}

/** Whether a predicate holds for a reading of a text, or the text cannot be read to its end. */
function someReading(read: Iterable<string | undefined>, holds: (reading: string) => boolean): boolean {
  for (const reading of read) if (reading === undefined || holds(reading)) return true;
  return false;
}

/**
 * Decodes a text by each decoder, and what comes of it again, up to MAX_DEPTH times.
 *
 * @param binary decoders that leave no text as it is, so that only `escapes` tell whether it is still encoded
 * @yields each different text that comes of it, the given one first, as `comparable` makes it; undefined in the end when it is
 *   still encoded
 */
function* readings(
  text: string,
  escapes: readonly Decoder[],
  binary: readonly Decoder[] = [],
): Generator<string | undefined> {
  const given = utf8(text);
  const seen = new Set([given]);
  let level = [given];
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1) {
    for (const reading of level) yield comparable(reading);
    const decoders = depth < MAX_DEPTH ? [...escapes, ...binary] : escapes;
    const decoded = new Set(level.flatMap((reading) => decoders.map((decode) => decode(reading))));
    level = [...decoded].filter((reading) => !seen.has(reading));
    for (const reading of level) seen.add(reading);
  }
  if (level.length > 0) yield undefined;
}

/** Capital letters have one form each, whatever stands around them. In a form, a plus sign is a space. */
function comparable(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString().toUpperCase().replaceAll('+', ' ');
}

function withoutSwallowed(secret: string): string {
  const swallowed = SWALLOWED.exec(secret)?.[0].length ?? 0;
  return secret.slice(Math.min(swallowed, secret.length - MIN_NEEDLE));
}

/** A secret in base64 in its three positions, for a text that has become small letters, which no decoder can read. */
function inBase64(secret: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const [start, end] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    return (['base64', 'base64url'] as const).map((encoding) => comparable(bytes.toString(encoding).slice(start, end)));
  });
}

/** Whether a text holds a word that stands alone: between characters that are neither letters nor digits. */
function holdsWord(text: string, word: string): boolean {
  for (let start = text.indexOf(word); start !== -1; start = text.indexOf(word, start + 1)) {
    const end = start + word.length;
    if (isBoundary(text, start) && isBoundary(text, end)) return true;
  }
  return false;
}

/** Whether no two characters of a word meet at a position. */
function isBoundary(text: string, position: number): boolean {
  return !WORD_CHARACTER.test(text.charAt(position - 1)) || !WORD_CHARACTER.test(text.charAt(position));
}
