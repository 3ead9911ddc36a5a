/** Folds case for a search. Upper case, because `ß` and `ς` have no other common form. */
const foldCase = (text: string) => text.toUpperCase();

/** Whether a phrase contains a wildcard. */
export function hasWildcard(phrase: string): boolean {
  return /[*%]/.test(phrase);
}

/**
 * Creates a predicate on texts. A phrase with wildcards must match the whole text, any other phrase a part of it.
 * Not documented (A94): a wildcard stands for any number of characters, and `_` is no wildcard.
 */
export function createMatcher(phrase: string): (text: string) => boolean {
  if (!hasWildcard(phrase)) {
    const fragment = foldCase(phrase);
    return (text) => foldCase(text).includes(fragment);
  }
  const [head = '', ...rest] = foldCase(phrase).split(/[*%]+/);
  const tail = rest.pop() ?? '';
  // Finds piece after piece without backtracking. A regular expression of many wildcards would take exponential time.
  return (value) => {
    const text = foldCase(value);
    if (text.length < head.length + tail.length || !text.startsWith(head) || !text.endsWith(tail)) return false;
    const end = text.length - tail.length;
    let position = head.length;
    for (const piece of rest) {
      const found = text.indexOf(piece, position);
      if (found === -1 || found + piece.length > end) return false;
      position = found + piece.length;
    }
    return true;
  };
}

/**
 * Not documented (A95): what a search sees of a value. It is the text of each scalar in it; keys and null are not seen.
 */
export function searchableTexts(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object') return [String(value)];
  return Object.values(value).flatMap(searchableTexts);
}
