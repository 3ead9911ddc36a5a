import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { errorBody } from '../request.ts';
import { responseHeaders } from '../response-headers.ts';
import { Admission } from './admission.ts';
import { callerKey } from './caller-key.ts';

/** How long a refused caller is asked to wait, in seconds. */
const RETRY_AFTER = 1;

/** A line of the log counts the refused requests of so many milliseconds. The overload ends when there are none. */
const LOG_EVERY_MS = 1_000;

/**
 * Answers requests with 503 while the event loop lags more than MAX_LAG_MS, before their bodies are read. A request that
 * began is never given up.
 *
 * @see docs/operations.md
 */
export class Overload {
  readonly #config: Config;
  readonly #log: Logger;
  readonly #admission: Admission;
  readonly #headersFor: ReturnType<typeof responseHeaders>;
  readonly #onClose = () => this.#admission.complete();
  readonly #onTurnEnd = () => this.#endTurn();
  #isTurnMeasured = false;
  #refused = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(server: Server, config: Config, log: Logger) {
    this.#config = config;
    this.#log = log;
    this.#admission = new Admission(config.MAX_LAG_MS, cpuMs);
    this.#headersFor = responseHeaders(config);
    server.once('close', () => clearInterval(this.#timer));
  }

  /**
   * To be asked for each request of GraphQL before it runs.
   *
   * @returns whether it may run; a request that may not has been answered
   */
  letsIn(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.#config.MAX_LAG_MS === 0) return true;
    const now = performance.now();
    if (!this.#isTurnMeasured) this.#startTurn(now);
    if (this.#admission.mayBegin(now, () => callerKey(request, this.#config))) {
      response.on('close', this.#onClose);
      return true;
    }
    this.#refuse(request, response);
    return false;
  }

  #startTurn(now: number): void {
    this.#isTurnMeasured = true;
    this.#admission.startTurn(now);
    setImmediate(this.#onTurnEnd);
  }

  #endTurn(): void {
    const now = performance.now();
    // Waiting for the end of the next turn keeps an idle loop busy: only a turn that follows a long one is measured so.
    this.#isTurnMeasured = this.#admission.endTurn(now);
    if (this.#isTurnMeasured) this.#startTurn(now);
  }

  #refuse({ method, headers }: IncomingMessage, response: ServerResponse): void {
    this.#refused += 1;
    if (!this.#timer) {
      this.#log.warn('overloaded, requests are refused: see MAX_LAG_MS');
      this.#timer = setInterval(() => this.#writeLine(), LOG_EVERY_MS).unref();
    }
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
    this.#admission.end();
    this.#log.warn('no longer overloaded');
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const HEADERS: readonly string[] = [
  ...['Content-Type', 'application/json; charset=utf-8'],
  ...['Retry-After', String(RETRY_AFTER)],
];

const EXTENSIONS = { code: 'OVERLOADED', retryAfter: RETRY_AFTER };
const MESSAGE = 'The gateway is overloaded and did not run this request. Send it again later.';
const REFUSED = JSON.stringify(errorBody(MESSAGE, EXTENSIONS));
const REFUSED_POST = JSON.stringify(errorBody(MESSAGE, { ...EXTENSIONS, outcome: 'REFUSED' }));
