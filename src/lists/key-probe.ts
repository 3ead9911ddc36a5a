import { GatewayError, NotReadError } from '../http/errors.ts';

/** Records that are read to learn whether upstream sends a key that lists lack. */
const PROBES = 3;

/** Reads that fail alike, one after the other, until no further one is made: a role may not read single records. */
const FAILURES = 5;

const OTHERS_FAILED = 'This record was not read, because reads of others failed:';

/**
 * Reads a key that lists lack from full records. Three records are read first. When all three lack the key, the rest of
 * the operation takes it as not sent, and no further record is read for it. The same holds after five reads in a row that
 * failed alike, as long as no record had the key: the other records fail without a call.
 */
export class KeyProbe<T extends object> {
  readonly #key: keyof T;
  /** Full records that lacked the key. */
  #lacking = 0;
  /** The failure of the last read, and how many in a row were like it. Undefined after a read that did not fail. */
  #failure: { readonly error: GatewayError; readonly count: number } | undefined;
  #isSent = false;
  #underWay = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(key: keyof T) {
    this.#key = key;
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
      if (Object.hasOwn(found, this.#key)) this.#isSent = true;
      else this.#lacking += 1;
      return found;
    } catch (error) {
      if (error instanceof GatewayError) this.#failure = { error, count: this.#countWith(error) };
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

  /** The number of failures in a row that are like this one, with it. */
  #countWith({ code, message }: GatewayError): number {
    const last = this.#failure;
    return last?.error.code === code && last.error.message === message ? last.count + 1 : 1;
  }
}
