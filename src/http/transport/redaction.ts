import { type DecodedText, decodeOnce, undecoded } from '../formats/escapes.ts';

const REDACTED = '[redacted]';

/** A secret is found under this many nested encodings, such as a URL parameter in JSON in HTML. */
const MAX_ENCODINGS = 4;

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
   * is a whole name between dots. A path with characters that names do not have is redacted as a free text.
   */
  readonly fieldPath: (path: string) => string;
}

/**
 * Creates a redactor of secrets.
 *
 * It finds a secret unchanged, in base64 and base64url, and in percent-encoding, form encoding, JSON, HTML and XML, also
 * with up to four of these nested or mixed. The time is linear in the length of the text.
 *
 * @param secrets empty strings are ignored
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const distinctSecrets = new Set(secrets.filter((secret) => secret !== ''));
  const text = textRedactor([...distinctSecrets]);
  const redactLongSecrets = textRedactor([...distinctSecrets].filter(({ length }) => length >= MIN_LENGTH_IN_NAME));

  return {
    text,
    fieldPath: (path) => {
      if (!FIELD_PATH.test(path)) return text(path);
      const parts = redactLongSecrets(path).split('.');
      return parts.map((part) => (distinctSecrets.has(part) ? REDACTED : part)).join('.');
    },
  };
}

function textRedactor(secrets: readonly string[]): (text: string) => string {
  const spellings = [...new Set(secrets.flatMap(spellingsOf))];
  if (spellings.length === 0) return (text) => text;

  return (text) => {
    const marks = new Uint8Array(text.length);
    for (const level of levels(text)) {
      for (const spelling of spellings) markSpelling(level, spelling, marks);
    }
    return replaceMarked(text, marks);
  };
}

/**
 * Returns every form that a secret may have in a decoded text. A secret may itself look like an escape, such as `'%25'`,
 * so its decoded forms are included.
 */
function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const encoded = [
    bytes.toString('base64'),
    bytes.toString('base64').replace(/={1,2}$/, ''),
    bytes.toString('base64url'),
  ];
  const decoded = Array.from(levels(secret), ({ text }) => text);
  return [...encoded, ...decoded, ...decoded.map((text) => text.replaceAll(' ', '+'))];
}

/**
 * Decodes the escapes of a text level by level.
 *
 * @yields the text as it is, then with one more level decoded each time
 */
function* levels(text: string): Generator<DecodedText> {
  let level: DecodedText | undefined = undecoded(text);
  for (let decodings = 0; level !== undefined && decodings <= MAX_ENCODINGS; decodings += 1) {
    yield level;
    level = decodeOnce(level);
  }
}

/** `indexOf` looks for this many characters at most: for 10,000, V8 can take 3 s in a text of a megabyte. */
const MAX_INDEX_OF_LENGTH = 200;

/**
 * Marks the characters of the original for each occurrence of a spelling in the decoded text. `indexOf` finds the first
 * candidate; from there on the search is Knuth-Morris-Pratt, which reads each character once.
 */
function markSpelling({ text, origins }: DecodedText, spelling: string, marks: Uint8Array): void {
  const start = text.indexOf(spelling.slice(0, MAX_INDEX_OF_LENGTH));
  if (start === -1 || spelling.length > text.length - start) return;
  const fallbacks = fallbackLengths(spelling);
  let matched = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    while (matched > 0 && spelling.charCodeAt(matched) !== code) matched = fallbacks[matched - 1] ?? 0;
    if (spelling.charCodeAt(matched) === code) matched += 1;
    if (matched < spelling.length) continue;
    const end = origins[at + 1] ?? 0;
    for (let marked = origins[at + 1 - matched] ?? end; marked < end; marked += 1) marks[marked] = 1;
    matched = 0;
  }
}

/** The failure table of Knuth-Morris-Pratt: for each prefix, the length of its longest proper prefix that is a suffix. */
function fallbackLengths(text: string): Uint32Array {
  const lengths = new Uint32Array(text.length);
  let matched = 0;
  for (let at = 1; at < text.length; at += 1) {
    while (matched > 0 && text.charCodeAt(matched) !== text.charCodeAt(at)) matched = lengths[matched - 1] ?? 0;
    if (text.charCodeAt(matched) === text.charCodeAt(at)) matched += 1;
    lengths[at] = matched;
  }
  return lengths;
}

/** Replaces each run of marked characters by one `[redacted]`. */
function replaceMarked(text: string, marks: Uint8Array): string {
  const kept: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (marks[at] === 0) continue;
    kept.push(text.slice(start, at));
    while (marks[at + 1] === 1) at += 1;
    start = at + 1;
  }
  kept.push(text.slice(start));
  return kept.join(REDACTED);
}
