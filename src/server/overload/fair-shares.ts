/** Callers are told apart by so many numbers. Two that have the same number share. */
const CALLERS = 1024;

/** Shares are computed from the requests of the last window, in milliseconds. */
const WINDOW_MS = 250;

/** How a caller stands: it asks for less than half of its share, it has some of it left, or it has none. */
export type Share = 'small' | 'left' | 'exceeded';

/**
 * Divides requests that may begin among callers. Callers that ask for less than an equal share get all that they ask for, and
 * the others divide the rest equally. The memory does not grow with the number of callers.
 */
export class FairShares {
  readonly #callers: number;
  /** The requests of each caller: in this window, in the last one, and those of this window that began. */
  #asked: Uint32Array;
  #askedBefore: Uint32Array;
  readonly #begun: Uint32Array;
  #allBegun = 0;
  /** How many requests of one caller may begin in a window. */
  #limit = Infinity;
  #windowStart = 0;

  constructor(callers = CALLERS) {
    this.#callers = callers;
    this.#asked = new Uint32Array(callers);
    this.#askedBefore = new Uint32Array(callers);
    this.#begun = new Uint32Array(callers);
  }

  /** Forgets all callers. */
  start(now: number): void {
    this.#asked.fill(0);
    this.#nextWindow(now);
    this.#limit = Infinity;
  }

  /**
   * Counts a request.
   *
   * @param caller any whole number that stands for the caller
   * @param now the time in milliseconds
   */
  ask(caller: number, now: number): Share {
    const windowMs = now - this.#windowStart;
    if (windowMs >= WINDOW_MS) {
      this.#limit = equalShare(this.#asked, (this.#allBegun * WINDOW_MS) / windowMs);
      this.#nextWindow(now);
    }
    const index = caller % this.#callers;
    const asked = (this.#asked[index] ?? 0) + 1;
    this.#asked[index] = asked;
    const begun = this.#begun[index] ?? 0;
    // The share accrues during the window: a caller that sends at once what it has would take the turns of all others.
    const accrued = this.#limit * (0.2 + (now - this.#windowStart) / WINDOW_MS);
    if (begun > accrued) return 'exceeded';
    const isSmall = Math.max(asked, this.#askedBefore[index] ?? 0) <= this.#limit / 2;
    return isSmall && this.#limit !== Infinity ? 'small' : 'left';
  }

  /** Counts a request that begins. */
  take(caller: number): void {
    const index = caller % this.#callers;
    this.#begun[index] = (this.#begun[index] ?? 0) + 1;
    this.#allBegun += 1;
  }

  #nextWindow(now: number): void {
    [this.#asked, this.#askedBefore] = [this.#askedBefore, this.#asked];
    this.#asked.fill(0);
    this.#begun.fill(0);
    this.#allBegun = 0;
    this.#windowStart = now;
  }
}

/** The most that one caller may take. Infinity when there is enough for all. */
function equalShare(asked: Uint32Array, capacity: number): number {
  const ascending = asked.filter((count) => count > 0).sort();
  let left = capacity;
  for (const [index, count] of ascending.entries()) {
    const share = left / (ascending.length - index);
    if (count > share) return share;
    left -= count;
  }
  return Infinity;
}
