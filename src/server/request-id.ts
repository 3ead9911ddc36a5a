import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

const HEADER = 'x-request-id';

/** Ids of callers that are taken over. Any other text could forge lines of a log, or fill it. */
const SANE = /^[\w.:-]{1,128}$/;

/** Begins the ids that this process makes: no other process has the same. */
const PREFIX = randomBytes(9).toString('base64url');

let made = 0;

/** Gives a request its id: that of its `X-Request-Id` header, else a new one, which replaces the header. */
export function identify({ headers }: IncomingMessage): void {
  const given = headers[HEADER];
  if (typeof given !== 'string' || !SANE.test(given)) headers[HEADER] = `${PREFIX}-${(made += 1).toString(36)}`;
}

/** The id of a request that `identify` has seen. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  return String(headers[HEADER] ?? '');
}
