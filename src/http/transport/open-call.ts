import type { Api } from './api.ts';
import {
  advised,
  asError,
  CallerGoneError,
  type GatewayError,
  NotCalledError,
  TlsError,
  TooLargeError,
  UnreachableError,
  type UpstreamCall,
  UpstreamTimeoutError,
} from '../errors.ts';
import type { Breaker, Ticket } from './breaker.ts';
import type { CallObservation, CallObserver } from './call-observer.ts';
import type { QueueRefusal } from './connection-queue.ts';
import type { Departure, DepartureListener } from './departure.ts';
import type { Answer, ByteLimit, Outgoing } from './messages.ts';
import { isConnectionClosed, networkFailure } from './network-failure.ts';
import type { Turns } from './turns.ts';
import { type CallOwner, type Connections, headerValues, PendingCall, type RawResponse } from './pending-call.ts';

export interface OpenCallOptions {
  /** Undefined when the API has no address: the call then fails at once. */
  readonly connections: Connections | undefined;
  readonly breaker: Breaker;
  readonly turns: Turns;
  readonly api: Api;
  /** The whole path, with the query. */
  readonly path: string;
  readonly request: Outgoing;
  readonly call: UpstreamCall;
  /** The longest time that a caller waits for the response, in milliseconds. */
  readonly timeoutMs: number;
  /** Called when nobody may join the call any more: when it ends, before anybody learns how, or earlier. May be called twice. */
  readonly onOver?: (() => void) | undefined;
  readonly observer: CallObserver | undefined;
  /** Called with a message when no TLS connection could be made. */
  readonly onTlsFailure: (reason: string) => void;
}

/** A refusal is read for its message only, so its body is cut off at this size. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/**
 * A call under way. One caller waits for its response, or several do, each until its own deadline. The call is cancelled
 * when the last of them has given up.
 */
export class OpenCall implements CallOwner {
  readonly #options: OpenCallOptions;
  readonly #pending: PendingCall | undefined;
  readonly #waiting: Waiting[] = [];
  #ticket: Ticket = 0;
  #observation: CallObservation | undefined;
  #observedSince = 0;

  constructor(options: OpenCallOptions) {
    const { connections, path, request } = options;
    const { method, headers, body } = request;
    this.#options = options;
    this.#pending = connections && new PendingCall(connections, { method, path, headers, body }, this);
  }

