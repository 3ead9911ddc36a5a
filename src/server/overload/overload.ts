import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Turns } from '../../http/transport/turns.ts';
import { errorBody } from '../request.ts';
import { responseHeaders } from '../response-headers.ts';
import { callerKey } from './caller-key.ts';
import { FairShares, type Share } from './fair-shares.ts';

/** A request is refused when so many others wait already. Fewer never cause a refusal. */
const MAX_WAITING: Readonly<Record<Share, number>> = { exceeded: 16, left: 32, small: 64 };

/** How long a refused caller is asked to wait, in seconds. */
const RETRY_AFTER = 1;

/** A line of the log counts the refused requests of so many milliseconds. The overload ends when there are none. */
const LOG_EVERY_MS = 1_000;

/**
 * Answers requests with 503, before their bodies are read, while others have waited for the event loop for more than
 * MAX_LAG_MS. A request that waits or has begun is never given up.
 *
 * @see docs/operations.md
 */
export class Overload {
  readonly #config: Config;
  readonly #log: Logger;
  readonly #turns: Turns;
  readonly #shares = new FairShares();
  readonly #headersFor: ReturnType<typeof responseHeaders>;
  #refused = 0;
  /** Undefined without an overload. */
  #timer: NodeJS.Timeout | undefined;

  constructor(server: Server, turns: Turns, config: Config, log: Logger) {
    this.#config = config;
    this.#log = log;
    this.#turns = turns;
    this.#headersFor = responseHeaders(config);
    server.once('close', () => clearInterval(this.#timer));
  }

  /** Answers a request of GraphQL in its turn, or refuses it at once. */
  answer(request: IncomingMessage, response: ServerResponse, answer: () => void): void {
    if (!this.#mayWait(request)) return this.#refuse(request, response);
    this.#turns.begin(() => {
      if (!response.destroyed) answer(); // else its caller has left
    });
  }

  #mayWait(request: IncomingMessage): boolean {
    const { MAX_LAG_MS } = this.#config;
    const { waiting, lagMs } = this.#turns;
    if (!this.#timer) {
      if (MAX_LAG_MS === 0 || lagMs <= MAX_LAG_MS || waiting < MAX_WAITING.left) return true;
      this.#begin();
    }
    const caller = callerKey(request, this.#config);
    if (waiting >= MAX_WAITING[this.#shares.ask(caller, performance.now())]) return false;
    this.#shares.take(caller);
    return true;
  }

  #begin(): void {
    this.#shares.start(performance.now());
    this.#log.warn('overloaded, requests are refused: see MAX_LAG_MS');
    this.#timer = setInterval(() => this.#writeLine(), LOG_EVERY_MS).unref();
  }

  #refuse({ method, headers }: IncomingMessage, response: ServerResponse): void {
    this.#refused += 1;
    const body = method === 'POST' ? REFUSED_POST : REFUSED;
    response
      .writeHead(503, [...HEADERS, 'Content-Length', String(body.length), ...this.#headersFor(headers.origin)])
      .end(body);
  }

  #writeLine(): void {
    if (this.#refused > 0) {
      this.#log.warn({ refused: this.#refused }, 'overloaded');
      this.#refused = 0;
      return;
    }
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#log.warn('no longer overloaded');
  }
}

const HEADERS: readonly string[] = [
  ...['Content-Type', 'application/json; charset=utf-8'],
  ...['Retry-After', String(RETRY_AFTER)],
];

const EXTENSIONS = { code: 'OVERLOADED', retryAfter: RETRY_AFTER };
const MESSAGE = 'The gateway is overloaded and did not run this request. Send it again later.';
const REFUSED = JSON.stringify(errorBody(MESSAGE, EXTENSIONS));
const REFUSED_POST = JSON.stringify(errorBody(MESSAGE, { ...EXTENSIONS, outcome: 'REFUSED' }));
