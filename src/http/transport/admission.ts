import { CallerGoneError, NotCalledError, RateLimitedError, type UpstreamCall } from '../errors.ts';
import type { Ticket } from './breaker.ts';
import type { Departure } from './departure.ts';

/** The time in which a caller sends nothing to an API, because that asked it to wait (429 with `Retry-After`). */
export interface Pause {
  /** Seconds until the next call may be made; 0 when it may be made now. */
  readonly secondsLeft: number;
  begin(seconds: number): void;
}

/** The circuit breakers of one caller at the endpoints of an API, by method and template. They count statuses of 500 or more. */
export interface EndpointGuard {
  /** Returns the ticket of a call that may be made, 0 for one that must not be made. */
  admit(endpoint: string, isRead: boolean): Ticket;
  /** Seconds until the next call to an endpoint may be made. */
  retrySeconds(endpoint: string): number;
  succeed(endpoint: string, ticket: Ticket): void;
  /** @param retryAfter seconds, when upstream asked for no call before */
  fail(endpoint: string, ticket: Ticket, reason: string, retryAfter: number | undefined): void;
}

/** The states that may forbid a call. */
export interface Admission {
  /** Happens when the caller closes the connection: no call starts after that, and open reads are cancelled. */
  readonly gone: Departure;
  /** The time that upstream asked this caller to wait. Undefined when its requests carry no credential. */
  readonly pause?: Pause | undefined;
  /** Stops calls to an endpoint that has just failed too often for this caller. Undefined without a credential. */
  readonly endpoints?: EndpointGuard | undefined;
}

/**
 * Returns the ticket of a call that may be made; 0 where no breaker guards the endpoint.
 *
 * @throws GatewayError when the caller has left, upstream asked it to wait, or the endpoint has just failed too often
 */
export function admit(call: UpstreamCall, isRead: boolean, { gone, pause, endpoints }: Admission): Ticket {
  if (gone.happened) throw new CallerGoneError('The caller has closed the connection.', call);
  const seconds = pause?.secondsLeft ?? 0;
  if (seconds > 0) throw new RateLimitedError(`The ${call.api} API asked to slow down.`, seconds, call);
  if (!endpoints) return 0;
  const ticket = endpoints.admit(call.endpoint, isRead);
  if (ticket > 0) return ticket;
  const message = `The ${call.api} API has failed too often at this endpoint, so it is not called there for now.`;
  throw new NotCalledError(message, call, endpoints.retrySeconds(call.endpoint));
}