  /**
   * Waits for the response on behalf of one caller. The first one sends the request. Must not be called after `onOver`.
   *
   * @param gone happens when the caller leaves; a caller stays for a write that was sent
   * @param timeoutMs deadline in milliseconds, when it is shorter than that of the upstream
   * @throws NotCalledError when upstream has just failed too often
   * @throws GatewayError when the network fails, the deadline passes, the caller leaves, or the response is too large
   */
  answer(gone: Departure, timeoutMs = Infinity): Promise<Answer> {
    const { api, call } = this.#options;
    const pending = this.#pending;
    if (!pending) {
      const error = new UnreachableError(`The ${api.name} API has no address`, call);
      this.#options.onOver?.();
      return Promise.reject(advised(error, `: set ${api.setting}.`));
    }
    const isFirst = this.#waiting.length === 0;
    if (isFirst) this.#beginObservation();
    if (!this.#mayWait(isFirst)) {
      const refusal = new NotCalledError(downMessage(api), call, RETRY_SECONDS);
      if (isFirst) this.#endObservation(undefined, refusal);
      return Promise.reject(refusal);
    }
    return new Promise((resolve, reject) => {
      const ms = Math.min(timeoutMs, this.#options.timeoutMs);
      this.#waiting.push(new Waiting({ call: this, gone, timeoutMs: ms, resolve, reject }));
      if (isFirst) pending.send(this.#observation?.headers);
    });
  }

  #mayWait(isFirst: boolean): boolean {
    const { breaker, request, onOver } = this.#options;
    if (isFirst) this.#ticket = breaker.admit(request.isRead);
    if (!breaker.isOpen) return true;
    onOver?.(); // the next caller may send a probe: it must not join a call that hangs
    return isFirst && this.#ticket > 0;
  }

  maxBytes(status: number): number {
    return isSuccess(status) ? this.#options.request.limit.bytes : MAX_REFUSAL_BYTES;
  }

  onResponse(response: RawResponse): void {
    const { api, breaker, turns, call, request } = this.#options;
    breaker.succeed(this.#ticket, this.#waiting.length);
    if (response.isWhole || !isSuccess(response.status)) {
      this.#endObservation(response.status, undefined);
      const answer = answerOf(response);
      for (const waiting of this.#allWaiting()) waiting.resolve(answer, turns);
    } else {
      const error = tooLarge(api, request.limit, { ...call, status: response.status });
      this.#endObservation(response.status, error);
      for (const waiting of this.#allWaiting()) waiting.reject(error);
    }
  }

  onDefect(error: Error): void {
    for (const waiting of this.#allWaiting()) waiting.reject(error);
  }

  mayRepeat(): boolean {
    return this.#options.breaker.mayRepeat();
  }

  onFailure(error: Error): void {
    const { api, breaker, call, connections, onTlsFailure } = this.#options;
    connections?.last.fail(performance.now());
    const failure = networkFailure(error, api, call, this.#pending?.wasSent === true);
    this.#endObservation(undefined, failure);
    if (failure instanceof TlsError) onTlsFailure(failure.message);
    for (const waiting of this.#allWaiting()) waiting.reject(failure);
    const isDown = failure instanceof UnreachableError || isConnectionClosed(error);
    if (isDown) breaker.fail(this.#ticket, failure.message);
  }

  onRefused(reason: QueueRefusal): void {
    const refusal = queueError(reason, this.#options);
    this.#endObservation(undefined, refusal);
    for (const waiting of this.#allWaiting()) waiting.reject(refusal);
  }

  /**
   * Ends the wait of a caller at its deadline. Only the deadline of the upstream is upstream's failure, not a shorter one. No
   * call reaches it in the queue, where half of that time is the limit.
   */
  onDeadline(waiting: Waiting, timeoutMs: number): void {
    const { api, breaker, call, connections } = this.#options;
    const message = `The ${api.name} API did not answer within ${timeoutMs / 1000} s.`;
    this.#giveUp(waiting, new UpstreamTimeoutError(message, call));
    if (timeoutMs !== this.#options.timeoutMs) return;
    connections?.last.fail(performance.now());
    breaker.fail(this.#ticket, message);
  }

  /** Ends the wait of a caller that leaves, unless it waits for a write that was sent. */
  onDeparture(waiting: Waiting): void {
    const { request, call } = this.#options;
    if (!request.isRead && this.#pending?.wasSent) return;
    const reason = new CallerGoneError('The caller has closed the connection.', call);
    this.#abandon(waiting, reason);
    waiting.rejectLater(reason);
  }

  #giveUp(waiting: Waiting, reason: GatewayError): void {
    this.#abandon(waiting, reason);
    waiting.reject(reason);
  }

  #abandon(waiting: Waiting, reason: GatewayError): void {
    this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
    if (this.#waiting.length === 0) {
      this.#options.onOver?.();
      this.#endObservation(undefined, reason);
      this.#pending?.cancel(reason);
    }
  }

  #beginObservation(): void {
    const { observer, api, call, request } = this.#options;
    if (!observer) return;
    const { method, isRead } = request;
    const template = call.endpoint.slice(method.length + 1);
    this.#observation = observer.begin({ api: api.name, method, template, isRead });
    this.#observedSince = performance.now();
  }

  #endObservation(status: number | undefined, error: GatewayError | undefined): void {
    const observation = this.#observation;
    if (!observation || !this.#pending) return;
    this.#observation = undefined;
    const { sentAt, bytes, retries } = this.#pending;
    const totalMs = performance.now() - this.#observedSince;
    const queueMs = sentAt === undefined ? totalMs : sentAt - this.#observedSince;
    observation.end({ status, bytes, retries, queueMs, totalMs, error });
  }

  #allWaiting(): Waiting[] {
    this.#options.onOver?.();
    return this.#waiting.splice(0);
  }
}

interface WaitingOptions {
  readonly call: OpenCall;
  readonly gone: Departure;
  readonly timeoutMs: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** A caller that waits for a call until its deadline. */
class Waiting implements DepartureListener {
  readonly #options: WaitingOptions;
  readonly #deadline: NodeJS.Timeout;

  constructor(options: WaitingOptions) {
    const { call, gone, timeoutMs } = options;
    this.#options = options;
    this.#deadline = setTimeout(() => call.onDeadline(this, timeoutMs), timeoutMs);
    gone.add(this);
  }

  onDeparture(): void {
    this.#options.call.onDeparture(this);
  }

  resolve(answer: Answer, turns: Turns): void {
    this.#end();
    try {
      turns.continue(() => this.#options.resolve(answer));
    } catch (error) {
      this.#options.reject(asError(error)); // a defect: nothing else would end this wait
    }
  }

  reject(error: Error): void {
    this.#end();
    this.#options.reject(error);
  }

  /** Rejects once the departures that have come with this one are known: all their calls end before any of their errors. */
  rejectLater(error: GatewayError): void {
    this.#end();
    setImmediate(this.#options.reject, error);
  }

  #end(): void {
    clearTimeout(this.#deadline);
    this.#options.gone.remove(this);
  }
}

/** The time after which a caller whose call was not sent should try again, in seconds. */
const RETRY_SECONDS = 1;

function downMessage({ name }: Api): string {
  return `The ${name} API has failed too often in the last seconds, so it is not called for now.`;
}

function queueError(reason: QueueRefusal, { api, call, connections, timeoutMs }: OpenCallOptions): NotCalledError {
  if (reason === 'down') return new NotCalledError(downMessage(api), call, RETRY_SECONDS);
  const isFull = reason === 'full';
  const what = isFull
    ? `${connections?.queue.maxWaiting} calls wait for a connection to the ${api.name} API`
    : `No connection to the ${api.name} API was free for ${timeoutMs / 2000} s`;
  const why = isFull ? 'as UPSTREAM_QUEUE allows' : 'half of UPSTREAM_TIMEOUT_MS';
  const advice = `, ${why}: raise UPSTREAM_CONNECTIONS if the API can answer more calls at once.`;
  return advised(new NotCalledError(what, call, RETRY_SECONDS), advice);
}

const isSuccess = (status: number) => status >= 200 && status < 300;

function tooLarge(api: Api, { bytes, setting }: ByteLimit, call: UpstreamCall): TooLargeError {
  const error = new TooLargeError(`The ${api.name} API answered more than ${bytes} bytes`, call);
  return advised(error, `: raise ${setting} if that is meant to be.`);
}

function answerOf({ status, headers, body, headMs, totalMs }: RawResponse): Answer {
  return {
    status,
    contentType: headerValues(headers, 'content-type')[0] ?? '',
    contentEncoding: headerValues(headers, 'content-encoding')[0] ?? '',
    retryAfter: headerValues(headers, 'retry-after')[0] ?? '',
    setCookies: headerValues(headers, 'set-cookie'),
    body,
    headMs,
    totalMs,
  };
}
