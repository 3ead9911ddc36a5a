import { setMaxListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Caller } from '../context.ts';

/** Creates the `Caller` of a request, which the context of its operation is made from. */
export function callerOf(
  request: IncomingMessage,
  response: ServerResponse,
  { TRUST_PROXY }: Config,
  log: Logger,
): Caller {
  const gone = new AbortController();
  setMaxListeners(0, gone.signal); // each open upstream call listens
  response.once('close', () => response.writableFinished || gone.abort());

  const socket = request.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '';
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',');
  return {
    headers: request.headers,
    // Each proxy appends the address of its client. Entries before those of the trusted proxies may be forged.
    address: (TRUST_PROXY > 0 && forwarded.at(-TRUST_PROXY)?.trim()) || socket,
    // A later part comes after the headers. Responses in parts are `no-store` from the start.
    forbidStoring: () => void (response.headersSent || response.setHeader('cache-control', 'no-store')),
    setCookie: (header) => void (response.headersSent || response.appendHeader('set-cookie', header)),
    gone: gone.signal,
    onLateWrite: (call, outcome) => log.warn({ ...call, outcome }, 'write ended after its caller had left'),
  };
}

/**
 * Checks a request before GraphQL sees it. Refuses a Host or a path that makes no URL, parameters that are not JSON, and a
 * POST that is not JSON: any web page could make a browser send one.
 *
 * @returns the response to a refused request, undefined for a good one
 */
export function refusedRequest({
  method,
  url = '',
  headers,
}: IncomingMessage): { status: number; body: object } | undefined {
  const origin = `http://${headers.host}`;
  if (!URL.canParse(origin)) return { status: 400, body: errorBody('The Host header names no host.') };
  if (!URL.canParse(url, origin)) return { status: 400, body: errorBody('The request names no path.') };
  if (method === 'GET' && !parametersAreJson(new URL(url, origin).searchParams)) {
    return { status: 400, body: errorBody('The parameters `variables` and `extensions` take JSON.') };
  }
  if (method === 'POST' && !/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    const message = 'Send the operation as JSON, with the header `Content-Type: application/json`.';
    return { status: 415, body: errorBody(message) };
  }
  return undefined;
}

/** Creates the body of an error response for a request that GraphQL did not handle. */
export function errorBody(message: string) {
  return { errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }] };
}

function parametersAreJson(parameters: URLSearchParams): boolean {
  try {
    for (const name of ['variables', 'extensions']) JSON.parse(parameters.get(name) || 'null');
    return true;
  } catch {
    return false;
  }
}
