import { BreakerOpenError, CallerGoneError, LateEndpointError } from '../errors.ts';
import { claim, type Exchange, generationOf } from './exchange.ts';
import type { SharedCalls } from './shared-calls.ts';
import type { Way } from './step.ts';
import type { Call } from './transport/call.ts';

/**
 * Waits until a read by id may be sent: together with those that are asked for in the same tick. Its time tells how long others take.
 * A failure by a deadline of its own says nothing of the reads that wait.
 */
export function queued<Body, Result>(next: Way<Exchange<Body>, Result>): Way<Exchange<Body>, Result> {
  return async (exchange) => {
    const { session, call, request, isList } = exchange;
    if (isList) return next(exchange);
    await session.queue.enter(call);
    let failure: unknown;
    try {
      const result = await next(exchange);
      if (exchange.isFirst) session.api.readCost.recordRead(exchange.answer.totalMs);
      return result;
    } catch (error) {
      if (request.timeoutMs === undefined) failure = error;
      throw error;
    } finally {
      session.queue.leave(call, failure);
    }
  };
}

/**
 * Lets one read try an API or endpoint that is not called because it has failed: the other reads of the session, which are refused
 * meanwhile, wait for that one, and are sent then or fail together.
 */
export function tried<Body, Result>(next: Way<Exchange<Body>, Result>): Way<Exchange<Body>, Result> {
  return async (exchange) => {
    const { trials } = exchange.session;
    for (let mayWait = true; ; mayWait = false) {
      let wasRefused = false;
      trials.begin();
      try {
        return await next(exchange);
      } catch (error) {
        wasRefused = error instanceof BreakerOpenError;
        if (!wasRefused || !mayWait || trials.isAlone) throw error;
      } finally {
        trials.end(wasRefused);
      }
      await trials.wait();
    }
  };
}

/**
 * Refuses a call whose caller has left or was asked by upstream to wait, and one of an endpoint that has just failed too often.
 *
 * @throws CallerGoneError, RateLimitedError or BreakerOpenError
 */
export function admitted<Body, Attempt, Result>(
  next: Way<Exchange<Body, Attempt>, Result>,
): Way<Exchange<Body, Attempt>, Result> {
  return (exchange) => {
    const { call, session, isRead } = exchange;
    const { credentialState, operation } = session;
    if (operation.gone.happened) throw new CallerGoneError('The caller has closed the connection.', call);
    exchange.ticket = credentialState?.admit(call, isRead) ?? 0;
    return next(exchange);
  };
}

/** Counts the call. A read that joins the call of another one counts, too. @throws QueryLimitError when the operation has no call or no time left */
export function budgeted<Body, Attempt, Result>(
  next: Way<Exchange<Body, Attempt>, Result>,
): Way<Exchange<Body, Attempt>, Result> {
  return (exchange) => {
    exchange.session.operation.budget.spend(exchange.call);
    return next(exchange);
  };
}

/**
 * Joins the call of an identical read of the same credential, unless a write of what it shows began or ended since that one began:
 * that is another generation. The same URL with another byte limit is another read, too. The request of a call of its own is made here:
 * steps that change it come before.
 */
export function joined<Body>(calls: SharedCalls<Body>) {
  return <Result>(next: Way<Exchange<Body>, Result>): Way<Exchange<Body>, Result> =>
    (exchange) => {
      const { session, request, callLimit, lookup } = exchange;
      const { credentialState } = session;
      const generation = exchange.generation ?? generationOf(session, exchange.call.endpoint);
      if (!credentialState || generation?.shared === undefined) return next(exchange);
      const key = `${generation.own}${generation.shared} ${callLimit.bytes} ${request.path.path}`;
      const credential = credentialState.credential();
      const shared = calls.join(credential, key, exchange.call.endpoint);
      exchange.hasJoined = shared !== undefined;
      exchange.shared = shared ?? calls.start(credential, key, lookup?.asked, (onOver) => open(exchange, onOver));
      return next(exchange);
    };
}

/**
 * Sends the request, or waits for the call that it has joined. A timeout of one endpoint counts for the breaker of that endpoint and
 * credential, once for each call.
 *
 * @throws GatewayError for a failure of the network, and at a deadline
 */
export function sent<Body, Attempt, Result>(
  next: Way<Exchange<Body, Attempt>, Result>,
): Way<Exchange<Body, Attempt>, Result> {
  return async (exchange) => {
    const { session, method, request, call, shared, cap } = exchange;
    const { operation, trace } = session;
    const opened = shared?.call ?? open(exchange);
    const msLeft = Math.max(1, Math.ceil(operation.budget.msLeft));
    const timeoutMs = Math.min(request.timeoutMs ?? Infinity, msLeft);
    const answering = opened.answer(operation.gone, { timeoutMs, capMs: cap?.ms });
    if (method === 'GET') trace?.beginRead(call, request.path, answering, exchange.hasJoined);
    else trace?.beginRequest(call, answering);
    try {
      exchange.answer = await answering;
    } catch (error) {
      if (error instanceof LateEndpointError && claim(shared))
        session.credentialState?.failed(call.endpoint, exchange.ticket, error.message);
      throw error;
    }
    return next(exchange);
  };
}

/** Makes the call of a request, whose first waiter sends it. @param onOver called when nobody may join it any more */
function open<Body>(exchange: Exchange<Body, unknown>, onOver?: () => void): Call {
  const { session, method, request, headers, body, call, isRead } = exchange;
  const { upstream } = session.api;
  const isPacked = isRead && upstream.compression.asksAt(call.endpoint);
  const own = session.headers(request.headers, isPacked);
  const outgoing = {
    method,
    target: request.path.path,
    headers: headers ? { ...own, ...headers } : own,
    body,
    isRead,
    limit: exchange.callLimit,
    guard: session.credentialState,
    onSent: request.onSent,
    onLate: request.onLate,
  };
  return upstream.open(outgoing, call, onOver);
}
