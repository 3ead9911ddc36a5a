import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { WatchedResponse } from './http-server.ts';

/** Goes on with a request. It never throws. */
export type Next = (request: IncomingMessage, response: WatchedResponse) => void;

/**
 * A step of answering requests: answers one, or passes it on by `next`, at once or later. What it throws, and a promise that it
 * returns and that rejects, is a defect.
 */
export type Step = (request: IncomingMessage, response: WatchedResponse, next: Next) => unknown;

/** Returns the headers of each response to a request with these headers, as a flat [name, value, …] array. */
export type ResponseHeaders = (headers: IncomingHttpHeaders) => readonly string[];

/** Creates the body of an error response for a request that GraphQL did not handle. */
export function errorBody(message: string, extensions: object) {
  return { errors: [{ message, extensions }] };
}

/** Does so for a request that is refused before its document is read: whatever is in it, no write of it was sent. */
export function refusalBody(message: string, extensions?: object) {
  return errorBody(message, { ...(extensions ?? { code: 'BAD_USER_INPUT' }), outcome: 'REFUSED' });
}

/** @param headers a flat [name, value, …] array */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: readonly string[] = [],
): void {
  const text = JSON.stringify(body);
  const ofBody = ['content-type', 'application/json; charset=utf-8', 'content-length', String(Buffer.byteLength(text))];
  response.writeHead(status, [...ofBody, ...headers]).end(text);
}
