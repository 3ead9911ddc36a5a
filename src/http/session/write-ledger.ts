import type { WriteOutcome } from '../errors.ts';

/** The outcomes of the writes of one GraphQL operation, by the fields that made them. */
export class WriteLedger {
  /** Made by the first write: most operations have none. */
  #outcomes: Map<string, WriteOutcome> | undefined;
  #outcome: WriteOutcome | undefined;

  /** Begins the next write of the operation. The fields of a mutation run one after the other. */
  begin(): void {
    this.#outcome = undefined;
  }

  /** Records the outcome of the write that was begun last. */
  record(outcome: WriteOutcome): void {
    this.#outcome = outcome;
  }

  /** The outcome of the write that was begun last. A write that was never sent is refused. */
  get outcome(): WriteOutcome {
    return this.#outcome ?? 'REFUSED';
  }

  /** Keeps the outcome of the write that was begun last, for the errors of the field at this path. */
  keep(path: readonly (string | number)[]): void {
    (this.#outcomes ??= new Map()).set(path.join('.'), this.outcome);
  }

  /** The outcome of the write of the field at this path. Undefined for a field that wrote nothing. */
  outcomeAt(path: readonly (string | number)[]): WriteOutcome | undefined {
    return this.#outcomes?.get(path.join('.'));
  }
}
