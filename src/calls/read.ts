import { accepted, measured, parsed } from './answered.ts';
import type { ResponseCache } from './cache/response-cache.ts';
import type { Exchange } from './exchange.ts';
import type { Parsed } from './requests.ts';
import { cached, remembered } from './reuse.ts';
import { admitted, budgeted, joined, queued, sent, tried } from './sent.ts';
import type { SharedCalls } from './shared-calls.ts';
import { inOrder, type Way } from './step.ts';

/** The response cache and the calls under way of one API, for the life of the process: all its reads share them. */
export interface ReadParts<Body> {
  /** Undefined when no response is kept. */
  readonly cache: ResponseCache<Body> | undefined;
  /** Undefined when each read has a call of its own. */
  readonly calls: SharedCalls<Body> | undefined;
}

/** The way of a read, whose result is decoded by who reads. */
export function createRead<Body>({ cache, calls }: ReadParts<Body>): Way<Exchange<Body>, Parsed<Body>> {
  return inOrder(
    [
      remembered, // identical reads of an operation are one, until it writes
      cache && cached(cache), // a response of an earlier operation is used, or asked about
      queued, // reads by id that are requested in one tick are sent together, READS_AT_ONCE at a time
      measured, // the times and sizes of lists decide between them and reads by id
      tried, // while a breaker is open, one read tries the endpoint, and the others wait for it
      admitted, // refused when the caller has left or was asked to wait, or the breaker of the endpoint is open
      budgeted, // MAX_UPSTREAM_CALLS, OPERATION_TIMEOUT_MS
      calls && joined(calls), // identical reads of a credential at the same time are one call
      sent,
      accepted, // or refused, by the status
    ],
    parsed,
  );
}

/** The way of a request that is answered by a call of its own alone. Its response is not parsed. */
export function createAsk<Body>(): Way<Exchange<Body>, Exchange<Body>> {
  return inOrder([admitted, budgeted, sent, accepted], (exchange) => exchange);
}
