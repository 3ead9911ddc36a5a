import { LRUCache } from 'lru-cache';
import type { ResponseHead } from '../transport/messages.ts';
import type { Keepable, KeptAnswer, Validator } from '../requests.ts';

/** For how long answers are of use, in milliseconds. */
export interface AnswerTimes {
  /** An answer this young is used without a call. */
  readonly ttlMs: number;
  /** A list this young is used for the pages that follow one that was cut from it. */
  readonly pageMs: number;
  /** Idle timeout: an answer that is not read for this long is dropped. */
  readonly idleMs: number;
}

/** Counts of the cache since the start of the process. */
export interface AnswerCacheCounts {
  /** Reads that made no call. */
  readonly hits: number;
  /** Reads whose call told that the kept answer still holds. */
  readonly revalidated: number;
  /** Other reads that might have been answered from the cache. */
  readonly misses: number;
  /** Answers that were dropped because a write may have made them stale. */
  readonly dropped: number;
  /** The estimated memory of the answers that are kept. */
  readonly bytes: number;
}

/** Memory of an entry besides its body and its key, in bytes. */
const ENTRY_BYTES = 1_000;

/**
 * For each byte of a response, besides its body: its text, of which those of XML elements are parts, and results of list rules.
 *
 * @internal exported for the tests
 */
export const MEMORY_PER_BYTE = 2;

/** The memory of the kept answers of all APIs. The answer that was used longest ago goes first. */
export class AnswerMemory {
  readonly maxBytes: number;
  readonly #entries: LRUCache<object, () => void>;

  /** @param maxBytes 1 at least */
  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
    this.#entries = new LRUCache<object, () => void>({
      maxSize: maxBytes,
      dispose: (forget, _entry, reason) => {
        if (reason === 'evict') forget();
      },
    });
  }

  /** @param forget called when the entry has to go. @returns false when it is larger than the memory */
  add(entry: object, bytes: number, forget: () => void): boolean {
    this.#entries.set(entry, forget, { size: bytes });
    return this.#entries.has(entry);
  }

  use(entry: object): void {
    this.#entries.get(entry);
  }

  remove(entry: object): void {
    this.#entries.delete(entry);
  }
}

/** The kept answers of one credential, by the path of the request. */
type Answers<Body> = Map<string, KeptAnswer<Body>>;

/**
 * The answers of one API to whole reads, for the life of the process, by the hash of the credential and the path of the
 * request. Holds parsed bodies, which no operation changes once they are decoded.
 *
 * @see docs/decisions/0043-answers-are-kept-by-generation.md, 0054-kept-answers-are-revalidated.md
 */
export class AnswerCache<Body> {
  readonly times: AnswerTimes;
  readonly #memory: AnswerMemory;
  readonly #now: () => number;
  readonly #answers = new Map<string, Answers<Body>>();
  readonly #counts = { hits: 0, revalidated: 0, misses: 0, dropped: 0 };
  #bytes = 0;
  #purge: NodeJS.Timeout | undefined;

  /** @param now the clock, in milliseconds */
  constructor(times: AnswerTimes, memory: AnswerMemory, now: () => number = () => performance.now()) {
    this.times = times;
    this.#memory = memory;
    this.#now = now;
  }

