import { LRUCache } from 'lru-cache';

/** Beyond so many lists, the one that was found to be of no use longest ago is forgotten. */
const MAX_LISTS = 1_000;

/** A list is avoided for the first time, and for twice as long each time after that, up to the second. Both in milliseconds. */
const AVOIDED_MS = 1_000;
const MAX_AVOIDED_MS = 60_000;

interface Avoided {
  readonly until: number;
  readonly ms: number;
}

/**
 * The lists that are not read instead of records by id for a while: they were refused, too large, too late, or lacked what was
 * wanted. At first that is a short while, as a list may have been late because upstream was.
 */
export class AvoidedLists {
  readonly #now: () => number;
  readonly #lists = new LRUCache<string, Avoided>({ maxSize: MAX_LISTS, sizeCalculation: () => 1 });

  /** @param now the clock, in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  get isEmpty(): boolean {
    return this.#lists.size === 0;
  }

  /** Avoids a list, unless it is avoided already: the reads that find it so may have begun together. */
  avoid(key: string): void {
    const now = this.#now();
    const last = this.#lists.get(key) ?? { until: -Infinity, ms: 0 };
    if (now < last.until) return;
    const isAgain = now < last.until + last.ms;
    const ms = isAgain ? Math.min(2 * last.ms, MAX_AVOIDED_MS) : AVOIDED_MS;
    this.#lists.set(key, { until: now + ms, ms });
  }

  has(key: string): boolean {
    const avoided = this.#lists.get(key);
    return avoided !== undefined && this.#now() < avoided.until;
  }
}
