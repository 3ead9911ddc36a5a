import { entryPath } from '../snapshot/entry-path.ts';

/** A name that cannot be used. */
export interface NameProblem {
  /** One line that says what to write. */
  readonly text: string;
  /** The entries of the mapping that it is about. */
  readonly entries: readonly string[];
}

/** The problems of a mapping, in the order in which they were found. */
export class NameProblems {
  readonly #found: NameProblem[] = [];

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
  note(path: readonly string[], problem: string, ...others: readonly (readonly string[])[]): void {
    const entries = [path, ...others].map(namesEntry);
    this.#found.push({ text: `${entries[0]}: ${problem}.`, entries });
  }
}

/** The place of an entry of the mapping in the snapshot. */
export function namesEntry(path: readonly string[]): string {
  return entryPath(['names', ...path]);
}
