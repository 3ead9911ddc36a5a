/**
 * What the answers of all upstreams take of the memory of the process, estimated: bodies that arrive, and what was parsed for
 * operations that have not ended.
 */
export class AnswerMemory {
  readonly maxBytes: number;
  #heldBytes = 0;

  constructor(maxBytes = Infinity) {
    this.maxBytes = maxBytes;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Takes memory, which has to be given back. False when there is not enough left: none is taken then. */
  take(bytes: number): boolean {
    if (this.#heldBytes + bytes > this.maxBytes) return false;
    this.#heldBytes += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#heldBytes -= bytes;
  }
}
