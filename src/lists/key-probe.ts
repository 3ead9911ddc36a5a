/** Records that are read to learn whether upstream sends a key that lists lack. */
const PROBES = 3;

/**
 * Reads a key that lists lack from full records. Three records are read first. When all three lack the key, the rest of
 * the operation takes it as not sent, and no further record is read for it.
 */
export class KeyProbe<T extends object> {
  readonly #key: keyof T;
  /** Full records that lacked the key. */
  #lacking = 0;
  #isSent = false;
  #underWay = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(key: keyof T) {
    this.#key = key;
  }

  /**
   * Reads a full record, unless the key is known not to be sent.
   *
   * @returns the record, or null when it is missing; undefined when the key is not sent
   * @throws the errors of `load`
   */
  async read(load: () => Promise<T | null>): Promise<T | null | undefined> {
    while (!this.#isSent && this.#lacking < PROBES && this.#underWay + this.#lacking >= PROBES) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    if (!this.#isSent && this.#lacking >= PROBES) return undefined;

    this.#underWay += 1;
    try {
      const found = await load();
      if (found && Object.hasOwn(found, this.#key)) this.#isSent = true;
      else if (found) this.#lacking += 1;
      return found;
    } finally {
      this.#underWay -= 1;
      for (const proceed of this.#waiting.splice(0)) proceed();
    }
  }
}
