/** The one of some words that differs from a text by the fewest edits, undefined when they are none. */
export function nearest(text: string, words: readonly string[]): string | undefined {
  const [best] = words
    .map((word) => ({ word, edits: editDistance(text.slice(0, maxLength).toLowerCase(), word.toLowerCase()) }))
    .toSorted((one, other) => one.edits - other.edits);
  return best?.word;
}

const maxLength = 200;

/** The number of characters to insert, delete or replace. */
function editDistance(text: string, word: string): number {
  const first = Array.from({ length: word.length + 1 }, (_, index) => index);
  const last = [...text].reduce((above, character, row) => {
    const edits = [row + 1];
    for (const [column, other] of [...word].entries()) {
      const replaced = (above[column] ?? 0) + Number(character !== other);
      edits.push(Math.min(replaced, (above[column + 1] ?? 0) + 1, (edits[column] ?? 0) + 1));
    }
    return edits;
  }, first);
  return last.at(-1) ?? 0;
}
