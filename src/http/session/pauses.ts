import { createHmac, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Pause } from '../transport/admission.ts';

/** A pause is honoured up to this time; then upstream is asked again. */
const MAX_SECONDS = 60;

/** Beyond so many credentials the one that was not asked for longest is forgotten: its next call reaches upstream. */
const MAX_CREDENTIALS = 10_000;

/** The credentials that one API asked to pause, for the life of the process. Holds their keyed hashes alone. */
export class Pauses {
  readonly #now: () => number;
  readonly #hashKey = randomBytes(32);
  /** The end of each pause. */
  readonly #ends = new LRUCache<string, number>({ max: MAX_CREDENTIALS });
  #lastEnd = 0;

  /** @param now the clock, in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Begins a pause of so many seconds, which is cut to 60. A longer one under way stays. */
  begin(credential: string, seconds: number): void {
    const end = this.#now() + Math.min(seconds, MAX_SECONDS) * 1000;
    const hash = this.#hash(credential);
    this.#ends.set(hash, Math.max(end, this.#ends.get(hash) ?? 0));
    this.#lastEnd = Math.max(this.#lastEnd, end);
  }

  /** Seconds, rounded up, until the credential may be sent again. 0 without a pause. */
  secondsLeft(credential: () => string): number {
    const now = this.#now();
    if (now >= this.#lastEnd) {
      if (this.#ends.size > 0) this.#ends.clear();
      return 0; // the usual case costs no hash
    }
    const end = this.#ends.get(this.#hash(credential())) ?? 0;
    return Math.max(0, Math.ceil((end - now) / 1000));
  }

  #hash(credential: string): string {
    return createHmac('sha256', this.#hashKey).update(credential).digest('base64');
  }
}

/** The pause of one caller at one API. */
export class CallerPause implements Pause {
  readonly #pauses: Pauses;
  readonly #credential: () => string;

  /** @param credential returns the credential of the caller's requests to this API */
  constructor(pauses: Pauses, credential: () => string) {
    this.#pauses = pauses;
    this.#credential = credential;
  }

  begin(seconds: number): void {
    this.#pauses.begin(this.#credential(), seconds);
  }

  get secondsLeft(): number {
    return this.#pauses.secondsLeft(this.#credential);
  }
}
