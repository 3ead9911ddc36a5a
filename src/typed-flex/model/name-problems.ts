import { entryPath } from '../snapshot/entry-path.ts';

/** A name that cannot be used. */
export interface NameProblem {
  /** Says what to write, without a full stop. */
  readonly problem: string;
  /** The entries of the mapping that it is about, first the one to change. */
  readonly entries: readonly string[];
  /** The name that is another's or reserved, such as `the field "id"`. Undefined for other problems. */
  readonly clash?: string;
  /** Whether the name is empty: none has been chosen. */
  readonly isOpen?: boolean;
}

/** The problems of a mapping, in the order in which they were found. */
export class NameProblems {
  readonly #found: NameProblem[] = [];
  /** The entries to change. */
  readonly #entries = new Set<string>();

  get all(): readonly NameProblem[] {
    return this.#found;
  }

  /**
   * Notes a problem of an entry.
   *
   * @param path the keys of the entry in the mapping
   * @param problem without a full stop
   * @param others keys of further entries that it is about
   */
  note(
    path: readonly string[],
    problem: string,
    { others = [], ...kind }: Pick<NameProblem, 'clash' | 'isOpen'> & { others?: readonly (readonly string[])[] } = {},
  ): void {
    this.#entries.add(namesEntry(path));
    this.#found.push({ problem, entries: [path, ...others].map(namesEntry), ...kind });
  }

  /** Whether an entry has a problem. What is made of its name has one, too, but the first says what to write. */
  has(path: readonly string[]): boolean {
    return this.#entries.size > 0 && this.#entries.has(namesEntry(path));
  }
}

/** The place of an entry of the mapping in the snapshot. */
export function namesEntry(path: readonly string[]): string {
  return entryPath(['names', ...path]);
}
