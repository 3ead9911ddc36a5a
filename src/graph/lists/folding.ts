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
const BEYOND_ASCII = /[\u0080-\uffff]/;
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

/**
 * Removes differences of case and accents.
 *
 * @internal exported for the tests
 */
export function foldLetters(text: string): string {
  return foldAccents(foldCase(text));
}

/** Removes differences of case and accents. A text of accents alone stays. */
export function foldText(text: string): string {
  return foldLetters(text) || foldCase(text);
}

/** The texts of one record. Each is folded once, however many alternatives look at it. */
export class RecordTexts {
  readonly #folded = new Map<string, string>();
  /** How many characters were folded or divided, for this record and those before it. */
  work = 0;

  /** @returns what `foldLetters` does */
  folded(text: string): string {
    const known = this.#folded.get(text);
    if (known !== undefined) return known;
    const folded = foldLetters(text);
    this.#folded.set(text, folded);
    this.work += text.length;
    return folded;
  }

  /** Goes on to the next record. */
  forget(): void {
    this.#folded.clear();
  }
}

/** A check of a text of a record. */
type TextCheck = (text: string, texts: RecordTexts) => boolean;

/** Makes something when it is first asked for. Of many long conditions each is prepared in the slice that needs it. */
export function once<Made extends object>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}

/** Words with such marks, which are accents alone, or letters of other scripts, are not folded as the text around them is. */
const MARKS = /\p{M}/u;

/**
 * Creates a check whether a text contains the words, without regard to case and accents.
 *
 * @param words a text that is not empty
 */
export function containing(words: string): TextCheck {
  const wanted = foldText(words);
  const hasMarks = MARKS.test(wanted);
  return (text, texts) => {
    if (!BEYOND_ASCII.test(text)) return foldCase(text).includes(wanted);
    return texts.folded(text).includes(wanted) || (hasMarks && foldCase(text).includes(wanted));
  };
}

/**
 * Creates a check whether a text, or a part of it, is one of some texts, without regard to case, accents and space around it.
 *
 * @param texts the texts
 * @param split divides a text into its parts
 */
export function oneOfTexts(texts: readonly string[], split?: (text: string) => readonly string[]): TextCheck {
  const prepared = once(() => new Set(texts.map((text) => foldText(text.trim()))));
  const isWanted = (part: string) => {
    const upper = foldCase(part.trim());
    return prepared().has(upper) || (BEYOND_ASCII.test(upper) && prepared().has(foldAccents(upper)));
  };
  return (text, texts) => {
    texts.work += text.length;
    return split ? split(text).some(isWanted) : isWanted(text);
  };
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
