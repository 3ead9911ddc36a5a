import { createHmac, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Get, Parsed, Received } from '../transport/exchange.ts';
import type { ByteLimit } from '../transport/messages.ts';
import type { OperationGenerations } from './generations.ts';

export interface AnswerCacheOptions {
  /** How long an answer is kept, in milliseconds. */
  readonly ttlMs: number;
  /** Memory for all answers. The one that was used longest ago goes first. */
  readonly maxBytes: number;
  /** The subjects that the answers of each endpoint show, by method and template. Answers of other endpoints are not kept. */
  readonly reads: ReadonlyMap<string, readonly string[]>;
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
 * The answers of one API to whole reads, for the life of the process, by the credential and the URL of the request. Holds a
 * keyed hash of the credential, and parsed bodies, which no operation changes once they are decoded.
 *
 * @see docs/decisions/0043-answers-are-kept-by-generation.md
 */
export class AnswerCache<Body> {
  readonly #options: AnswerCacheOptions;
  readonly #now: () => number;
  readonly #hashKey = randomBytes(32);
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

  /** The subjects that the answers of an endpoint show. Undefined for answers that are not kept. */
  subjectsOf(endpoint: string): readonly string[] | undefined {
    return this.#options.reads.get(endpoint);
  }

  hash(credential: string): string {
    return createHmac('sha256', this.#hashKey).update(credential).digest('base64');
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

/** A read that is about to be sent, and whose answer may be kept. */
export interface KeepableRead<Body> {
  /** Looks at the response before it is parsed, which empties it. */
  weigh(received: Received<Body>): void;
  /** Keeps the parsed response, which can be decoded. */
  keep(parsed: Parsed<Body>): void;
}

/** The kept answers of one API as one operation uses them. */
export class CallerAnswers<Body> {
  readonly #cache: AnswerCache<Body>;
  readonly #generations: OperationGenerations;
  readonly #credential: () => string;
  readonly #isForbidden: () => boolean;
  #hash: string | undefined;

  /**
   * @param credential returns the credential of the operation's requests to this API, which differ from those of other
   *   callers by nothing else
   * @param isForbidden whether the operation writes: its reads have calls of their own, whose answers are not kept
   */
  constructor(
    cache: AnswerCache<Body>,
    generations: OperationGenerations,
    credential: () => string,
    isForbidden: () => boolean,
  ) {
    this.#cache = cache;
    this.#generations = generations;
    this.#credential = credential;
    this.#isForbidden = isForbidden;
  }

  /** Resolves when `find` knows which answers are stale. Undefined when it does. */
  ready(): Promise<void> | undefined {
    return this.#isForbidden() ? undefined : this.#generations.ready();
  }

  /** Whether a read is answered without a call. */
  has(request: Get, limit: ByteLimit): boolean {
    return this.#lookUp(request, limit) !== undefined;
  }

  /** The answer to a read. Undefined when there is none that may be used, or it is larger than the limit. */
  find(request: Get, limit: ByteLimit): { readonly parsed: Parsed<Body>; readonly bytes: number } | undefined {
    const found = this.#lookUp(request, limit);
    if (found || this.#generationOf(request) !== undefined) this.#cache.count(found ? 'hits' : 'misses');
    return found;
  }

  /** Notes the generation in which a call begins. Undefined when its answer must not be kept. */
  begin(request: Get): KeepableRead<Body> | undefined {
    const generation = this.#generationOf(request);
    if (generation === undefined) return undefined;
    const expiresAt = this.#cache.expiry();
    let bytes: number | undefined;
    let memory = 0;
    return {
      weigh: (received) => {
        // A call that another operation began may be older than a write.
        if (!received.isOwnCall || received.answer.status !== 200) return;
        bytes = received.answer.body.reduce((sum, { length }) => sum + length, 0);
        memory = this.#cache.memoryOf(received);
      },
      keep: (parsed) => {
        const isCurrent = this.#generationOf(request) === generation; // else a write has begun or ended meanwhile
        if (bytes === undefined || !isCurrent) return;
        this.#cache.keep(this.#key(request), memory, { parsed, bytes, generation, expiresAt });
      },
    };
  }

  #lookUp(request: Get, limit: ByteLimit) {
    const generation = this.#generationOf(request);
    const kept = generation === undefined ? undefined : this.#cache.find(this.#key(request), generation);
    return kept && kept.bytes <= limit.bytes ? kept : undefined;
  }

  /** Undefined for a request whose answer is neither kept nor looked for. */
  #generationOf({ path }: Get): string | undefined {
    if (this.#isForbidden()) return undefined;
    const subjects = this.#cache.subjectsOf(`GET ${path.template}`);
    return subjects && this.#generations.of(subjects);
  }

  #key({ path }: Get): string {
    this.#hash ??= this.#cache.hash(this.#credential());
    return `${this.#hash} ${path.bare ?? path.path}`;
  }
}
