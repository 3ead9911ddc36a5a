import { LRUCache } from 'lru-cache';
import { byteLength } from '../../formats/utf8.ts';
import type { Get, Headers, Parsed } from '../requests.ts';
import type { Answer, ByteLimit, ResponseHead } from '../transport/messages.ts';
import { type Generation, isSameGeneration, type OperationGenerations } from './generations.ts';

/** For how long responses are of use, in milliseconds. */
export interface CacheTimes {
  /** A response this young is used without a call. */
  readonly ttlMs: number;
  /** A list this young is used for the pages that follow one that was cut from it. */
  readonly pageMs: number;
  /** Idle timeout: a response that is not read for this long is dropped. */
  readonly idleMs: number;
}

/** Counts of the cache since the start of the process. */
export interface CacheCounts {
  /** Reads that made no call. */
  readonly hits: number;
  /** Reads whose call told that the cached response still holds. */
  readonly revalidated: number;
  /** Other reads that might have been answered from the cache. */
  readonly misses: number;
  /** Responses that were dropped because a write may have made them stale. */
  readonly dropped: number;
  /** The estimated memory of the cached responses. */
  readonly bytes: number;
}

/** The validator of a response (RFC 9110, 8.8), which a conditional request sends back. */
export type Validator = { readonly etag: string } | { readonly lastModified: string };

/** A cached response. */
export interface CachedResponse<Body> {
  readonly parsed: Parsed<Body>;
  /** The size of the response. */
  readonly bytes: number;
  /** That in which its call began. */
  readonly generation: Generation;
  /** When its call began, or the last call that told that it still holds. */
  readonly readAt: number;
  /** Undefined when upstream cannot be asked whether it still holds. */
  readonly validator: Validator | undefined;
  readonly memory: number;
  /** When it was asked for last. */
  usedAt: number;
}

/** Memory of an entry besides its body and its key, in bytes. */
const ENTRY_BYTES = 1_000;

/**
 * For each byte of a response, besides its body: its text, of which those of XML elements are parts, and results of list rules.
 *
 * @internal exported for the tests
 */
export const MEMORY_PER_BYTE = 2;

/** The memory of the cached responses of all APIs. The one that was used longest ago goes first. */
export class CacheMemory {
  readonly #entries: LRUCache<object, () => void>;

