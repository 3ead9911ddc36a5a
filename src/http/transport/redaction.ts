import { camelCased } from '../errors.ts';
import { levelsOf, patternsOf } from './secret-patterns.ts';
import { searchedText, SecretSearch } from './secret-search.ts';

const REDACTED = '[redacted]';

/** Shorter secrets may be part of a field name by chance. */
const MIN_LENGTH_IN_NAME = 8;

/** Field names with dots between them. */
const FIELD_PATH = /^[\p{L}\p{M}\p{N}_.-]+$/u;

/** Replaces secrets by `[redacted]`. */
export interface Redactor {
  /** Redacts a free text: secrets are found at any position. */
  readonly text: (text: string) => string;
  /**
   * Redacts the path of a field, such as `client.post_code`. A secret of fewer than 8 characters is replaced only where it
   * is a whole name between dots. A path with characters that names do not have is redacted as a free text. The names of
   * the schema's fields stay.
   */
  readonly fieldPath: (path: string) => string;
}

/**
 * Creates a redactor of secrets.
 *
 * It finds a secret unchanged, in base64 and base64url (inside a longer text, too), and in percent-encoding, form encoding,
 * JSON, HTML and XML, also with up to four of these nested, and with each character in a spelling of its own. The time is
 * linear in the length of the text.
 *
 * @param secrets empty strings are ignored
 * @param isFieldName whether a field of the schema has a name. Anybody may know these, and a caller whose token is `title` has
 *   to learn which field is wrong
 */
export function createRedactor(
  secrets: readonly string[],
  isFieldName: (name: string) => boolean = () => false,
): Redactor {
  const distinctSecrets = new Set(secrets.filter((secret) => secret !== ''));
  const text = textRedactor([...distinctSecrets]);
  const longSecrets = [...distinctSecrets].filter(({ length }) => length >= MIN_LENGTH_IN_NAME);
  const redactLongSecrets = textRedactor(longSecrets);
  const redactSecretsWithDots = textRedactor(longSecrets.filter((secret) => secret.includes('.')));
  const isPublic = (name: string) => isFieldName(name) || isFieldName(camelCased(name));
  const redactedName = (name: string) => (distinctSecrets.has(name) ? REDACTED : redactLongSecrets(name));

  return {
    text,
    fieldPath: (path) => {
      if (!FIELD_PATH.test(path)) return text(path);
      const parts = redactSecretsWithDots(path).split('.');
      return parts.map((part) => (isPublic(part) ? part : redactedName(part))).join('.');
    },
  };
}

function textRedactor(secrets: readonly string[]): (text: string) => string {
  const searches = secrets.flatMap(patternsOf).map((pattern) => new SecretSearch(pattern));
  if (searches.length === 0) return (text) => text;

  return (text) => {
    const levels = levelsOf(text);
    const [{ bytes }] = levels;
    const marks = new Uint8Array(bytes.length);
    const searched = levels.map(searchedText);
    for (const search of searches) search.mark(searched, marks);
    return marks.includes(1) ? replaceMarked(bytes, marks) : text;
  };
}

/** Replaces each run of marked bytes by one `[redacted]`. */
function replaceMarked(bytes: Uint8Array, marks: Uint8Array): string {
  const kept: string[] = [];
  let start = 0;
  for (let marked = marks.indexOf(1); marked !== -1; marked = marks.indexOf(1, start)) {
    kept.push(Buffer.from(bytes.subarray(start, marked)).toString());
    const end = marks.indexOf(0, marked);
    start = end === -1 ? bytes.length : end;
  }
  kept.push(Buffer.from(bytes.subarray(start)).toString());
  return kept.join(REDACTED);
}
