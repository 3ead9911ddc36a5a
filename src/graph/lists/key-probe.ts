import { GatewayError, NotReadError } from '../../errors.ts';

/** Records that are read to learn whether upstream sends a key that lists lack. */
const PROBES = 3;

/** Reads that fail alike, with none between them that succeeds, until no further one is made: a role may not read single records. */
const FAILURES = 5;

/** A failure, and how many reads have failed so. */
interface Failure {
  readonly error: GatewayError;
  readonly count: number;
}

const OTHERS_FAILED = 'This record was not read, because reads of others failed:';

/**
 * Reads a key that lists lack from full records. Three records are read first. When all three lack the key, the rest of
 * the operation takes it as not sent, and no further record is read for it. The same holds after five reads that failed
 * alike with none between them that succeeded, as long as no record had the key: the other records fail without a call.
 */
export class KeyProbe<T extends object> {
  readonly #has: (full: T) => boolean;
  /** Full records that lacked the key. */
  #lacking = 0;
  /** The failures since the last read that did not fail, by what they say. */
  readonly #failures = new Map<string, Failure>();
  /** The one of them that came most often. */
  #failure: Failure | undefined;
  #isSent = false;
  #underWay = 0;
  readonly #waiting: (() => void)[] = [];

  /** @param has whether a full record has the key */
  constructor(has: (full: T) => boolean) {
    this.#has = has;
  }

  /**
   * Reads a full record, unless the key is known not to be sent.
   *
   * @returns the record; undefined when the key is not sent
   * @throws the errors of `load`; a NotReadError when too many other reads failed
   */
  async read(load: () => Promise<T>): Promise<T | undefined> {
    while (this.#isUndecided() && this.#isFull()) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    if (!this.#isSent && this.#lacking >= PROBES) return undefined;
    if (this.#hasFailed() && this.#failure) throw new NotReadError(OTHERS_FAILED, this.#failure.error);

    this.#underWay += 1;
    try {
      const found = await load();
      this.#failure = undefined;
      this.#failures.clear();
      if (this.#has(found)) this.#isSent = true;
      else this.#lacking += 1;
      return found;
    } catch (error) {
      if (error instanceof GatewayError) this.#count(error);
      throw error;
    } finally {
      this.#underWay -= 1;
      for (const proceed of this.#waiting.splice(0)) proceed();
    }
  }

  #isUndecided(): boolean {
    return !this.#isSent && this.#lacking < PROBES && !this.#hasFailed();
  }

  /** Whether the reads under way may decide. */
  #isFull(): boolean {
    return this.#underWay + this.#lacking >= PROBES || this.#underWay + (this.#failure?.count ?? 0) >= FAILURES;
  }

  #hasFailed(): boolean {
    return !this.#isSent && (this.#failure?.count ?? 0) >= FAILURES;
  }

  #count(error: GatewayError): void {
    const kind = `${error.code} ${error.message}`;
    const failure = { error, count: (this.#failures.get(kind)?.count ?? 0) + 1 };
    this.#failures.set(kind, failure);
    if (failure.count >= (this.#failure?.count ?? 0)) this.#failure = failure;
  }
}