  /** @param maxBytes 1 at least */
  constructor(maxBytes: number) {
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

/** Whose responses are looked for: the hash of a credential, and the generations as the operation sees them. */
export interface CacheUser {
  ownHash(): string;
  readonly generations: OperationGenerations | undefined;
}

/**
 * The responses of one API to whole reads, for the life of the process, by the hash of the credential and the path of the
 * request. Holds parsed bodies, which no operation changes once they are decoded.
 *
 * A response is used without a call for its time to live, asked about where it has a validator, and a list without one is used for
 * the pages that follow: three policies of `times`. None outlives a write that may have made it stale.
 *
 * @see docs/decisions/0043-answers-are-kept-by-generation.md, 0054-kept-answers-are-revalidated.md
 */
export class ResponseCache<Body> {
  readonly times: CacheTimes;
  readonly #memory: CacheMemory;
  readonly now: () => number;
  readonly #responses = new Map<string, Map<string, CachedResponse<Body>>>();
  readonly outcomes = { hits: 0, revalidated: 0, misses: 0, dropped: 0 };
  #bytes = 0;
  #purge: NodeJS.Timeout | undefined;

  /** @param now the clock, in milliseconds */
  constructor(times: CacheTimes, memory: CacheMemory, now: () => number = () => performance.now()) {
    this.times = times;
    this.#memory = memory;
    this.now = now;
  }

  get counts(): CacheCounts {
    return { ...this.outcomes, bytes: this.#bytes };
  }

  /** Whether a read has to wait until it is known what other gateways wrote. @param isList whether a list is read, or a record */
  trusts(isList: boolean): boolean {
    return this.times.ttlMs > 0 || (isList && this.times.pageMs > 0);
  }

  /**
   * Looks a read up: what is cached for it, what to ask upstream, and where to keep its response.
   *
   * @param generation that of what the response will show, now
   */
  lookup(user: CacheUser, request: Get, limit: ByteLimit, generation: Generation): Lookup<Body> {
    const lookup = new Lookup(this, user, request, generation);
    const found = this.#responses.size > 0 ? this.#find(user, request, generation) : undefined; // else no credential is hashed
    if (!found || found.bytes > limit.bytes) return lookup;
    const {
      validator,
      generation: { shared },
    } = found;
    const isSure = shared !== undefined && user.generations?.isKnown === true;
    const ageMs = isSure ? this.now() - found.readAt : Infinity;
    if (ageMs < this.times.ttlMs) lookup.hit = found;
    if (validator) lookup.asked = found;
    else if (ageMs < this.times.pageMs) lookup.pages = found;
    return lookup;
  }

  #find(user: CacheUser, request: Get, generation: Generation): CachedResponse<Body> | undefined {
    const [credential, path] = [user.ownHash(), keyOf(request)];
    const found = this.#responses.get(credential)?.get(path);
    if (!found) return undefined;
    const isStale = !isSameGeneration(found.generation, generation);
    if (!isStale && this.now() < this.#endOf(found)) return found;
    if (isStale) this.outcomes.dropped += 1;
    this.#remove(credential, path, found);
    return undefined;
  }

  /** Notes that a response is used without a call. */
  use(found: CachedResponse<Body>): void {
    this.outcomes.hits += 1;
    found.usedAt = this.now();
    this.#memory.use(found);
  }

  /** Keeps a response instead of an older one. */
  keep(credential: string, request: Get, kept: Omit<CachedResponse<Body>, 'memory' | 'usedAt'>): void {
    const path = keyOf(request);
    const memory = kept.parsed.memory + kept.bytes * MEMORY_PER_BYTE + 2 * path.length + ENTRY_BYTES;
    const known = this.#responses.get(credential)?.get(path);
    if (known && known.readAt > kept.readAt) return; // its call has overtaken this one
    if (known) this.#remove(credential, path, known);
    const responses = this.#responses.get(credential) ?? new Map<string, CachedResponse<Body>>();
    const response = { ...kept, memory, usedAt: this.now() };
    responses.set(path, response);
    this.#responses.set(credential, responses);
    this.#bytes += memory;
    const forget = () => this.#forget(credential, path, response);
    if (!this.#memory.add(response, memory, forget)) forget();
    this.#purgeLater();
  }

  /** Drops the response to a read: upstream has given another one. */
  drop(user: Pick<CacheUser, 'ownHash'>, request: Get): void {
    if (this.#responses.size === 0) return;
    const [credential, path] = [user.ownHash(), keyOf(request)];
    const found = this.#responses.get(credential)?.get(path);
    if (found) this.#remove(credential, path, found);
  }

  /** Drops what a refusal shows to hold no more: the response to the read, or all where the credential is refused. */
  dropRefused(user: Pick<CacheUser, 'ownHash'>, request: Get, status: number): void {
    if (status !== 401 && status !== 403) this.drop(user, request);
    else if (this.#responses.size > 0) this.#dropAll(user.ownHash());
  }

  #dropAll(credential: string): void {
    for (const [path, found] of [...(this.#responses.get(credential) ?? [])]) this.#remove(credential, path, found);
  }

  /** Drops all responses. */
  clear(): void {
    clearTimeout(this.#purge);
    this.#purge = undefined;
    for (const credential of [...this.#responses.keys()]) this.#dropAll(credential);
  }

  #remove(credential: string, path: string, found: CachedResponse<Body>): void {
    this.#memory.remove(found);
    this.#forget(credential, path, found);
  }

  #forget(credential: string, path: string, found: CachedResponse<Body>): void {
    const responses = this.#responses.get(credential);
    if (responses?.get(path) !== found) return;
    responses.delete(path);
    if (responses.size === 0) this.#responses.delete(credential);
    this.#bytes -= found.memory;
  }

  /** Frees the memory of responses that nobody asks for again. */
  #purgeLater(): void {
    const { ttlMs, pageMs, idleMs } = this.times;
    const times = [ttlMs, pageMs, idleMs].filter((ms) => ms > 0);
    this.#purge ??= setTimeout(
      () => {
        this.#purge = undefined;
        this.#purgeNow();
        if (this.#responses.size > 0) this.#purgeLater();
      },
      Math.min(...times),
    ).unref();
  }

  #purgeNow(): void {
    const now = this.now();
    for (const [credential, responses] of [...this.#responses]) {
      for (const [path, found] of [...responses]) if (now >= this.#endOf(found)) this.#remove(credential, path, found);
    }
  }

  #endOf({ readAt, usedAt, validator }: CachedResponse<Body>): number {
    const { ttlMs, pageMs, idleMs } = this.times;
    const idleEnd = usedAt + idleMs;
    return validator ? idleEnd : Math.min(idleEnd, readAt + Math.max(ttlMs, pageMs));
  }
}

/** The key of a read among the responses of its credential. */
function keyOf({ path }: Get): string {
  return path.bare ?? path.path;
}

/** One read and the cache: what was found for it, and where its response is kept. */
export class Lookup<Body> {
  /** The response that is used without a call. Undefined without one that is young enough. */
  hit: CachedResponse<Body> | undefined;
  /** The list that a page may go on in. Undefined when there is none that is young enough: upstream is asked then. */
  pages: CachedResponse<Body> | undefined;
  /** The response that upstream is asked about: the read costs a round trip, and no transfer. Undefined without one. */
  asked: CachedResponse<Body> | undefined;
  readonly #cache: ResponseCache<Body>;
  readonly #user: CacheUser;
  readonly #request: Get;
  readonly #generation: Generation;
  #readAt: number;
  /** Of a response that may be kept. */
  #response: { readonly bytes: number; readonly validator: Validator | undefined } | undefined;
  #isFirst = true;

  constructor(cache: ResponseCache<Body>, user: CacheUser, request: Get, generation: Generation) {
    this.#cache = cache;
    this.#user = user;
    this.#request = request;
    this.#generation = generation;
    this.#readAt = cache.now();
  }

  /**
   * Notes the response before it is parsed, which empties it.
   *
   * @param isFirst whether this operation is the first to handle it: of those that share a call one alone keeps its response
   * @param unchanged the cached response, where upstream says that it still holds
   * @param beganAt when a call began that other reads may have joined
   */
  receive(answer: Answer, isFirst: boolean, unchanged: CachedResponse<Body> | undefined, beganAt?: number): void {
    this.#isFirst = isFirst;
    this.#cache.outcomes[unchanged ? 'revalidated' : 'misses'] += 1;
    if (beganAt !== undefined) this.#readAt = beganAt;
    if (unchanged) {
      if (isFirst) this.#keep(unchanged);
      return;
    }
    const isForbidden = forbidsKeeping(answer);
    if (isForbidden || (isFirst && this.asked)) this.#cache.drop(this.#user, this.#request);
    if (answer.status !== 200 || isForbidden) return;
    this.#response = { bytes: byteLength(answer.body), validator: validatorOf(answer) };
  }

  /**
   * Keeps the parsed response, which can be decoded, where another read may be answered by it.
   *
   * @param pages the page lists of the operation, for a list: a later page may be cut from it
   */
  store(parsed: Parsed<Body>, pages?: PageLists): void {
    const response = this.#response && { ...this.#response, parsed };
    if (!response) return;
    const { ttlMs, pageMs } = this.#cache.times;
    if (this.#isFirst && (response.validator || ttlMs > 0)) this.#keep(response);
    else if (pageMs > 0 && !response.validator && this.#generation.shared !== undefined)
      pages?.add(() => this.#keep(response));
  }

  /** Keeps a response in the generation in which the read began: a write that has begun or ended since makes it stale. */
  #keep({ parsed, bytes, validator }: Pick<CachedResponse<Body>, 'parsed' | 'bytes' | 'validator'>): void {
    const response = { parsed, bytes, validator, generation: this.#generation, readAt: this.#readAt };
    this.#cache.keep(this.#user.ownHash(), this.#request, response);
  }
}

/** An entity tag, weak or strong. A longer one is not worth its memory. */
const ETAG = /^(?:W\/)?"[\x21\x23-\x7e]{0,512}"$/;

/** A record may change twice within a second, and be read between: then its time tells nothing (RFC 9110, 8.8.2.2). */
const SETTLED_MS = 2_000;

/** The validator of a response. Undefined without one that holds. */
function validatorOf({ etag, lastModified, date }: ResponseHead): Validator | undefined {
  if (ETAG.test(etag)) return { etag };
  if (lastModified === '' || lastModified.length > 64) return undefined;
  return Date.parse(date) - Date.parse(lastModified) >= SETTLED_MS ? { lastModified } : undefined;
}

/** The header that asks whether a response still holds. */
export function conditionOf(validator: Validator): Headers {
  return 'etag' in validator ? { 'if-none-match': validator.etag } : { 'if-modified-since': validator.lastModified };
}

/** Whether upstream forbids to keep a response. */
function forbidsKeeping({ cacheControl }: ResponseHead): boolean {
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
