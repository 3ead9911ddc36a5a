import type { Logger } from 'pino';
import type { KeptName } from './receipts.ts';

/** How long an end is told again until it is taken, in milliseconds. */
export const UNTOLD_MS = 600_000;

/** The wait before the ends are told again, in milliseconds. */
const RETRY_MS = 250;

/** How many of them are told at the same time. */
const AT_ONCE = 50;

/** An end takes 1.5 KB at most: it holds hashes and an id. */
const MAX_ENDS = 5_000;

/** An end as Redis takes it. */
export interface ToldEnd {
  readonly name: KeptName;
  readonly attempt: string;
  /** As of `endScript`. */
  readonly state: 'A' | 'U' | 'R' | 'W';
  readonly id: string | undefined;
  readonly endedAt: number | undefined;
}

/** The ends of attempts that Redis did not take. They are told again until it does, for ten minutes. */
export class UntoldEnds {
  readonly #tellOne: (end: ToldEnd) => Promise<boolean>;
  readonly #log: Logger;
  /** By attempt. */
  readonly #ends = new Map<string, { readonly end: ToldEnd; readonly until: number }>();
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;
  #hasDropped = false;

  /** @param tell tells an end, and whether it was taken */
  constructor(tell: (end: ToldEnd) => Promise<boolean>, log: Logger) {
    this.#tellOne = tell;
    this.#log = log;
  }

  get size(): number {
    return this.#ends.size;
  }

  /** Keeps an end to tell it again, in place of an earlier one of the same attempt. */
  add(end: ToldEnd): void {
    this.drop(end.attempt);
    if (this.#ends.size >= MAX_ENDS) {
      if (!this.#hasDropped) this.#log.warn('too many ends of writes wait for redis: further ones are UNKNOWN');
      this.#hasDropped = true;
      return;
    }
    this.#ends.set(end.attempt, { end, until: performance.now() + UNTOLD_MS });
    this.#retryLater();
  }

  /** Forgets the end of an attempt. @returns whether there was one */
  drop(attempt: string): boolean {
    return this.#ends.delete(attempt);
  }

  /** Tells the ends of a write that are not told yet. @returns whether there are none left */
  async tellOf({ key, place }: KeptName): Promise<boolean> {
    if (this.#ends.size === 0) return true;
    return this.#tell(this.#all().filter(({ name }) => name.key === key && name.place === place));
  }

  /** Tells all of them once more, as long as they are taken. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.#tellAll();
  }

  #retryLater(): void {
    if (this.#isClosed) return;
    this.#retry ??= setTimeout(() => {
      void this.#tellAll().then(() => {
        this.#retry = undefined;
        if (this.#ends.size > 0) this.#retryLater();
      });
    }, RETRY_MS).unref();
  }

  async #tellAll(): Promise<void> {
    const now = performance.now();
    for (const { end, until } of this.#ends.values()) if (until <= now) this.drop(end.attempt);
    const untold = this.#all();
    for (let index = 0; index < untold.length; index += AT_ONCE) {
      if (!(await this.#tell(untold.slice(index, index + AT_ONCE)))) return;
    }
    this.#hasDropped = false;
  }

  #all(): ToldEnd[] {
    return Array.from(this.#ends.values(), ({ end }) => end);
  }

  async #tell(untold: readonly ToldEnd[]): Promise<boolean> {
    const taken = await Promise.all(
      untold.map(async (end) => {
        const isTaken = await this.#tellOne(end);
        // Another end of the attempt may have taken its place.
        if (isTaken && this.#ends.get(end.attempt)?.end === end) this.drop(end.attempt);
        return isTaken;
      }),
    );
    return taken.every(Boolean);
  }
}
