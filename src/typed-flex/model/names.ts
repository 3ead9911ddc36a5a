// Names of upstream as names of GraphQL. Only names in ASCII are taken: a letter that was left out, or written in another
// script, would give a name that nobody wrote. `żółw` is no `zOW`.

/** Longer names are not converted: someone has to choose a short one. */
const MAX_LENGTH = 60;

const SEPARATOR = /[^a-z\d]/i;

/** Where a word begins without a separator: `dueAt`, `APIKey`. */
const HUMP = /(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g;

/**
 * The words of a name in lower case: `due_at`, `dueAt` and `Due at` have the same two.
 *
 * @returns undefined for a name that gives no name of GraphQL: `whyNoWords` says why
 */
export function wordsOf(name: string): readonly string[] | undefined {
  if (whyNoWords(name) !== undefined) return undefined;
  const words = name.replaceAll(HUMP, ' ').split(SEPARATOR);
  return words.filter((word) => word !== '').map((word) => word.toLowerCase());
}

/** Says why a name gives no name of GraphQL, as the end of a sentence about it. Undefined for one that gives some. */
export function whyNoWords(name: string): string | undefined {
  if (name === '') return 'is empty';
  if (name.length > MAX_LENGTH) return `has more than ${MAX_LENGTH} characters`;
  if (!/^[\x20-\x7e]*$/.test(name)) return 'has characters beyond printable ASCII';
  const first = name.split(SEPARATOR).find((word) => word !== '');
  if (first === undefined) return 'has no letter';
  return /^\d/.test(first) ? 'begins with a digit' : undefined;
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
