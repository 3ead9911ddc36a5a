import type { WriteOutcome } from '../errors.ts';

/** The path of a field in the response, from its end: the key of the field or the index of an item, and what it is within. */
export interface FieldPath {
  readonly prev: FieldPath | undefined;
  readonly key: string | number;
}

/** To the least certain one, which stands for several: UNKNOWN if any is unknown, else APPLIED if any write was carried out. */
const BY_CERTAINTY: readonly WriteOutcome[] = ['REFUSED', 'APPLIED', 'UNKNOWN'];

/** The outcome that stands for several. Undefined for none. */
export function leastCertain(outcomes: readonly unknown[]): WriteOutcome | undefined {
  return BY_CERTAINTY.findLast((outcome) => outcomes.includes(outcome));
}

/** The outcomes of the writes of one GraphQL operation, by the fields that made them. They are indexes of `BY_CERTAINTY`. */
export class WriteLedger {
  /** Made by the first write: most operations have none. */
  #outcomes: Map<string, number> | undefined;
  /** That of the write that was begun last. One that was never sent is refused. */
  #outcome = 0;
  /** Those of the earlier writes of the field or item that was entered last, of the earlier items of its field, and of earlier fields. */
  #entered = 0;
  #field = 0;
  #operation = 0;
  #path: FieldPath | undefined;
  #number = 0;

  /** Enters a field of the mutation, or an item of a bulk mutation. They run one after the other. */
  enter(path: FieldPath): void {
    const ofField = Math.max(this.#field, this.#entered, this.#outcome);
    this.#field = path.prev ? ofField : 0;
    if (!path.prev) this.#operation = Math.max(this.#operation, ofField);
    this.#path = path;
    this.#number = 0;
    this.#entered = 0;
    this.#outcome = 0;
  }

  /** Begins the next write of the field. */
  begin(): void {
    this.#number += 1;
    this.#entered = Math.max(this.#entered, this.#outcome);
    this.#outcome = 0;
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

  /** Records that the write that was begun last is being sent: until its end is known, nobody knows what becomes of it. */
  readonly sent = (): void => this.record('UNKNOWN');

  /** Records the outcome of the write that was begun last. */
  record(outcome: WriteOutcome): void {
    this.#outcome = BY_CERTAINTY.indexOf(outcome);
  }

  /** The outcome of the write that was begun last. */
  get outcome(): WriteOutcome {
    return outcomeAt(this.#outcome);
  }

  /** The outcome that stands for all writes until now: what was not begun is refused. */
  get ofOperation(): WriteOutcome {
    return outcomeAt(Math.max(this.#operation, this.#field, this.#entered, this.#outcome));
  }

  /** Keeps the outcome of the field or item at this path, which was entered last, for its errors. */
  keep(path: readonly (string | number)[]): void {
    const ofEntered = Math.max(this.#entered, this.#outcome);
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
