// Texts are compared without case and accents. Folding runs over thousands of rows, so it avoids `Intl`, and leaves texts
// without accents as they are.

/** Removes differences of case. Upper case is the only common form of `ß` and `ss`, `σ` and `ς`. */
export const foldCase = (text: string) => text.toUpperCase();

/** Upper-case letters that Unicode does not split into a letter and an accent. */
const plainLetters = new Map([
  ['Æ', 'AE'],
  ['Ø', 'O'],
  ['Đ', 'D'],
  ['Ð', 'D'],
  ['Ħ', 'H'],
  ['Ł', 'L'],
  ['Œ', 'OE'],
  ['Þ', 'TH'],
  ['Ŧ', 'T'],
  ['ẞ', 'SS'],
]);

/** A character that may be a letter with an accent. */
export const BEYOND_ASCII = /[\u0080-\uffff]/;
const ACCENTS = /[\u0300-\u036f]+/g;
const WHOLE_LETTERS = /[ÆØĐÐĦŁŒÞŦẞ]/g;

/** The length from which a pattern takes many times as long as a loop: it keeps each of its matches. */
const LONG_TEXT = 10_000;

function withoutAccents(split: string): string {
  if (split.length < LONG_TEXT) return split.replace(ACCENTS, '');
  const kept = new Uint16Array(split.length);
  let length = 0;
  for (let at = 0; at < split.length; at += 1) {
    const code = split.charCodeAt(at);
    if (code < 0x03_00 || code > 0x03_6f) kept[length++] = code;
  }
  return Buffer.from(kept.buffer, 0, 2 * length).toString('utf16le');
}

/** Removes the accents of a text in upper case: `ŁÓDŹ` becomes `LODZ`. */
function foldAccents(upper: string): string {
  if (!BEYOND_ASCII.test(upper)) return upper;
  const split = withoutAccents(upper.normalize('NFD'));
  return split.replace(WHOLE_LETTERS, (letter) => plainLetters.get(letter) ?? letter);
}

/** Removes differences of case and accents. */
export function foldLetters(text: string): string {
  return foldAccents(foldCase(text));
}

/** Removes differences of case and accents. A text of accents alone stays. */
export function foldText(text: string): string {
  return foldLetters(text) || foldCase(text);
}

/** The texts of a row in the forms in which conditions look at them. */
export interface RowTexts {
  /** The text under a key without differences of case and accents. */
  folded(key: PropertyKey, text: string): string;
  /** The digits of the text under a key. */
  digits(key: PropertyKey, text: string): string;
  /**
   * The folded parts of the value under a key.
   *
   * @param view the function that divides it: other views have other parts
   */
  parts(key: PropertyKey, view: object, divide: () => Iterable<string>): ReadonlySet<string>;
}

/** Makes each form whenever it is asked for. */
export const unsharedTexts: RowTexts = {
  folded: (_key, text) => foldLetters(text),
  digits: (_key, text) => onlyDigits(text),
  parts: (_key, _view, divide) => new Set(divide()),
};

/** A check of the text under a key of a row. */
type TextCheck = (text: string, key?: PropertyKey, texts?: RowTexts) => boolean;

/** Makes something when it is first asked for. Of many long conditions each is prepared in the slice that needs it. */
export function once<Made extends object>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}

/** Words with such marks, which are accents alone, or letters of other scripts, are not folded as the text around them is. */
const MARKS = /\p{M}/u;

/** Words in the form in which they are looked for. */
interface PreparedWords {
  readonly words: string;
  readonly isIn: (text: string) => boolean;
  readonly hasMarks: boolean;
}

/** Fields of one operation often look for the same words, which may be long: they are prepared once. */
let latest: WeakRef<PreparedWords> | undefined;

function prepareWords(words: string): PreparedWords {
  const shared = latest?.deref();
  if (shared?.words === words) return shared;
  const wanted = foldText(words);
  const prepared = { words, isIn: searchFor(wanted), hasMarks: MARKS.test(wanted) };
  latest = new WeakRef(prepared);
  return prepared;
}

