import type { WriteOutcome } from '../errors.ts';

/** The path of a field in the response, from its end: the key of the field or the index of an item, and what it is within. */
export interface FieldPath {
  readonly prev: FieldPath | undefined;
  readonly key: string | number;
}

/** From the least certain one, which stands for several. */
const LEAST_CERTAIN: readonly WriteOutcome[] = ['UNKNOWN', 'APPLIED', 'REFUSED'];

/** The outcome that stands for several: UNKNOWN if any is unknown, else APPLIED if any write was carried out. Undefined for none. */
export function leastCertain(outcomes: readonly unknown[]): WriteOutcome | undefined {
  return LEAST_CERTAIN.find((outcome) => outcomes.includes(outcome));
}

/** The outcomes of the writes of one GraphQL operation, by the fields that made them. */
export class WriteLedger {
  /** Made by the first write: most operations have none. */
  #outcomes: Map<string, WriteOutcome> | undefined;
  #outcome: WriteOutcome | undefined;
  /** Those of the earlier writes of the field or item that was entered last, of the earlier items of its field, and of earlier fields. */
  #entered: WriteOutcome | undefined;
  #field: WriteOutcome | undefined;
  #operation: WriteOutcome | undefined;
  #path: FieldPath | undefined;
  #number = 0;

  /** Enters a field of the mutation, or an item of a bulk mutation. They run one after the other. */
  enter(path: FieldPath): void {
    if (path.prev) this.#field = this.#ofField;
    else [this.#operation, this.#field] = [this.ofOperation, undefined];
    this.#path = path;
    this.#number = 0;
    this.#entered = undefined;
    this.#outcome = undefined;
  }

  /** Begins the next write of the field. */
  begin(): void {
    this.#number += 1;
    this.#entered = this.#ofEntered;
    this.#outcome = undefined;
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
  readonly sent = (): void => {
    this.#outcome = 'UNKNOWN';
  };

  /** Records the outcome of the write that was begun last. */
  record(outcome: WriteOutcome): void {
    this.#outcome = outcome;
  }

  /** The outcome of the write that was begun last. A write that was never sent is refused. */
  get outcome(): WriteOutcome {
    return this.#outcome ?? 'REFUSED';
  }

  get #ofEntered(): WriteOutcome | undefined {
    return leastCertain([this.#entered, this.#outcome]);
  }

  get #ofField(): WriteOutcome | undefined {
    return leastCertain([this.#field, this.#ofEntered]);
  }

  /** The outcome that stands for all writes until now: what was not begun is refused. */
  get ofOperation(): WriteOutcome {
    return leastCertain([this.#operation, this.#ofField]) ?? 'REFUSED';
  }

  /** Keeps the outcome of the field or item at this path, which was entered last, for its errors. */
  keep(path: readonly (string | number)[]): void {
    const outcome = path.length === 1 ? this.#ofField : this.#ofEntered;
    (this.#outcomes ??= new Map()).set(path.join('.'), outcome ?? 'REFUSED');
  }

  /** The outcome of the write of the field at this path. Undefined for a field that wrote nothing. */
  outcomeAt(path: readonly (string | number)[]): WriteOutcome | undefined {
    return this.#outcomes?.get(path.join('.'));
  }
}
