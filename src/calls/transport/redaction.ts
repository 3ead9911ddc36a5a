import { camelCased } from '../../errors.ts';
import { namedEntities } from '../../formats/xml-entities.ts';

/** Shorter secrets are a part of many words, so they are looked for as whole words. */
const MIN_LENGTH_IN_WORDS = 8;

/** More characters of a secret are not compared: it would be no less a secret, and take long in some texts. */
const MAX_NEEDLE = 64;

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
 * It finds a secret as it is, in percent-encoding and form encoding, as JSON and XML escape it, and in base64 and base64url at
 * any position, each in small letters or capitals. What is encoded twice is not found. A secret of fewer than 8 characters is
 * found as a whole word only, and not in base64. The time is linear in the length of the text.
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
  const needles = [...long, ...long.flatMap(inBase64)].map((needle) => comparable(needle).slice(0, MAX_NEEDLE));
  const words = short.map(comparable);

  return (text) =>
    readings(text).some(
      (reading) => needles.some((needle) => reading.includes(needle)) || words.some((word) => holdsWord(reading, word)),
    );
}

/** A text as it is, and decoded from each of the encodings that it may be in. */
function readings(text: string): string[] {
  const decoded = new Set([text, fromPercents(text), fromJson(text), fromXml(text)]);
  return [...decoded].map(comparable);
}

function fromPercents(text: string): string {
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString());
}

function fromJson(text: string): string {
  return text.replaceAll(/\\(?:u[\da-f]{4}|["\\/bfnrt])/gi, (escape) => JSON.parse(`"${escape.toLowerCase()}"`));
}

const LARGEST_CODE_POINT = 0x10_ff_ff;

function fromXml(text: string): string {
  return text.replaceAll(/&(?:#(x[\da-f]+|\d+)|([a-z]\w*));/gi, (entity, number?: string, name = '') => {
    const code = Number(`0${number}`); // 0x41 or 065
    if (code <= LARGEST_CODE_POINT) return String.fromCodePoint(code);
    return namedEntities.get(name) ?? namedEntities.get(name.toLowerCase()) ?? entity;
  });
}

/** Capital letters have one form each, whatever stands around them. In a form, a plus sign is a space. */
function comparable(text: string): string {
  return text.toUpperCase().replaceAll('+', ' ');
}

/** The digits of base64 and base64url that stand for a secret alone, in its three positions within a longer text. */
function inBase64(secret: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const [start, end] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    return (['base64', 'base64url'] as const).map((encoding) => bytes.toString(encoding).slice(start, end));
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
