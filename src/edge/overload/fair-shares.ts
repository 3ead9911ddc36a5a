/** The number of hash buckets. Callers that collide share a quota. */
const CALLERS = 1024;

/** The counts shrink by a tenth in each tick, in milliseconds: those of a second ago are a third of what they were. */
const TICK_MS = 100;
const LEFT_IN_A_TICK = 0.9;

/** Ticks without a request after which nothing of the counts is left. */
const ALL_TICKS = 40;

/** A caller asks for little when it asks for less than this part of its share. */
const SMALL = 0.75;

/** How a caller stands: it asks for little, it has some of its share left, or it has none. */
export type Share = 'small' | 'left' | 'exceeded';

/**
 * Divides requests that may begin among callers. Callers that ask for less than an equal share get all that they ask for, and
 * the others divide the rest equally. The memory does not grow with the number of callers.
 */
export class FairShares {
  /** The number of requests that have begun, of all callers: what there is to divide. `Overload` counts them here; it decays with each tick. */
  begun = 0;
  /** The requests of each caller: those that came, and those that may begin. */
  readonly #asked: Float64Array;
  readonly #taken: Float64Array;
  /** How many requests of one caller may begin. */
  #limit = Infinity;
  #lastTick = -Infinity;

  constructor(callers = CALLERS) {
    this.#asked = new Float64Array(callers);
    this.#taken = new Float64Array(callers);
  }

  /**
   * Counts a request that comes.
   *
   * @param caller any whole number, the same for each request of the caller
   * @param now the time in milliseconds
   */
  ask(caller: number, now: number): Share {
    const ticks = Math.floor((now - this.#lastTick) / TICK_MS);
    if (ticks > 0) this.#tick(ticks, now);
    const index = this.#count(this.#asked, caller);
    if ((this.#taken[index] ?? 0) >= this.#limit) return 'exceeded';
    return this.#limit !== Infinity && (this.#asked[index] ?? 0) <= SMALL * this.#limit ? 'small' : 'left';
  }

  /** Counts a request of a caller that may begin. */
  take(caller: number): void {
    this.#count(this.#taken, caller);
  }

  #count(counts: Float64Array, caller: number): number {
    const index = caller % counts.length;
    counts[index] = (counts[index] ?? 0) + 1;
    return index;
  }

  #tick(ticks: number, now: number): void {
    const left = ticks < ALL_TICKS ? LEFT_IN_A_TICK ** ticks : 0;
    this.#limit = left === 0 ? Infinity : equalShare(this.#asked, this.begun);
    for (const counts of [this.#asked, this.#taken]) {
      for (let index = 0; index < counts.length; index++) counts[index] = (counts[index] ?? 0) * left;
    }
    this.begun *= left;
    this.#limit *= left || 1;
    this.#lastTick = left === 0 ? now : this.#lastTick + ticks * TICK_MS;
  }
}

/** The most that one caller may take. Infinity when there is enough for all. */
function equalShare(asked: Float64Array, capacity: number): number {
  const ascending = asked.filter((count) => count > 0.01).sort();
  let left = capacity;
  for (const [index, count] of ascending.entries()) {
    const share = left / (ascending.length - index);
    if (count > share) return share;
    left -= count;
  }
  return Infinity;
}
