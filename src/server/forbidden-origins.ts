import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { isOrigin } from '../config/setting.ts';
import { originCheck } from './cors.ts';
import { requestIdOf } from './request-id.ts';

/** The maximum number of origins that one process logs: callers could invent any number. */
const MAX_ORIGINS = 100;

/** The longest origin that is logged: a scheme, a host name of the longest kind, and a port. */
const MAX_LENGTH = 280;

const NOT_LISTED = 'web pages of this origin may not read responses: add it to CORS_ORIGINS';

const NO_ORIGIN =
  'a page without an origin, such as a file, may not read responses: serve it by HTTP, and add its origin to CORS_ORIGINS';

/** Logs each origin whose web pages call the gateway and are not allowed to: in the browser they see a failed request only. */
export class ForbiddenOrigins {
  readonly #log: Logger;
  readonly #isListed: ReturnType<typeof originCheck>;
  readonly #logged = new Set<string>();

  constructor(config: Config, log: Logger) {
    this.#log = log;
    this.#isListed = originCheck(config);
  }

  /** To be called for each request. */
  see({ headers }: IncomingMessage): void {
    const { origin, host } = headers;
    if (origin === undefined || this.#logged.has(origin) || this.#isListed(origin)) return;
    // GraphiQL's page has the gateway's own origin. A proxy may change the host; then the browser tells it.
    if (origin === `http://${host}` || origin === `https://${host}`) return;
    if (headers['sec-fetch-site'] === 'same-origin' || this.#logged.size >= MAX_ORIGINS) return;
    if (origin !== 'null' && (origin.length > MAX_LENGTH || !isOrigin(origin))) return;
    this.#logged.add(origin);
    this.#log.warn({ requestId: requestIdOf(headers), origin }, origin === 'null' ? NO_ORIGIN : NOT_LISTED);
  }
}
