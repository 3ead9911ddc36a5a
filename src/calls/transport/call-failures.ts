import {
  advised,
  BreakerOpenError,
  type GatewayError,
  NotCalledError,
  QueuedTooLongError,
  TooLargeError,
  UnreachableError,
  type UpstreamCall,
  UpstreamTimeoutError,
} from '../../errors.ts';
import type { Api } from './api.ts';
import type { ConnectionQueue, QueueRefusal } from './connection-pool.ts';
import type { ByteLimit } from './messages.ts';

/** The API that was called, its queue and its deadline, as error messages name them. */
interface CalledApi {
  readonly api: Api;
  readonly queue: ConnectionQueue;
  /** UPSTREAM_TIMEOUT_MS */
  readonly timeoutMs: number;
}

/** `extensions.retryAfter` of a call that was not sent, in seconds. */
const RETRY_SECONDS = 1;

const MORE_CONNECTIONS = ': raise UPSTREAM_CONNECTIONS if the API can answer more calls at once.';

/** Creates the error of a call while the circuit breaker of the API is open. */
export function downError({ api }: CalledApi, name: UpstreamCall): BreakerOpenError {
  const message = `The ${api.name} API has failed too often in the last seconds, so it is not called for now.`;
  return new BreakerOpenError(message, name, RETRY_SECONDS);
}

/** Creates the error of a call that the queue for connections rejected. */
export function queueError(reason: QueueRefusal, called: CalledApi, name: UpstreamCall): GatewayError {
  const { api, queue, timeoutMs } = called;
  if (reason === 'down') return downError(called, name);
  if (reason === 'late') return queuedTooLong(called, name, `${timeoutMs / 2000} s, half of UPSTREAM_TIMEOUT_MS`);
  const what = `${queue.maxWaiting} calls wait for a connection to the ${api.name} API`;
  return advised(new NotCalledError(what, name, RETRY_SECONDS), `, as UPSTREAM_QUEUE allows${MORE_CONNECTIONS}`);
}

function queuedTooLong({ api, queue }: CalledApi, name: UpstreamCall, time: string): QueuedTooLongError {
  const count = queue.connections;
  const busy = count === 1 ? 'its only connection was' : `all ${count} connections were`;
  const error = new QueuedTooLongError(`The ${api.name} API was not called: ${busy} busy for ${time}`, name);
  return advised(error, MORE_CONNECTIONS);
}

/** Creates the error of a deadline, by the phase that the call was in. @param ms the deadline */
export function lateError(
  waitsFor: 'connection' | 'connecting' | 'answer',
  called: CalledApi,
  name: UpstreamCall,
  ms: number,
): GatewayError {
  const { api } = called;
  const time = `${ms / 1000} s`;
  if (waitsFor === 'connection') return queuedTooLong(called, name, time);
  if (waitsFor === 'answer')
    return new UpstreamTimeoutError(`The ${api.name} API did not answer within ${time}.`, name);
  const message = `The ${api.name} API cannot be reached: no connection was made within ${time}`;
  return advised(new UnreachableError(message, name), `, see ${api.setting}.`);
}

/** @param expected the size that the response would have, NaN where nothing tells it */
export function tooLargeError(api: Api, name: UpstreamCall, limit: ByteLimit, expected: number): TooLargeError {
  const { bytes, setting } = limit;
  const known = expected > bytes ? Math.round(expected) : undefined;
  const error = new TooLargeError(`The ${api.name} API answered more than ${bytes} bytes`, name, known);
  return advised(error, `: raise ${setting} if that is meant to be.`);
}