/**
 * Creates a check whether a text contains the words, without regard to case and accents.
 *
 * @param words a text that is not empty
 */
export function containing(words: string): TextCheck {
  const prepared = once(() => prepareWords(words));
  return (text, key = '', texts = unsharedTexts) => {
    const { isIn, hasMarks } = prepared();
    if (!BEYOND_ASCII.test(text)) return isIn(foldCase(text));
    return isIn(texts.folded(key, text)) || (hasMarks && isIn(foldCase(text)));
  };
}

/** Shorter words are found by `includes`, which compares all of them at each place at worst. */
const MAX_SHORT_WORDS = 32;

/** Creates a check whether a text holds a part. Its time is in proportion to the text, whatever the part is. */
export function searchFor(part: string): (text: string) => boolean {
  if (part.length <= MAX_SHORT_WORDS) return (text) => text.includes(part);
  const fallbacks = fallbacksIn(part);
  return (text) => {
    let matched = 0;
    for (let at = 0; at < text.length; at += 1) {
      matched = extended(matched, text.charCodeAt(at), part, fallbacks);
      if (matched === part.length) return true;
    }
    return false;
  };
}

/** For each length of a beginning of the part: how long the longest shorter beginning is that it ends with. */
function fallbacksIn(part: string): Uint32Array {
  const fallbacks = new Uint32Array(part.length + 1);
  for (let length = 2, matched = 0; length <= part.length; length += 1) {
    matched = extended(matched, part.charCodeAt(length - 1), part, fallbacks);
    fallbacks[length] = matched;
  }
  return fallbacks;
}

/** How long a beginning of the part is matched after one more character (Knuth, Morris and Pratt). */
function extended(matched: number, code: number, part: string, fallbacks: Uint32Array): number {
  let length = matched;
  while (length > 0 && part.charCodeAt(length) !== code) length = fallbacks[length] ?? 0;
  return part.charCodeAt(length) === code ? length + 1 : length;
}

/** Of longer texts, the parts are kept. */
const MAX_SHORT_TEXT = 100;

/**
 * Creates a check whether a text, or a part of it, is one of some texts, without regard to case, accents and space around it.
 *
 * @param texts the texts
 * @param split divides a text into its parts
 */
export function oneOfTexts(texts: readonly string[], split?: (text: string) => readonly string[]): TextCheck {
  const prepared = once(() => new Set(texts.map((text) => foldText(text.trim()))));
  return (text, key = '', rowTexts = unsharedTexts) => {
    const wanted = prepared();
    if (text.length <= MAX_SHORT_TEXT && !BEYOND_ASCII.test(text)) {
      return split ? split(text).some((part) => wanted.has(foldCase(part.trim()))) : wanted.has(foldCase(text.trim()));
    }
    for (const part of rowTexts.parts(key, split ?? oneOfTexts, () => formsOf(split?.(text) ?? [text]))) {
      if (wanted.has(part)) return true;
    }
    return false;
  };
}

// The parts in one case, and those with accents without them, too.
function* formsOf(parts: readonly string[]): Generator<string> {
  for (const part of parts) {
    const upper = foldCase(part.trim());
    yield upper;
    if (BEYOND_ASCII.test(upper)) yield foldAccents(upper);
  }
}

/** Fewer digits occur in too many numbers. */
const MIN_DIGITS = 3;

/** The digits of a number such as `+48 600-100-200`. Undefined for a text that has less than three, or holds letters. */
export function digitsOf(text: string): string | undefined {
  if (!/^[\d\s()+./-]+$/.test(text)) return undefined;
  const digits = onlyDigits(text);
  return digits.length < MIN_DIGITS ? undefined : digits;
}

/** Removes all characters but digits. */
export const onlyDigits = (text: string) => text.replaceAll(/\D+/g, '');
