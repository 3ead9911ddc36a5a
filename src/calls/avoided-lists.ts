import { LRUCache } from 'lru-cache';

/** Maximum number of entries; the least recently used one is evicted. */
const MAX_LISTS = 1_000;

/** Exponential backoff: the first period, doubled each time up to the last. Both in milliseconds. */
const AVOIDED_MS = 1_000;
const MAX_AVOIDED_MS = 60_000;

interface Avoided {
  readonly until: number;
  readonly ms: number;
}

/**
 * List endpoints that are not read instead of records by id for a while, because upstream refused the list, it was too large or too
 * slow, or it lacked the requested records. The first period is short: a list may have been slow because the whole API was.
 *
 * @see docs/decisions/0010-list-or-reads-by-id.md
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

  /** Starts or doubles the period of a list. No effect during a period: concurrent operations find the same failure. */
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
