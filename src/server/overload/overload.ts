import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Turns } from '../../http/transport/turns.ts';
import type { Failsafe } from '../failsafe.ts';
import { errorBody } from '../request.ts';
import { type ResponseHeaders, responseHeaders } from '../response-headers.ts';
import { callerKey } from './caller-key.ts';
import { FairShares, type Share } from './fair-shares.ts';

/** An overload begins when so many requests wait: a hundred connections are none. */
const CROWD = 100;

/** During an overload fewer requests than this may wait in any case. */
const MAY_WAIT: Readonly<Record<Share, number>> = { exceeded: 16, left: 32, small: 64 };

/** More may wait if they begin within so many times the limit of the lag. */
const LAGS: Readonly<Record<Share, number>> = { exceeded: 1, left: 2, small: 4 };

/** At the begin of an overload requests that wait already are refused, but only within so many milliseconds. */
const REFUSED_WITHIN_MS = 40;

/** How long a refused caller is asked to wait, in seconds. */
const RETRY_AFTER = 1;

/** A line of the log counts the refused requests of so many milliseconds. The overload ends when there are none. */
const LOG_EVERY_MS = 1_000;

interface OverloadOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly failsafe: Failsafe;
}

/**
 * Answers requests with 503, before their bodies are read, from the moment when a crowd waits for the event loop for more
 * than MAX_LAG_MS, and until no further one has to be refused. A request that has begun is never given up.
 *
 * @see docs/operations.md
 */
export class Overload {
  readonly #config: Config;
  readonly #log: Logger;
  readonly #failsafe: Failsafe;
  readonly #turns: Turns;
  readonly #shares = new FairShares();
  readonly #headersFor: ResponseHeaders;
  #refused = 0;
  #shed = 0;
  /** Undefined without an overload. */
  #timer: NodeJS.Timeout | undefined;

  constructor(server: Server, turns: Turns, { config, log, failsafe }: OverloadOptions) {
    this.#config = config;
    this.#log = log;
    this.#failsafe = failsafe;
    this.#turns = turns;
    this.#headersFor = responseHeaders(config);
    server.once('close', () => clearInterval(this.#timer));
  }

  /** How many requests were refused until now. */
  get shed(): number {
    return this.#shed;
  }

  /** Answers a request of GraphQL in its turn, or refuses it at once. */
  answer(request: IncomingMessage, response: ServerResponse, answer: () => unknown): void {
    if (!this.#mayWait(request)) return this.#refuse(request, response);
    const begin = () => (response.destroyed ? undefined : answer()); // a caller that has left gets no answer
    this.#turns.begin(
      () => this.#failsafe(request, response, begin),
      () => this.#failsafe(request, response, () => this.#refuse(request, response)),
    );
  }

  #mayWait(request: IncomingMessage): boolean {
    const { MAX_LAG_MS } = this.#config;
    const { waiting, lagMs, expectedWaitMs } = this.#turns;
    if (!this.#timer) {
      const isOverload = waiting >= CROWD && lagMs > MAX_LAG_MS && expectedWaitMs > LAGS.left * MAX_LAG_MS;
      if (MAX_LAG_MS === 0 || !isOverload) return true;
      this.#begin();
    }
    const caller = callerKey(request, this.#config);
    const share = this.#shares.ask(caller, performance.now());
    if (waiting >= MAY_WAIT[share] && expectedWaitMs > LAGS[share] * MAX_LAG_MS) return false;
    this.#shares.take(caller);
    return true;
  }

  #begin(): void {
    this.#shares.start(performance.now());
    this.#log.warn('overloaded, requests are refused: see MAX_LAG_MS');
    this.#timer = setInterval(() => this.#writeLine(), LOG_EVERY_MS).unref();
    this.#turns.refuseLatest(REFUSED_WITHIN_MS, MAY_WAIT.left);
  }

  #refuse({ method, headers }: IncomingMessage, response: ServerResponse): void {
    this.#refused += 1;
    this.#shed += 1;
    const body = method === 'POST' ? REFUSED_POST : REFUSED;
    response
      .writeHead(503, [...HEADERS, 'Content-Length', String(body.length), ...this.#headersFor(headers)])
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
