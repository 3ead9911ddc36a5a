import { jsonBodyFormat } from '../body.ts';
import type { CallLog, RecordedCall } from '../call-log.ts';
import { empty, HttpError, type HttpResponse, json } from '../responses.ts';
import { Router } from '../router.ts';
import { SeedFileError } from '../seed-file/error.ts';
import type { Faults } from './faults.ts';
import { preflight, refusalOf, withCors } from './loopback.ts';

type StringMap = Readonly<Record<string, string>>;

/** A request to the sandbox itself. */
export interface ControlRequest {
  readonly method: string;
  readonly path: string;
  /** Headers by lower-case name. */
  readonly headers: StringMap;
  /** Null when it is larger than `maxBodyBytes`. */
  readonly body: Uint8Array | null;
}

interface ControlOptions {
  readonly faults: Faults;
  readonly log: CallLog;
  /**
   * Brings the store back to its seed, or to the seed that has this content, from then on. Forgets calls and faults.
   *
   * @throws SeedFileError when it cannot be used; the store is unchanged
   */
  readonly reset: (content: unknown) => void;
  /** The page for browsers, as HTML. `url` is the address that the browser knows the sandbox by. */
  readonly page: (url: string) => string;
}

/** How many of the last calls are listed. */
const maxListedCalls = 1000;
const maxShownPath = 500;

/** Answers the requests to the sandbox itself: it is reset, made to fail and watched by HTTP. */
export class Control {
  /** The maximum size of a body. */
  readonly maxBodyBytes = 1024 * 1024;
  readonly #router: Router;
  readonly #page: ControlOptions['page'];

  constructor({ faults, log, reset, page }: ControlOptions) {
    this.#page = page;
    this.#router = new Router()
      .on('POST /sandbox/reset', ({ body }) => {
        refuseBadSeed(() => reset(body));
        return empty();
      })
      .on('GET /sandbox/faults', () => json({ faults: faults.all, endpoints: faults.endpoints }))
      .on('POST /sandbox/faults', ({ body }) => json(faults.set(body), 201))
      .on('DELETE /sandbox/faults', () => {
        faults.clear();
        return empty();
      })
      .on('GET /sandbox/calls', () => json({ calls: log.calls.slice(-maxListedCalls).map(shown) }))
      .on('DELETE /sandbox/calls', () => {
        log.clear();
        return empty();
      });
  }

  /** Whether a request is for the sandbox itself, and not for an API: `/sandbox/…`, or a browser at `/`. */
  handles(method: string, path: string, { accept = '' }: StringMap): boolean {
    if (path === '/') return method === 'GET' && /(?:^|,)\s{0,9}text\/html\s{0,9}(?:[,;]|$)/i.test(accept);
    return path.startsWith('/sandbox/');
  }

  /** @throws HttpError when the request is refused */
  respond(request: ControlRequest): HttpResponse {
    const refusal = refusalOf(request.headers);
    if (refusal !== null) throw new HttpError(json({ error: refusal }, 403));
    if (request.method === 'OPTIONS') return withCors(request.headers, preflight);
    if (request.path === '/') return html(this.#page(`http://${request.headers['host'] ?? ''}`));
    try {
      return withCors(request.headers, this.#answer(request));
    } catch (error) {
      throw error instanceof HttpError ? new HttpError(withCors(request.headers, error.response)) : error;
    }
  }

  #answer({ method, path, headers, body: source }: ControlRequest): HttpResponse {
    if (source === null) throw jsonBodyFormat.payloadTooLarge();
    const known = this.#router.patterns.some((pattern) => pattern.endsWith(` ${path}`));
    if (!known) throw new HttpError(json({ error: `the sandbox has ${this.#router.patterns.join(', ')}` }, 404));
    const match = this.#router.match(method, path, {});
    const body = jsonBodyFormat.parse(source, headers);
    return match.handle({ params: {}, query: {}, headers, address: '', body });
  }
}

function refuseBadSeed(reset: () => void): void {
  try {
    reset();
  } catch (error) {
    throw error instanceof SeedFileError ? new HttpError(json({ error: error.message }, 400)) : error;
  }
}

/** A call without its credentials, its body, and the values of its query and headers. */
function shown({ method, route, path, status, fault }: RecordedCall) {
  return {
    endpoint: route === null ? null : `${method} ${route}`,
    method,
    path: path.slice(0, maxShownPath),
    status,
    fault: fault === true,
  };
}

/** A page that loads nothing and runs nothing. */
function html(body: string): HttpResponse {
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
      Vary: 'Accept',
    },
    body,
  };
}
