import type { WriteOutcome } from '../errors.ts';

/** The path of a field in the response, from its end: the key of the field or the index of an item, and what it is within. */
export interface FieldPath {
  readonly prev: FieldPath | undefined;
  readonly key: string | number;
}

/** Outcomes from the most to the least certain. The outcome of several writes is the least certain one. */
const BY_CERTAINTY: readonly WriteOutcome[] = ['REFUSED', 'APPLIED', 'UNKNOWN'];

/** Returns the least certain outcome among the values; undefined when there is none. */
export function leastCertain(outcomes: readonly unknown[]): WriteOutcome | undefined {
  return BY_CERTAINTY.findLast((outcome) => outcomes.includes(outcome));
}

/** One write, which may end after its operation. REFUSED until it is sent. */
export class WriteState {
  /** An index of `BY_CERTAINTY`. */
  rank = 0;
  /** Whether the deadline of the operation has passed after it was sent: it goes on until its own. */
  isLate = false;

  /** Marks the write as sent: its outcome is UNKNOWN until the response is handled. */
  readonly sent = (): void => this.record('UNKNOWN');

  record(outcome: WriteOutcome): void {
    this.rank = BY_CERTAINTY.indexOf(outcome);
  }

  get outcome(): WriteOutcome {
    return outcomeAt(this.rank);
  }
}

/** The outcomes of the writes of one GraphQL operation, by the fields that made them. Stored as indexes of `BY_CERTAINTY`. */
export class WriteLedger {
  /** Made by the first write: most operations have none. */
  #outcomes: Map<string, number> | undefined;
  #write = new WriteState();
  /** Of earlier writes of the current field or item, of earlier items of the current field, and of earlier root fields. */
  #entered = 0;
  #field = 0;
  #operation = 0;
  #path: FieldPath | undefined;
  #number = 0;

  /** Enters a field of the mutation, or an item of a bulk mutation. They run one after the other. */
  enter(path: FieldPath): void {
    const ofField = Math.max(this.#field, this.#entered, this.#write.rank);
    this.#field = path.prev ? ofField : 0;
    if (!path.prev) this.#operation = Math.max(this.#operation, ofField);
    this.#path = path;
    this.#number = 0;
    this.#entered = 0;
    this.#write = new WriteState();
  }

  /** Starts the next write of the field. */
  begin(): WriteState {
    this.#number += 1;
    this.#entered = Math.max(this.#entered, this.#write.rank);
    return (this.#write = new WriteState());
  }

  /** The path of the field that was entered last, as `createClients.1`. Empty outside of any. */
  get path(): string {
    if (this.#path && !this.#path.prev) return String(this.#path.key);
    const keys: (string | number)[] = [];
    for (let at = this.#path; at; at = at.prev) keys.unshift(at.key);
    return keys.join('.');
  }

  /** The number of the write that was begun last among those of its field, from 1 on. */
  get number(): number {
    return this.#number;
  }

  /** Records the outcome of the write that was begun last. */
  record(outcome: WriteOutcome): void {
    this.#write.record(outcome);
  }

  /** The outcome of the write that was begun last. */
  get outcome(): WriteOutcome {
    return this.#write.outcome;
  }

  /** The outcome of the whole operation so far. Fields that have not started count as REFUSED. */
  get ofOperation(): WriteOutcome {
    return outcomeAt(Math.max(this.#operation, this.#field, this.#entered, this.#write.rank));
  }

  /** Stores the outcome of the current field or item for errors at its path. */
  keep(path: readonly (string | number)[]): void {
    const ofEntered = Math.max(this.#entered, this.#write.rank);
    const outcome = path.length === 1 ? Math.max(this.#field, ofEntered) : ofEntered;
    (this.#outcomes ??= new Map()).set(path.join('.'), outcome);
  }

  /** The outcome of the write of the field at this path. Undefined for a field that wrote nothing. */
  outcomeAt(path: readonly (string | number)[]): WriteOutcome | undefined {
    const outcome = this.#outcomes?.get(path.join('.'));
    return outcome === undefined ? undefined : outcomeAt(outcome);
  }
}

function outcomeAt(index: number): WriteOutcome {
  return BY_CERTAINTY[index] ?? 'REFUSED';
}
