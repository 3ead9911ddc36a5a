import { LRUCache } from 'lru-cache';
import type { Parsed, Received } from './requests.ts';

export interface AnswerCacheOptions {
  /** How long an answer is kept, in milliseconds. */
  readonly ttlMs: number;
  /** Memory for all answers. The one that was used longest ago goes first. */
  readonly maxBytes: number;
  /** Returns an upper bound of the memory that a parsed body takes, in bytes. */
  readonly memoryOf: (body: readonly Uint8Array[]) => number;
  /** The clock, in milliseconds. */
  readonly now?: () => number;
}

/** Counts of the cache since the start of the process. */
export interface AnswerCacheCounts {
  readonly hits: number;
  /** Reads that might have been answered from the cache, and were not. */
  readonly misses: number;
  /** Answers that were dropped because a write may have made them stale. */
  readonly dropped: number;
  /** The estimated memory of the answers that are kept. */
  readonly bytes: number;
}

interface KeptAnswer<Body> {
  readonly parsed: Parsed<Body>;
  /** The size of the response. */
  readonly bytes: number;
  readonly generation: string;
  /** By the clock of the cache. */
  readonly expiresAt: number;
}

/** Memory of an entry besides its body and its key, in bytes. */
const ENTRY_BYTES = 400;

/**
 * The answers of one API to whole reads, for the life of the process, by the hash of the credential and the URL of the
 * request. Holds parsed bodies, which no operation changes once they are decoded.
 *
 * @see docs/decisions/0043-answers-are-kept-by-generation.md
 */
export class AnswerCache<Body> {
  readonly #options: AnswerCacheOptions;
  readonly #now: () => number;
  readonly #answers: LRUCache<string, KeptAnswer<Body>>;
  readonly #counts = { hits: 0, misses: 0, dropped: 0 };
  #purge: NodeJS.Timeout | undefined;

  constructor(options: AnswerCacheOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#answers = new LRUCache({ maxSize: options.maxBytes });
  }

  get counts(): AnswerCacheCounts {
    return { ...this.#counts, bytes: this.#answers.calculatedSize };
  }

  /** The end of an answer whose call begins now. */
  expiry(): number {
    return this.#now() + this.#options.ttlMs;
  }

  /** Returns an upper bound of the memory of a response that was not parsed yet. */
  memoryOf({ answer }: Received<Body>): number {
    return this.#options.memoryOf(answer.body);
  }

  find(key: string, generation: string): KeptAnswer<Body> | undefined {
    const kept = this.#answers.get(key);
    if (!kept) return undefined;
    if (kept.generation === generation && this.#now() < kept.expiresAt) return kept;
    if (kept.generation !== generation) this.#counts.dropped += 1;
    this.#answers.delete(key);
    return undefined;
  }

  count(outcome: 'hits' | 'misses'): void {
    this.#counts[outcome] += 1;
  }

  /** @param memory an upper bound of that of the parsed body, in bytes */
  keep(key: string, memory: number, answer: KeptAnswer<Body>): void {
    this.#answers.set(key, answer, { size: memory + 2 * key.length + ENTRY_BYTES });
    this.#purgeLater();
  }

  /** Forgets all answers. */
  clear(): void {
    clearTimeout(this.#purge);
    this.#answers.clear();
  }

  /** Frees the memory of answers that nobody asks for again. */
  #purgeLater(): void {
    this.#purge ??= setTimeout(() => {
      this.#purge = undefined;
      const now = this.#now();
      const expired = [...this.#answers].filter(([, { expiresAt }]) => expiresAt <= now);
      for (const [key] of expired) this.#answers.delete(key);
      if (this.#answers.size > 0) this.#purgeLater();
    }, this.#options.ttlMs).unref();
  }
}
