import type { IncomingMessage } from 'node:http';
import type { Config } from '../config.ts';
import { LOCALHOST } from '../config/setting.ts';

/** The headers of a request that the gateway reads: the ones that a web page may send. */
const READ_HEADERS = [
  'Authorization',
  'Content-Type',
  'X-CRM-Token',
  'X-Forum-Authorization',
  'X-Trivium-Cost',
  'X-Trivium-Not-Sent',
  'X-Trivium-Timeout-Ms',
  'X-Trivium-Trace',
  'X-Request-Id',
  'traceparent',
  'tracestate',
  'GraphQL-Require-Preflight',
  'Apollo-Require-Preflight',
];

/** Those that PUBLIC leaves unread. */
const CREDENTIAL_HEADERS = new Set(['Authorization', 'X-CRM-Token', 'X-Forum-Authorization']);

/** The headers of a response that a web page may read, beside those that it always may. */
const READABLE_HEADERS = 'X-Request-Id, Retry-After';

/** How long a browser keeps the answer to a preflight, in seconds: the longest that Chromium does. */
const MAX_AGE = 7_200;

const LOCAL_ORIGIN = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/** Creates a function that tells whether CORS_ORIGINS lists an origin, by itself or by `localhost`. */
export function originCheck({ CORS_ORIGINS }: Config): (origin: string | undefined) => boolean {
  const listed = new Set(CORS_ORIGINS);
  const withLocal = listed.delete(LOCALHOST);
  return (origin) => origin !== undefined && (listed.has(origin) || (withLocal && LOCAL_ORIGIN.test(origin)));
}

/** The CORS headers of a response to a page of a listed origin, as names and values in turns. */
export function corsHeaders(origin: string, { FLEX_COOKIES }: Config): readonly string[] {
  return [
    ...['Access-Control-Allow-Origin', origin],
    ...(FLEX_COOKIES.length > 0 ? ['Access-Control-Allow-Credentials', 'true'] : []),
    ...['Access-Control-Expose-Headers', READABLE_HEADERS],
  ];
}

/** The further headers of the response to a preflight of a listed origin, as names and values in turns. */
export function preflightHeaders({ PUBLIC }: Config): readonly string[] {
  const read = PUBLIC === 'true' ? READ_HEADERS.filter((name) => !CREDENTIAL_HEADERS.has(name)) : READ_HEADERS;
  return [
    ...['Access-Control-Allow-Methods', 'GET, POST'],
    ...['Access-Control-Allow-Headers', read.join(', ')],
    ...['Access-Control-Max-Age', String(MAX_AGE)],
  ];
}

/** Whether a browser asks by this request whether a page may send another one. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}
