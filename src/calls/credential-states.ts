import { createHmac, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { BreakerOpenError, type GatewayError, RateLimitedError, type UpstreamCall } from '../errors.ts';
import { Breaker, type Ticket, type UpstreamChange } from './transport/breaker.ts';
import type { CallGuard } from './transport/messages.ts';
import type { OperationGenerations } from './cache/generations.ts';
import { AvoidedLists } from './avoided-lists.ts';

/** Beyond so many credentials that were asked to wait the one that was not asked for longest is forgotten: its next call reaches upstream. */
const MAX_PAUSES = 10_000;

/** Beyond so many endpoints of credentials that failed, the one that was called longest ago is forgotten. */
const MAX_BREAKERS = 1_000;

/** A breaker that was not used for this time is evicted, in milliseconds. It exceeds the longest `Retry-After` that is honoured. */
const FORGOTTEN_MS = 120_000;

/** The ticket of a call to an endpoint without failures: that of a new breaker. */
const FIRST_TICKET: Ticket = 1;

export interface CredentialStatesOptions {
  /** The name of the API. */
  readonly api: string;
  /** Called when an endpoint is called no more for a credential, because it failed too often, and when it is called again. */
  readonly onChange: (change: UpstreamChange) => void;
  /** The clock, in milliseconds. */
  readonly now?: () => number;
}

/**
 * The state of each credential at one API, for the life of the process: pauses after 429, circuit breakers of endpoints, and
 * lists that are avoided. The failures of one caller cost no other caller anything. Holds keyed hashes of credentials; a credential itself only as long as the requests that carry it.
 *
 * @see docs/decisions/0030-a-breaker-of-our-own.md
 */
export class CredentialStates {
  readonly options: CredentialStatesOptions;
  readonly now: () => number;
  readonly #hashKey = randomBytes(32);
  /** The ends of pauses, by the hash of the credential. */
  readonly pauses = new LRUCache<string, number>({ maxSize: MAX_PAUSES, sizeCalculation: () => 1 });
  lastPauseEnd = 0;
  /** The breakers of endpoints that have failed, by the hash of the credential and the endpoint. */
  readonly breakers = new LRUCache<string, Breaker>({
    maxSize: MAX_BREAKERS,
    sizeCalculation: () => 1,
    ttl: FORGOTTEN_MS,
    ttlResolution: 0,
    updateAgeOnGet: true,
  });
  #forgetting: NodeJS.Timeout | undefined;
  readonly avoidedLists: AvoidedLists;

  constructor(options: CredentialStatesOptions) {
    this.options = options;
    this.now = options.now ?? (() => performance.now());
    this.avoidedLists = new AvoidedLists(this.now);
  }

  hash(credential: string): string {
    return createHmac('sha256', this.#hashKey).update(credential).digest('base64');
  }

  /** Returns the breaker of an endpoint, by the hash of a credential. */
  breaker(hash: string, endpoint: string): Breaker {
    const key = `${hash} ${endpoint}`;
    const known = this.breakers.get(key);
    if (known) return known;
    const { api, onChange } = this.options;
    const created = new Breaker((change) => onChange({ api, endpoint, ...change }), this.now);
    this.breakers.set(key, created);
    this.#forgetLater();
    return created;
  }

  /** Evicts unused breakers by one timer, which runs only while there are breakers. */
  #forgetLater(): void {
    if (this.#forgetting) return;
    this.#forgetting = setTimeout(() => {
      this.#forgetting = undefined;
      this.breakers.purgeStale();
      if (this.breakers.size > 0) this.#forgetLater();
    }, FORGOTTEN_MS).unref();
  }
}

/** The state of one caller's credential at one API, as one operation uses it. The credential is hashed on demand. */
export class CredentialState implements CallGuard {
  readonly #all: CredentialStates;
  readonly #credential: () => string;
  /** The generations of subjects, as the operation sees them. Undefined where nothing is cached or shared. */
  readonly generations: OperationGenerations | undefined;
  #hash: string | undefined;

