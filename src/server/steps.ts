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

const BAD_USER_INPUT = { code: 'BAD_USER_INPUT' };

/** Creates the body of an error response for a request that GraphQL did not handle. */
export function errorBody(message: string, extensions: object = BAD_USER_INPUT) {
  return { errors: [{ message, extensions }] };
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
