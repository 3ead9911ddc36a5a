import type { IncomingMessage, ServerResponse } from 'node:http';
import { isPromise } from 'graphql-yoga';
import type { Logger } from 'pino';
import { reportUnexpected } from './errors/public-error.ts';
import { errorBody } from './request.ts';
import { requestIdOf } from './request-id.ts';
import type { ResponseHeaders } from './response-headers.ts';

/**
 * Runs a step of answering a request: all of it, or what goes on after an event. An error that it throws, or a promise that
 * it returns and that rejects, is a defect: it is one line of the log and the status 500, or a closed connection where the response
 * has begun. Nothing else handles it, and an error that nobody handles would end the process.
 */
export type Failsafe = (request: IncomingMessage, response: ServerResponse, step: () => unknown) => void;

const MESSAGE = 'Something went wrong in the gateway.';
const CODE = { code: 'INTERNAL_SERVER_ERROR' };
const FAILED = JSON.stringify(errorBody(MESSAGE, CODE));
/** A POST may be a mutation, and nobody knows how far it came. */
const FAILED_POST = JSON.stringify(errorBody(MESSAGE, { ...CODE, outcome: 'UNKNOWN' }));

export function createFailsafe(log: Logger, headersFor: ResponseHeaders): Failsafe {
  const fail = (request: IncomingMessage, response: ServerResponse, error: unknown) => {
    try {
      reportUnexpected(log, requestIdOf(request.headers))(error);
      if (response.headersSent) return void (response.writableEnded || response.destroy());
      const body = request.method === 'POST' ? FAILED_POST : FAILED;
      const headers = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(body.length)];
      response.writeHead(500, [...headers, ...headersFor(request.headers)]).end(body);
    } catch {
      request.socket.destroy(); // the log or the response cannot be written
    }
  };
  return (request, response, step) => {
    try {
      const result = step();
      if (isPromise(result)) result.then(undefined, (error: unknown) => fail(request, response, error));
    } catch (error) {
      fail(request, response, error);
    }
  };
}
