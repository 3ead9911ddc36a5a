import { wholeNumber } from '../../config/setting.ts';

/** How many operations callers may send. */
export const rateSettings = {
  RATE_LIMIT: wholeNumber(
    0,
    0,
    100_000_000,
    'Operations a minute for each credential, and each address unless RATE_LIMIT_ADDRESS is set; 0: any number.',
  ),
  RATE_LIMIT_ADDRESS: wholeNumber(
    0,
    0,
    100_000_000,
    'Operations a minute for each client address (IPv6: each /64 network), see TRUST_PROXY; 0: as RATE_LIMIT.',
  ),
};

/** The length of the windows in which operations are counted. The window of a key begins with its first operation. */
export const WINDOW_SECONDS = 60;

/** The count of a key. */
export interface Count {
  /** How many operations since the window began. */
  readonly used: number;
  /** Milliseconds until the window ends. */
  readonly msLeft: number;
}

/** Counts the operations of several processes. */
export interface SharedCounts {
  /**
   * Counts one operation for each key.
   *
   * @returns the counts in the order of the keys; undefined when they cannot be had in time
   */
  count(keys: readonly string[]): Promise<readonly Count[] | undefined>;
}

/** The number of keys that are kept, in about 20 MB. With more, the windows that began first are forgotten. */
const MAX_KEYS = 100_000;

interface Window {
  used: number;
  endsAt: number;
}

/** The counts of one process. Times are in milliseconds, from any start. */
export class WindowCounts {
  readonly #maxKeys: number;
  /** In the order in which the windows began. */
  readonly #windows = new Map<string, Window>();

  constructor(maxKeys = MAX_KEYS) {
    this.#maxKeys = maxKeys;
  }

  /** Counts an operation. */
  count(key: string, now: number): Count {
    const window = this.#current(key, now);
    if (!window) return this.learn(key, { used: 1, msLeft: WINDOW_SECONDS * 1_000 }, now);
    window.used += 1;
    return { used: window.used, msLeft: window.endsAt - now };
  }

  /** The count of a key so far. */
  get(key: string, now: number): Count {
    const window = this.#current(key, now);
    return window ? { used: window.used, msLeft: window.endsAt - now } : NONE;
  }

  /** Takes over a count that is known from elsewhere. */
  learn(key: string, count: Count, now: number): Count {
    const window = this.#current(key, now);
    if (window) {
      window.used = count.used;
      window.endsAt = now + count.msLeft;
    } else {
      this.#windows.delete(key); // one that has ended gives up its place
      this.#windows.set(key, { used: count.used, endsAt: now + count.msLeft });
      this.#forget(now);
    }
    return count;
  }

  #current(key: string, now: number): Window | undefined {
    const window = this.#windows.get(key);
    return window && window.endsAt > now ? window : undefined;
  }

  /** Removes the oldest windows: those that have ended, a few at a time, and those beyond the bound. */
  #forget(now: number): void {
    let ended = 2;
    for (const [key, { endsAt }] of this.#windows) {
      const isOver = endsAt <= now && ended-- > 0;
      if (!isOver && this.#windows.size <= this.#maxKeys) return;
      this.#windows.delete(key);
    }
  }
}

const NONE: Count = { used: 0, msLeft: 0 };
