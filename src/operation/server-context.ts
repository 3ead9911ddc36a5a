import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** The part of Yoga's server context that the plugins of an operation read: Node's request. */
export interface ServerContext {
  readonly req: IncomingMessage;
}

/** The header with the id of a request. */
export const REQUEST_ID = 'x-request-id';

/** The id of a request, which each request has once the server has read its head. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  return String(headers[REQUEST_ID] ?? '');
}
