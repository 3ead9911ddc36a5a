import type { WriteOutcome } from '../errors.ts';

/** The outcomes of the writes of one GraphQL operation, by the fields that made them. */
export class WriteLedger {
  readonly #failures = new Map<string, WriteOutcome>();
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

  /** Records that the field at this path fails, with the outcome of the write that was begun last. */
  fail(path: readonly (string | number)[]): void {
    this.#failures.set(path.join('.'), this.outcome);
  }

  /** The outcome of the write whose field failed at this path. Undefined when no such field failed. */
  failureAt(path: readonly (string | number)[]): WriteOutcome | undefined {
    return this.#failures.get(path.join('.'));
  }
}
