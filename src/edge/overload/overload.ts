import { randomInt } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Turns } from '../../calls/transport/turns.ts';
import type { GatewayParts } from '../gateway-parts.ts';
import type { WatchedResponse } from '../http-server.ts';
import { addressOf } from '../request.ts';
import type { Shutdown } from '../shutdown.ts';
import { type Next, refusalBody, type ResponseHeaders, sendJson } from '../steps.ts';
import { FairShares, type Share } from './fair-shares.ts';

/** The longest wait of a request, in parts of MAX_WAIT_MS, by the share of its caller. */
type Patience = Readonly<Record<Share, number>>;

/** A burst may wait: it ends. Callers that ask for little are served also when others use up all that there is. */
const IN_A_BURST: Patience = { exceeded: 1, left: 1, small: 2 };

/** What comes faster than it is served makes the longest queue for good. With a short one it is served as fast, and earlier. */
const WHILE_OVERLOADED: Patience = { exceeded: 0.125, left: 0.25, small: 2 };

/** Fewer waiting requests than these never cause a refusal: a few large operations are no overload. */
const FEW: Readonly<Record<Share, number>> = { exceeded: 16, left: 32, small: 64 };

/** How long a refused caller is asked to wait, in seconds. */
const RETRY_AFTER = 1;

/** The interval of the lines that count refused requests, in milliseconds. The overload ends after one without any. */
const LOG_EVERY_MS = 1_000;

type OverloadParts = Pick<GatewayParts, 'turns' | 'config' | 'log' | 'headersFor'>;

/**
 * Answers requests with 503 before their bodies are read, when they come and never later, where they would wait for the event
 * loop for longer than MAX_WAIT_MS. When requests have waited for longer than a quarter of that for MAX_WAIT_MS it is no burst:
 * from then on a quarter is the longest wait, until a second passes without a refusal.
 *
 * @see docs/operations.md
 */
export class Overload {
  readonly #config: Config;
  readonly #log: Logger;
  readonly #turns: Turns;
  readonly #shutdown: Shutdown;
  readonly #shares = new FairShares();
  readonly #headersFor: ResponseHeaders;
  /** Since when each request has waited for long. Undefined when the last one has not. */
  #lateSince: number | undefined;
  #isOverloaded = false;
  /** Whether the log has told that requests are refused. */
  #isTold = false;
  #refused = 0;
  #shed = 0;
  /** Undefined without an overload, while no request is refused. */
  #timer: NodeJS.Timeout | undefined;

  constructor(server: Server, shutdown: Shutdown, { turns, config, log, headersFor }: OverloadParts) {
    this.#config = config;
    this.#log = log;
    this.#turns = turns;
    this.#shutdown = shutdown;
    this.#headersFor = headersFor;
    server.on('connection', () => turns.onConnection());
    server.once('close', () => clearInterval(this.#timer));
  }

  /** How many requests were refused until now. */
  get shed(): number {
    return this.#shed;
  }

  /** Passes a request on in its turn, or refuses it at once. */
  answer(request: IncomingMessage, response: WatchedResponse, next: Next): void {
    if (this.#shutdown.hasBegun) return next(request, response); // its caller was told to go elsewhere next time
    const cameAt = performance.now();
    if (!this.#mayWait(request, cameAt)) return this.#refuse(request, response);
    this.#turns.begin(() => {
      this.#shares.begun += 1;
      const now = performance.now();
      if (now - cameAt <= WHILE_OVERLOADED.left * this.#config.MAX_WAIT_MS) this.#lateSince = undefined;
      else this.#lateSince ??= now;
      if (!response.destroyed) next(request, response); // a caller that has left gets no answer
    });
  }

  #mayWait(request: IncomingMessage, now: number): boolean {
    const { MAX_WAIT_MS } = this.#config;
    if (MAX_WAIT_MS === 0) return true;
    if (this.#turns.waiting === 0) {
      this.#lateSince = undefined;
      if (!this.#isOverloaded) return true;
    }
    if (this.#lateSince !== undefined && now - this.#lateSince > MAX_WAIT_MS) {
      this.#isOverloaded = true;
      this.#watch();
    }
    const caller = callerKey(request, this.#config);
    const share = this.#shares.ask(caller, now);
    const patience = this.#isOverloaded ? WHILE_OVERLOADED : IN_A_BURST;
    const { waiting, expectedWaitMs } = this.#turns;
    if (waiting >= FEW[share] && expectedWaitMs > patience[share] * MAX_WAIT_MS) return false;
    this.#shares.take(caller);
    return true;
  }

  #refuse({ headers }: IncomingMessage, response: ServerResponse): void {
    if (!this.#isTold) this.#log.warn('overloaded, requests are refused: see MAX_WAIT_MS');
    this.#isTold = true;
    this.#watch();
    this.#refused += 1;
    this.#shed += 1;
    sendJson(response, 503, REFUSED, ['Retry-After', String(RETRY_AFTER), ...this.#headersFor(headers)]);
  }

  /** Sees when the overload ends. */
  #watch(): void {
    this.#timer ??= setInterval(() => this.#writeLine(), LOG_EVERY_MS).unref();
  }

  #writeLine(): void {
    if (this.#refused > 0) {
      this.#log.warn({ refused: this.#refused }, 'overloaded');
      this.#refused = 0;
      return;
    }
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#isOverloaded = false;
    if (this.#isTold) this.#log.warn('no longer overloaded');
    this.#isTold = false;
  }
}

const REFUSED = refusalBody('The gateway is overloaded and did not run this request. Send it again later.', {
  code: 'OVERLOADED',
  retryAfter: RETRY_AFTER,
});

/** A prime number below 2 ** 32. */
const PRIME = 4_294_967_291;

/** A secret, so that nobody outside knows which callers have the same number. Its product with a number below PRIME is exact. */
const FACTOR = randomInt(2 ** 16, 2 ** 20);

/**
 * The hash of a request's credential, or of its address when it has none. Neither can be told from the number. Different callers
 * may have the same one.
 *
 * @internal exported for the tests
 */
export function callerKey(request: IncomingMessage, config: Config): number {
  const { headers } = request;
  const credential = headers.authorization ?? headers['x-crm-token'] ?? headers['x-forum-authorization'];
  return hash(credential?.toString() ?? addressOf(request, config));
}

/** The text as digits of a number, modulo a prime. */
function hash(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index++) sum = (sum * FACTOR + text.charCodeAt(index)) % PRIME;
  return sum;
}
