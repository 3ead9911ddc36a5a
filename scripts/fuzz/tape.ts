/**
 * A source of choices: the bytes that fast-check made up. Zero is always the plainest choice, and a tape that has run out
 * gives zeros, so that a shorter tape with smaller bytes is a simpler case.
 */
export class Tape {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** A whole number from 0 up to a limit. Takes one byte of the tape, two for a limit above 256. */
  roll(limit: number): number {
    const high = limit > 256 ? this.#next() * 256 : 0;
    return (high + this.#next()) % limit;
  }

  /** One of some choices, the first one on an empty tape. */
  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.roll(choices.length)] ?? choices[0];
  }

  /** True once in so many times. */
  once(times: number): boolean {
    return this.roll(times) === times - 1;
  }

  #next(): number {
    const byte = this.#bytes[this.#at] ?? 0;
    this.#at += 1;
    return byte;
  }
}