  get counts(): AnswerCacheCounts {
    return { ...this.#counts, bytes: this.#bytes };
  }

  get isEmpty(): boolean {
    return this.#answers.size === 0;
  }

  now(): number {
    return this.#now();
  }

  count(outcome: 'hits' | 'revalidated' | 'misses' | 'dropped'): void {
    this.#counts[outcome] += 1;
  }

  find(credential: string, path: string): KeptAnswer<Body> | undefined {
    const kept = this.#answers.get(credential)?.get(path);
    if (!kept || this.#now() < this.#endOf(kept)) return kept;
    this.#remove(credential, path, kept);
    return undefined;
  }

  /** Notes that an answer was asked for. */
  use(kept: KeptAnswer<Body>): void {
    kept.usedAt = this.#now();
    this.#memory.use(kept);
  }

  /** Keeps an answer instead of an older one. */
  keep(credential: string, path: string, answer: Keepable<Body>): void {
    const memory = answer.parsed.memory + answer.bytes * MEMORY_PER_BYTE + 2 * path.length + ENTRY_BYTES;
    this.#set(credential, path, { ...answer, memory, usedAt: this.#now() });
  }

  /** Keeps an answer that upstream has just said still holds. */
  renew(
    credential: string,
    path: string,
    kept: KeptAnswer<Body>,
    { generation, readAt }: Pick<Keepable<Body>, 'generation' | 'readAt'>,
  ): void {
    this.#set(credential, path, { ...kept, generation, readAt, usedAt: this.#now() });
  }

  #set(credential: string, path: string, kept: KeptAnswer<Body>): void {
    const known = this.#answers.get(credential)?.get(path);
    if (known && known.readAt > kept.readAt) return; // its call has overtaken this one
    this.remove(credential, path);
    const answers = this.#answers.get(credential) ?? new Map<string, KeptAnswer<Body>>();
    answers.set(path, kept);
    this.#answers.set(credential, answers);
    this.#bytes += kept.memory;
    const forget = () => this.#forget(credential, path, kept);
    if (!this.#memory.add(kept, kept.memory, forget)) forget();
    this.#purgeLater();
  }

  remove(credential: string, path: string): void {
    const kept = this.#answers.get(credential)?.get(path);
    if (kept) this.#remove(credential, path, kept);
  }

  #remove(credential: string, path: string, kept: KeptAnswer<Body>): void {
    this.#memory.remove(kept);
    this.#forget(credential, path, kept);
  }

  /** Forgets all answers of a credential. */
  removeAll(credential: string): void {
    for (const path of [...(this.#answers.get(credential)?.keys() ?? [])]) this.remove(credential, path);
  }

  /** Forgets all answers. */
  clear(): void {
    clearTimeout(this.#purge);
    this.#purge = undefined;
    for (const credential of [...this.#answers.keys()]) this.removeAll(credential);
  }

  #forget(credential: string, path: string, kept: KeptAnswer<Body>): void {
    const answers = this.#answers.get(credential);
    if (answers?.get(path) !== kept) return;
    answers.delete(path);
    if (answers.size === 0) this.#answers.delete(credential);
    this.#bytes -= kept.memory;
  }

  /** Frees the memory of answers that nobody asks for again. */
  #purgeLater(): void {
    const { ttlMs, pageMs, idleMs } = this.times;
    const times = [ttlMs, pageMs, idleMs].filter((ms) => ms > 0);
    this.#purge ??= setTimeout(
      () => {
        this.#purge = undefined;
        this.#purgeNow();
        if (!this.isEmpty) this.#purgeLater();
      },
      Math.min(...times),
    ).unref();
  }

  #purgeNow(): void {
    const now = this.#now();
    for (const [credential, answers] of [...this.#answers]) {
      for (const [path, kept] of [...answers]) if (now >= this.#endOf(kept)) this.remove(credential, path);
    }
  }

  #endOf({ readAt, usedAt, validator }: KeptAnswer<Body>): number {
    const { ttlMs, pageMs, idleMs } = this.times;
    const idleEnd = usedAt + idleMs;
    return validator ? idleEnd : Math.min(idleEnd, readAt + Math.max(ttlMs, pageMs));
  }
}

/** An entity tag, weak or strong. A longer one is not worth its memory. */
const ETAG = /^(?:W\/)?"[\x21\x23-\x7e]{0,512}"$/;

/** A record may change twice within a second, and be read between: then its time tells nothing (RFC 9110, 8.8.2.2). */
const SETTLED_MS = 2_000;

/** The validator of an answer. Undefined without one that holds. */
export function validatorOf({ etag, lastModified, date }: ResponseHead): Validator | undefined {
  if (ETAG.test(etag)) return { etag };
  if (lastModified === '' || lastModified.length > 64) return undefined;
  return Date.parse(date) - Date.parse(lastModified) >= SETTLED_MS ? { lastModified } : undefined;
}

/** The header that asks whether an answer has changed. */
export function conditionOf(validator: Validator): Readonly<Record<string, string>> {
  if ('etag' in validator) return { 'if-none-match': validator.etag };
  return { 'if-modified-since': validator.lastModified };
}

/** Whether upstream forbids to keep an answer. */
export function forbidsKeeping({ cacheControl }: ResponseHead): boolean {
  if (cacheControl === '') return false;
  return cacheControl.split(',').some((directive) => directive.trim().toLowerCase() === 'no-store');
}

/**
 * The lists that an operation has read, until it is known whether a page may follow: one can, once a cursor was given out.
 * Lists of which nobody has a cursor are not kept, which costs nothing then.
 */
export class PageLists {
  #isContinued = false;
  readonly #keeping: (() => void)[] = [];

  /** Adds a list. @param keep keeps it for pages that follow; called once a cursor was given out, or never */
  add(keep: () => void): void {
    if (this.#isContinued) keep();
    else this.#keeping.push(keep);
  }

  /** Notes that a cursor is given out. */
  onCursor(): void {
    this.#isContinued = true;
    for (const keep of this.#keeping.splice(0)) keep();
  }
}
