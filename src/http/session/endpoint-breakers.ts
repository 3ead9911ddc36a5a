import { createHmac, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Breaker, type Ticket, type UpstreamChange } from '../transport/breaker.ts';
import type { EndpointGuard } from '../transport/admission.ts';

/** Beyond so many endpoints of credentials that failed, the one that was called longest ago is forgotten. */
const MAX_ENTRIES = 1_000;

/** `Retry-After` is honoured up to this time; then upstream is asked again. */
const MAX_HOLD_SECONDS = 60;

/** The ticket of a call to an endpoint without failures: that of a new breaker. */
const FIRST_TICKET: Ticket = 1;

/**
 * The circuit breakers of one API's endpoints, one for each credential: what one caller makes fail costs no other one
 * anything. Holds keyed hashes of credentials, and entries only for endpoints that have failed.
 */
export class EndpointBreakers {
  readonly #api: string;
  readonly #onChange: (change: UpstreamChange) => void;
  readonly #now: () => number;
  readonly #hashKey = randomBytes(32);
  readonly #breakers = new LRUCache<string, Breaker>({ max: MAX_ENTRIES });

  /** @param now the clock, in milliseconds */
  constructor(api: string, onChange: (change: UpstreamChange) => void, now: () => number = () => performance.now()) {
    this.#api = api;
    this.#onChange = onChange;
    this.#now = now;
  }

  /** Whether no endpoint has failed lately: the usual case, in which no credential is hashed. */
  get isEmpty(): boolean {
    return this.#breakers.size === 0;
  }

  hash(credential: string): string {
    return createHmac('sha256', this.#hashKey).update(credential).digest('base64');
  }

  find(endpoint: string, hash: string): Breaker | undefined {
    return this.#breakers.get(`${hash} ${endpoint}`);
  }

  findOrCreate(endpoint: string, hash: string): Breaker {
    const known = this.find(endpoint, hash);
    if (known) return known;
    const created = new Breaker((change) => this.#onChange({ api: this.#api, endpoint, ...change }), this.#now);
    this.#breakers.set(`${hash} ${endpoint}`, created);
    return created;
  }

  forget(endpoint: string, hash: string): void {
    this.#breakers.delete(`${hash} ${endpoint}`);
  }
}

/** The endpoint breakers of one caller at one API. */
export class CallerEndpoints implements EndpointGuard {
  readonly #breakers: EndpointBreakers;
  readonly #credential: () => string;
  #hash: string | undefined;

  /** @param credential returns the credential of the caller's requests to this API */
  constructor(breakers: EndpointBreakers, credential: () => string) {
    this.#breakers = breakers;
    this.#credential = credential;
  }

  admit(endpoint: string, isRead: boolean): Ticket {
    return this.#find(endpoint)?.admit(isRead) ?? FIRST_TICKET;
  }

  retrySeconds(endpoint: string): number {
    return this.#find(endpoint)?.retrySeconds ?? 1;
  }

  succeed(endpoint: string, ticket: Ticket): void {
    const breaker = this.#find(endpoint);
    breaker?.succeed(ticket);
    if (breaker?.isIdle) this.#breakers.forget(endpoint, this.#ownHash());
  }

  fail(endpoint: string, ticket: Ticket, reason: string, retryAfter?: number): void {
    const breaker = this.#breakers.findOrCreate(endpoint, this.#ownHash());
    if (retryAfter) breaker.hold(Math.min(retryAfter, MAX_HOLD_SECONDS) * 1000, reason);
    else breaker.fail(ticket, reason);
  }

  #find(endpoint: string): Breaker | undefined {
    return this.#breakers.isEmpty ? undefined : this.#breakers.find(endpoint, this.#ownHash());
  }

  #ownHash(): string {
    return (this.#hash ??= this.#breakers.hash(this.#credential()));
  }
}
