import { AnswerMemoryError } from '../../errors.ts';

/**
 * The memory that the responses of all upstreams take in this process, estimated: bodies that arrive, and what was parsed for
 * operations that have not ended.
 */
export class AnswerMemory {
  readonly #maxBytes: number;
  #heldBytes = 0;

  constructor(maxBytes = Infinity) {
    this.#maxBytes = maxBytes;
  }

  /** Takes memory, which has to be given back. Takes none and returns false when there is not enough left. */
  take(bytes: number): boolean {
    if (this.#heldBytes + bytes > this.#maxBytes) return false;
    this.#heldBytes += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#heldBytes -= bytes;
  }
}

/** The memory of one parsed response, until the last operation that shares it has ended. */
export class HeldAnswer {
  readonly #memory: AnswerMemory;
  #bytes = 0;
  #heldBytes = 0;
  #users = 0;

  constructor(memory: AnswerMemory) {
    this.#memory = memory;
  }

  /** The memory that the response takes, estimated. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @throws AnswerMemoryError when there is not enough memory left */
  readonly hold = (bytes: number): void => {
    this.#bytes += bytes;
    if (this.#users === 0) return; // nobody reads the response any more
    if (!this.#memory.take(bytes)) throw new AnswerMemoryError();
    this.#heldBytes += bytes;
  };

  join(): void {
    this.#users += 1;
  }

  leave(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    this.#memory.give(this.#heldBytes);
    this.#heldBytes = 0;
  }
}
