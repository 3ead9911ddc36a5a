// Names of upstream as names of GraphQL. Only names in ASCII are taken: a letter that was left out, or written in another
// script, would give a name that nobody wrote. `żółw` is no `zOW`.

/** Longer names are not converted: someone has to choose a short one. */
const MAX_LENGTH = 60;

/** Where a word begins without a separator: `dueAt`, `APIKey`. */
const HUMP = /(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g;

/**
 * The words of a name in lower case: `due_at`, `dueAt` and `Due at` have the same two.
 *
 * @returns undefined for a name that gives no name of GraphQL: one with a letter beyond ASCII, without any letter, or that
 *   begins with a digit
 */
export function wordsOf(name: string): readonly string[] | undefined {
  if (name.length > MAX_LENGTH || !/^[\x20-\x7e]*$/.test(name)) return undefined;
  const words = name
    .replaceAll(HUMP, ' ')
    .split(/[^a-z\d]/i)
    .filter((word) => word !== '');
  return /^[a-zA-Z]/.test(words[0] ?? '') ? words.map((word) => word.toLowerCase()) : undefined;
}

/** `dueAt` */
export function camelCase(words: readonly string[]): string {
  return words.map((word, index) => (index === 0 ? word : capitalized(word))).join('');
}

/** `DueAt` */
export function pascalCase(words: readonly string[]): string {
  return words.map(capitalized).join('');
}

/** The name of an enum value for a name of GraphQL: `DUE_AT` for `dueAt`. */
export function constantCase(graphqlName: string): string {
  return graphqlName.replaceAll(HUMP, '_').toUpperCase();
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
