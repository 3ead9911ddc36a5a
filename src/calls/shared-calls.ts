import type { CachedResponse } from './cache/response-cache.ts';
import type { HeldAnswer } from './transport/answer-memory.ts';
import type { Call } from './transport/call.ts';

/** A read joins no call that was sent longer ago than four times the usual duration of its endpoint, or than a second: it may hang. */
const JOINABLE_TIMES = 4;
const MAX_JOINABLE_MS = 1_000;

/** The weight of the newest duration in the moving mean. */
const DURATION_WEIGHT = 0.2;

/** A call under way that identical reads may join, and its parsed response. */
export interface SharedCall<Body> {
  readonly call: Call;
  /** When it began, in milliseconds of the clock. */
  readonly beganAt: number;
  /** The cached response that the call asks about. */
  readonly asked: CachedResponse<Body> | undefined;
  /** Whether an operation has handled the result. The operation that started the call may have been aborted. */
  isJudged: boolean;
  /** The body, once somebody has begun to parse it: parsing empties the response. A promise for a body that takes long to parse. */
  parsed: { readonly body: Body | Promise<Body> } | undefined;
  /** The memory of the parsed body. Undefined until somebody parses it. */
  held: HeldAnswer | undefined;
}

/**
 * A read in the map of its credential. The entry is emptied when the call is over: V8 chains the old tables of a map whose entries
 * come and go, and what they hold stays alive until the next collection of everything.
 */
interface Entry<Body> {
  shared: SharedCall<Body> | undefined;
}

/**
 * The reads of one API that are under way, by their credentials, which live as long as their calls. Only calls under way are
 * shared, never responses: a call is forgotten before anybody learns how it ended.
 *
 * @see docs/decisions/0026-shared-reads.md
 */
export class SharedCalls<Body> {
  readonly #now: () => number;
  readonly #underWay = new Map<string, Map<string, Entry<Body>>>();
  /** The usual duration of a call in milliseconds, by endpoint. Endpoints are literals of the code, so there are few. */
  readonly #usualMs = new Map<string, number>();
  #joined = 0;

  /** @param now the clock, in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** How many reads have joined a call until now. */
  get joined(): number {
    return this.#joined;
  }

  /** How many calls may be joined. */
  get size(): number {
    return [...this.#underWay.values()].reduce((sum, reads) => sum + reads.size, 0);
  }

  /** Learns how long a call of an endpoint took, in milliseconds. */
  learn(endpoint: string, ms: number): void {
    const usual = this.#usualMs.get(endpoint) ?? ms;
    this.#usualMs.set(endpoint, usual + (ms - usual) * DURATION_WEIGHT);
  }

  /** The call of an identical read of the same credential that does not seem to hang. Undefined when there is none. */
  join(credential: string, key: string, endpoint: string): SharedCall<Body> | undefined {
    const shared = this.#underWay.get(credential)?.get(key)?.shared;
    if (!shared || !this.#mayJoin(shared.call, endpoint)) return undefined;
    this.#joined += 1;
    return shared;
  }

  #mayJoin(call: Call, endpoint: string): boolean {
    const usual = this.#usualMs.get(endpoint) ?? MAX_JOINABLE_MS;
    return call.ageAt(this.#now()) <= Math.min(usual * JOINABLE_TIMES, MAX_JOINABLE_MS);
  }

  /**
   * Starts a call that identical reads may join until it is over.
   *
   * @param asked the cached response that the call asks about
   * @param open makes the call, which calls `onOver` when it is over
   */
  start(
    credential: string,
    key: string,
    asked: CachedResponse<Body> | undefined,
    open: (onOver: () => void) => Call,
  ): SharedCall<Body> {
    const reads = this.#underWay.get(credential) ?? new Map<string, Entry<Body>>();
    this.#underWay.set(credential, reads);
    const entry: Entry<Body> = { shared: undefined };
    const onOver = () => {
      entry.shared = undefined;
      if (reads.get(key) !== entry) return;
      reads.delete(key);
      if (reads.size === 0 && this.#underWay.get(credential) === reads) this.#underWay.delete(credential);
    };
    const call = open(onOver);
    const shared = { call, beganAt: this.#now(), asked, isJudged: false, parsed: undefined, held: undefined };
    entry.shared = shared;
    reads.set(key, entry);
    return shared;
  }
}
