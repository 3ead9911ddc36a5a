import { type DecodedText, decodeOnce, undecoded } from '../formats/escapes.ts';

const REDACTED = '[redacted]';

/** How often a secret may have been encoded, each time in another way or the same: as a parameter in JSON in HTML. */
const ENCODINGS = 4;

/** A secret of fewer characters may be a part of a name by chance. */
const SHORTEST_IN_NAME = 8;

/** Field names with dots between them. */
const FIELD_PATH = /^[\p{L}\p{M}\p{N}_.-]+$/u;

/** Strikes secrets out. */
export interface Redactor {
  /** Strikes secrets out of a free text, wherever they stand in it. */
  readonly text: (text: string) => string;
  /**
   * Strikes secrets out of the path of a field, such as `client.post_code`: only a part between dots that is a secret as
   * a whole, and secrets of 8 or more characters. A path that holds other signs than names do is taken as a free text.
   */
  readonly fieldPath: (path: string) => string;
}

/**
 * Creates a redactor that puts `[redacted]` in the place of each secret.
 *
 * A secret is found as it is, in base64 and base64url, and as percent-encoding, a form, JSON, HTML or XML spell it, also
 * where up to four of these are nested or mixed. Work is linear in the text, whatever the secrets are.
 *
 * @param secrets an empty one is ignored
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const given = new Set(secrets.filter((secret) => secret !== ''));
  const text = textRedactor([...given]);
  const inNames = textRedactor([...given].filter(({ length }) => length >= SHORTEST_IN_NAME));

  return {
    text,
    fieldPath: (path) => {
      if (!FIELD_PATH.test(path)) return text(path);
      const parts = inNames(path).split('.');
      return parts.map((part) => (given.has(part) ? REDACTED : part)).join('.');
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
    return struckOut(text, marks);
  };
}

/**
 * How a secret may be spelt once the escapes around it are decoded. It may itself look like an escape, such as `'%25'`,
 * and be decoded with them.
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
  for (let decodings = 0; level !== undefined && decodings <= ENCODINGS; decodings += 1) {
    yield level;
    level = decodeOnce(level);
  }
}

/** How much of a spelling `indexOf` looks for: with 10,000 characters, V8's can take 3 s for a megabyte. */
const LONGEST_FOR_INDEX_OF = 200;

/**
 * Marks the characters of the original wherever a spelling stands in the decoded text. From the first likely place on it
 * is the search of Knuth, Morris and Pratt, which looks at each character once.
 */
function markSpelling({ text, origins }: DecodedText, spelling: string, marks: Uint8Array): void {
  const start = text.indexOf(spelling.slice(0, LONGEST_FOR_INDEX_OF));
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

/** For each beginning of a text: the length of the longest shorter beginning that it ends with. */
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

/** Puts one `[redacted]` in the place of each run of marked characters. */
function struckOut(text: string, marks: Uint8Array): string {
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
