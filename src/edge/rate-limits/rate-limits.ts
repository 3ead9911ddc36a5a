import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { Credentials } from '../../operation/credentials.ts';
import type { OperationObserver } from '../../operation/operation-observer.ts';
import { type Count, type SharedCounts, WindowCounts } from './rates.ts';
import type { KeyedHash } from '../../redis/shared-store.ts';
import type { WatchedResponse } from '../http-server.ts';
import { rendersGraphiql } from '../pages/graphiql.ts';
import { addressOf, networkOf } from '../request.ts';
import { type Next, refusalBody, type ResponseHeaders, sendJson } from '../steps.ts';

/** The interval of the lines that count refused operations, in milliseconds. */
const LOG_EVERY_MS = 1_000;

/** A key that an operation counts for: its address, or one of its credentials. */
interface Counted {
  readonly key: string;
  readonly limit: number;
  readonly name: string;
  readonly setting: keyof Config;
}

/** A limit that is used up. */
interface Exceeded extends Counted {
  readonly msLeft: number;
}

export interface RateLimitsOptions {
  readonly config: Config;
  readonly hash: KeyedHash;
  readonly headersFor: ResponseHeaders;
  readonly log: Logger;
  readonly observer: OperationObserver | undefined;
}

/**
 * Refuses operations with 429, before their bodies are read, when their address or one of their credentials has used up its
 * operations of the minute. A refused operation is not counted.
 *
 * @see docs/decisions/0044-rates-by-credential-and-address.md
 */
export class RateLimits {
  readonly #options: RateLimitsOptions;
  readonly #shared: SharedCounts | undefined;
  readonly #own = new WindowCounts();
  #refused = 0;

  /** @param shared counts for all processes. Without it each process has its own counts */
  constructor(options: RateLimitsOptions, shared: SharedCounts | undefined) {
    this.#options = options;
    this.#shared = shared;
  }

  /** Passes a request of GraphQL on, or refuses it. A promise where that is decided later. */
  answer(request: IncomingMessage, response: WatchedResponse, next: Next): void | Promise<void> {
    // A preflight and GraphiQL's page are no operations.
    if (request.method === 'OPTIONS' || rendersGraphiql(request, this.#options.config)) return next(request, response);
    const counted = this.#counted(request);
    const now = performance.now();
    const own = counted.map(({ key }) => this.#own.get(key, now));
    const full = exceeded(counted, own, (used, limit) => used >= limit);
    if (full) return this.#refuse(request, response, full);
    if (this.#shared) return this.#countShared(this.#shared, counted, { request, response, next });
    for (const { key } of counted) this.#own.count(key, now);
    next(request, response);
  }

  async #countShared(
    shared: SharedCounts,
    counted: readonly Counted[],
    { request, response, next }: { request: IncomingMessage; response: WatchedResponse; next: Next },
  ): Promise<void> {
    const counts = await shared.count(counted.map(({ key }) => key));
    if (response.destroyed) return; // its caller has left
    const now = performance.now();
    const learned = counted.map(({ key }, index) => {
      const count = counts?.[index];
      return count ? this.#own.learn(key, count, now) : this.#own.count(key, now);
    });
    const over = exceeded(counted, learned, (used, limit) => used > limit);
    if (over) this.#refuse(request, response, over);
    else next(request, response);
  }

  #counted(request: IncomingMessage): Counted[] {
    const { config, hash } = this.#options;
    const { RATE_LIMIT, RATE_LIMIT_ADDRESS } = config;
    const counted: Counted[] = [
      {
        key: hash(`address ${networkOf(addressOf(request, config))}`),
        limit: RATE_LIMIT_ADDRESS || RATE_LIMIT,
        name: 'address',
        setting: RATE_LIMIT_ADDRESS > 0 ? 'RATE_LIMIT_ADDRESS' : 'RATE_LIMIT',
      },
    ];
    if (RATE_LIMIT === 0) return counted;
    const credentials = new Credentials(request.headers, { crmSharesToken: false }).all();
    for (const credential of new Set(credentials)) {
      const key = hash(`credential ${credential}`);
      counted.push({ key, limit: RATE_LIMIT, name: 'credential', setting: 'RATE_LIMIT' });
    }
    return counted;
  }

  #refuse({ headers }: IncomingMessage, response: ServerResponse, limit: Exceeded): void {
    if (this.#refused++ === 0) setTimeout(() => this.#writeLine(), LOG_EVERY_MS).unref();
    this.#options.observer?.refuse?.({ RATE_LIMITED: 1 });
    const retryAfter = Math.max(1, Math.ceil(limit.msLeft / 1_000));
    const body = refusalBody(messageOf(limit, retryAfter), { code: 'RATE_LIMITED', retryAfter });
    sendJson(response, 429, body, ['Retry-After', String(retryAfter), ...this.#options.headersFor(headers)]);
  }

  #writeLine(): void {
    this.#options.log.warn({ refused: this.#refused }, 'callers exceed RATE_LIMIT');
    this.#refused = 0;
  }
}

/** The limit that lasts longest among those that are used up. */
function exceeded(
  counted: readonly Counted[],
  counts: readonly Count[],
  isExceeded: (used: number, limit: number) => boolean,
): Exceeded | undefined {
  let longest: Exceeded | undefined;
  for (const [index, { used, msLeft }] of counts.entries()) {
    const of = counted[index];
    if (of && isExceeded(used, of.limit) && !(longest && longest.msLeft >= msLeft)) longest = { ...of, msLeft };
  }
  return longest;
}

function messageOf({ name, limit, setting }: Exceeded, seconds: number): string {
  return `This ${name} has sent its ${limit} operations of this minute (${setting}). This one was not run: send it again in ${seconds} s.`;
}
