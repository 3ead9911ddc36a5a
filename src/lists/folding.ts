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

const BEYOND_ASCII = /[\u0080-\uffff]/;
const ACCENTS = /[\u0300-\u036f]+/g;
const WHOLE_LETTERS = /[ÆØĐÐĦŁŒÞŦẞ]/g;

/** Removes the accents of a text in upper case: `ŁÓDŹ` becomes `LODZ`. */
function foldAccents(upper: string): string {
  if (!BEYOND_ASCII.test(upper)) return upper;
  const split = upper.normalize('NFD').replace(ACCENTS, '');
  return split.replace(WHOLE_LETTERS, (letter) => plainLetters.get(letter) ?? letter);
}

/** Removes differences of case and accents. A text of accents alone stays. */
export function foldText(text: string): string {
  const upper = foldCase(text);
  return foldAccents(upper) || upper;
}

/**
 * Creates a check whether a text contains the words, without regard to case and accents.
 *
 * @param words a text that is not empty
 */
export function containing(words: string): (text: string) => boolean {
  const wanted = foldText(words);
  return (text) => {
    const upper = foldCase(text);
    return upper.includes(wanted) || (BEYOND_ASCII.test(upper) && foldAccents(upper).includes(wanted));
  };
}

/**
 * Creates a check whether a text is one of some texts, without regard to case, accents and space around it.
 *
 * @param texts the texts
 */
export function oneOfTexts(texts: readonly string[]): (text: string) => boolean {
  const wanted = new Set(texts.map((text) => foldText(text.trim())));
  return (text) => {
    const upper = foldCase(text.trim());
    return wanted.has(upper) || (BEYOND_ASCII.test(upper) && wanted.has(foldAccents(upper)));
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