  /**
   * @param credential returns the credential of the operation's requests to this API, which differ from those of other
   *   callers by nothing else
   */
  constructor(all: CredentialStates, credential: () => string, generations?: OperationGenerations) {
    this.#all = all;
    this.#credential = credential;
    this.generations = generations;
  }

  /** The credential of the operation's requests to this API. */
  credential(): string {
    return this.#credential();
  }

  /** Sends nothing for so many seconds: upstream asked for that. A longer pause under way stays. */
  pause(seconds: number): void {
    const all = this.#all;
    const end = all.now() + seconds * 1000;
    const hash = this.ownHash();
    all.pauses.set(hash, Math.max(end, all.pauses.get(hash) ?? 0));
    all.lastPauseEnd = Math.max(all.lastPauseEnd, end);
  }

  /** Seconds, rounded up, until the credential may be sent again. 0 without a pause. */
  get secondsLeft(): number {
    const { pauses, lastPauseEnd, now } = this.#all;
    if (now() >= lastPauseEnd) {
      if (pauses.size > 0) pauses.clear();
      return 0; // the usual case costs no hash
    }
    const end = pauses.get(this.ownHash()) ?? 0;
    return Math.max(0, Math.ceil((end - now()) / 1000));
  }

  /**
   * Returns the ticket of a call that may be made.
   *
   * @throws RateLimitedError when upstream asked the caller to wait, BreakerOpenError when the endpoint has just failed too often
   */
  admit(call: UpstreamCall, isRead: boolean): Ticket {
    const refusal = this.refusal(call);
    if (refusal) throw refusal;
    const breaker = this.#breaker(call.endpoint);
    const ticket = breaker?.admit(isRead) ?? FIRST_TICKET;
    if (ticket > 0) return ticket;
    throw endpointDown(call, breaker);
  }

  /** The error of a call before the end of an upstream `Retry-After`; undefined when it may be made. */
  refusal(call: UpstreamCall): GatewayError | undefined {
    const seconds = this.secondsLeft;
    if (seconds > 0) return new RateLimitedError(`The ${call.api} API asked to slow down.`, seconds, call);
    const breaker = this.#breaker(call.endpoint);
    return breaker?.isHeld ? endpointDown(call, breaker) : undefined;
  }

  /** Records a status below 500. */
  succeeded(endpoint: string, ticket: Ticket): void {
    const breaker = this.#breaker(endpoint);
    breaker?.succeed(ticket);
    if (breaker?.isIdle) this.#all.breakers.delete(`${this.ownHash()} ${endpoint}`);
  }

  /** Records a 5xx, or a timeout of this endpoint alone. @param retryAfter seconds, when upstream asked for no call before */
  failed(endpoint: string, ticket: Ticket, reason: string, retryAfter?: number): void {
    const breaker = this.#all.breaker(this.ownHash(), endpoint);
    if (retryAfter) breaker.hold(retryAfter * 1000, reason);
    else breaker.fail(ticket, reason);
  }

  /** Avoids a list endpoint for a while for this credential, see `AvoidedLists`. */
  avoidList(endpoint: string): void {
    this.#all.avoidedLists.avoid(`${this.ownHash()} ${endpoint}`);
  }

  /** Whether a list must not be read instead of records by id. */
  avoidsList(endpoint: string): boolean {
    const { avoidedLists } = this.#all;
    return !avoidedLists.isEmpty && avoidedLists.has(`${this.ownHash()} ${endpoint}`); // the usual case costs no hash
  }

  /** Undefined when no endpoint has failed lately: the usual case, in which no credential is hashed. */
  #breaker(endpoint: string): Breaker | undefined {
    const { breakers } = this.#all;
    return breakers.size === 0 ? undefined : breakers.get(`${this.ownHash()} ${endpoint}`);
  }

  /** The keyed hash of the credential. */
  ownHash(): string {
    return (this.#hash ??= this.#all.hash(this.#credential()));
  }
}

function endpointDown(call: UpstreamCall, breaker: Breaker | undefined): BreakerOpenError {
  const message = `The ${call.api} API has failed too often at this endpoint, so it is not called there for now.`;
  return new BreakerOpenError(message, call, breaker?.retrySeconds ?? 1);
}
