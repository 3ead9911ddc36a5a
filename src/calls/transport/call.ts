import { type Dispatcher, errors } from 'undici';
import {
  advised,
  AnswerMemoryError,
  asError,
  CallerGoneError,
  GatewayError,
  OpenFilesError,
  LateEndpointError,
  TooSlowError,
  UnreachableError,
  type UpstreamCall,
  UpstreamTimeoutError,
} from '../../errors.ts';
import { byteLength } from '../../formats/utf8.ts';
import type { AnswerMemory } from './answer-memory.ts';
import type { Api } from './api.ts';
import type { Breaker, Ticket } from './breaker.ts';
import type { CallObservation, CallObserver } from './call-observer.ts';
import type { Compression } from './compression.ts';
import type { Connection, ConnectionPool, ConnectionQueue, QueuedCall, QueueRefusal } from './connection-pool.ts';
import { downError, lateError, queueError, tooLargeError } from './call-failures.ts';
import type { Departure } from './departure.ts';
import { codingOf, type Answer, type Deadlines, type Outgoing, type ResponseHead, responseHead } from './messages.ts';
import { isAboutCertificates, isConnectionClosed, isDown, networkFailure } from './network-failure.ts';
import type { Turns } from './turns.ts';
import { type Unpacked, Unpacking } from './unpacking.ts';
import { Waiting } from './waiting.ts';

/** When calls to an upstream ended last, in milliseconds of `performance.now()`; 0 before the first one. */
export class LastCalls {
  answeredAt = 0;
  /** The duration of the last answer in milliseconds, without the wait for a connection. */
  answerMs = 0;
  /** The status of the last answer. */
  answerStatus = 0;
  /** The `Date` header of the last answer; empty where it had none. */
  answerDate = '';
  /** When a connection failed, or a response was not complete in time. */
  failedAt = 0;
}

/** The settings and shared objects of all calls to one API, for the life of the process. */
export interface CallEnvironment {
  readonly api: Api;
  /** Without an address each call fails at once. */
  readonly hasAddress: boolean;
  /** The path of the API's base address, without a slash at its end. */
  readonly base: string;
  /** The deadline of a call, in milliseconds from its beginning. */
  readonly timeoutMs: number;
  readonly pool: ConnectionPool;
  readonly queue: ConnectionQueue;
  readonly lastCalls: LastCalls;
  readonly breaker: Breaker;
  readonly turns: Turns;
  /** Of all upstreams. */
  readonly memory: AnswerMemory;
  readonly observer: CallObserver | undefined;
  readonly compression: Compression;
  /** Called when TLS, or a lack of files, let no connection be made. */
  readonly onConnectFailure: (message: string, reason: string) => void;
}

/** A refusal is read for its message only, so its body is cut off at this size. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/** That of a response which has not come yet. */
const NO_HEAD = responseHead([]);

/**
 * One call to an upstream: waits for its turn, dispatches the request, collects the response, and gives it to those who wait.
 * One caller does, or several. It has one deadline from its beginning, and is cancelled when the last caller has given up before.
 *
 * A GET is sent once more, if the breaker allows it, when the server closed the connection before any response: that happens
 * to connections that were kept open. A write is never repeated, because upstream may have carried it out.
 *
 * It is the handler of undici's `dispatch`: `request` does not tell when the request is sent, and the measured times exclude the
 * wait for other calls of this process. Of the two kinds of handlers it is the one that gets the headers as they came: for the
 * other kind undici builds an object of all headers, at 4 µs a call.
 */
export class Call implements Dispatcher.DispatchHandler, QueuedCall {
  readonly #environment: CallEnvironment;
  readonly #request: Outgoing;
  readonly #name: UpstreamCall;
  readonly #onOver: (() => void) | undefined;
  readonly #waiting: Waiting[] = [];
  #ticket: Ticket = 0;
  #observation: CallObservation | undefined;
  #observedSince = 0;

  /** Whether its end is known, or nobody waits for it any more. */
  #isOver = false;
  #deadline: NodeJS.Timeout | undefined;
  /** Undefined until it has left the queue, and once the connection has failed. */
  #connection: Connection | undefined;
  #retries = 0;
  #firstSentAt: number | undefined;
  #sentAt = 0;
  /** Undefined until the request is sent on its connection. */
  #abort: ((error: Error) => void) | undefined;
  #headMs = 0;
  /** 0 before the response. */
  #status = 0;
  #head: ResponseHead = NO_HEAD;
  readonly #body: Uint8Array[] = [];
  #bytesLeft = 0;
  /** The size of the body so far, as `AnswerMemory` counts it. */
  #heldBytes = 0;
  /** Undefined for a body that is not packed. */
  #unpacking: Unpacking | undefined;

  /**
   * @param name as errors name it
   * @param onOver called when nobody may join the call any more: when it ends, before anybody learns how, or earlier. May be
   *   called twice
   */
  constructor(environment: CallEnvironment, request: Outgoing, name: UpstreamCall, onOver?: () => void) {
    this.#environment = environment;
    this.#request = request;
    this.#name = name;
    this.#onOver = onOver;
  }

  /**
   * Waits for the response on behalf of one caller. The first one sends the request. Must not be called after `onOver`.
   *
   * @param gone happens when the caller leaves; a caller stays for a write that was sent
   * @throws BreakerOpenError when upstream has just failed too often
   * @throws TooSlowError when the cap of this caller passes
   * @throws GatewayError when the network fails, the deadline passes, the caller leaves, or the response is too large
   */
  answer(gone: Departure, { timeoutMs = Infinity, capMs }: Deadlines = {}): Promise<Answer> {
    const { api, breaker, hasAddress, queue, timeoutMs: wholeMs } = this.#environment;
    if (!hasAddress) {
      const error = new UnreachableError(`The ${api.name} API has no address`, this.#name);
      this.#onOver?.();
      return Promise.reject(advised(error, `: set ${api.setting}.`));
    }
    const isFirst = this.#waiting.length === 0;
    if (isFirst) {
      this.#beginObservation();
      this.#ticket = breaker.admit(this.#request.isRead);
    }
    if (breaker.isOpen) {
      this.#onOver?.(); // the next caller may send a probe: it must not join a call that hangs
      if (!isFirst || this.#ticket === 0) {
        const refusal = downError(this.#environment, this.#name);
        if (isFirst) this.#endObservation(undefined, refusal);
        return Promise.reject(refusal);
      }
    }
    return new Promise((resolve, reject) => {
      const ownMs = timeoutMs < wholeMs ? timeoutMs : undefined;
      const waiting = new Waiting(this, gone, { timeoutMs: ownMs, capMs }, resolve, reject);
      this.#waiting.push(waiting);
      if (this.#wasSent) waiting.startCap();
      if (!isFirst) return;
      this.#deadline = setTimeout(() => this.#onDeadline(), wholeMs);
      queue.enter(this);
    });
  }

  onFree(hasWaited: boolean): boolean {
    const refusal = hasWaited && this.#request.guard?.refusal(this.#name);
    if (refusal) this.#fail(refusal);
    else this.#dispatch();
    return !refusal;
  }

  onRefused(reason: QueueRefusal): void {
    this.#fail(queueError(reason, this.#environment, this.#name));
  }

  #dispatch(): void {
    const { pool, base } = this.#environment;
    const { method, target, headers: own, body } = this.#request;
    const observed = this.#observation?.headers;
    const headers = observed ? { ...own, ...observed } : own;
    this.#abort = undefined;
    this.#connection = pool.take(method === 'GET');
    this.#connection.send({ method, path: `${base}${target}`, headers, body }, this);
  }

  onConnect(abort: (error?: Error) => void): void {
    if (this.#isOver) return abort();
    this.#abort = abort;
    this.#sentAt = performance.now();
    this.#firstSentAt ??= this.#sentAt;
    this.#request.onSent?.();
    for (const waiting of this.#waiting) waiting.startCap();
  }

  onHeaders(status: number, headers: Buffer[]): boolean {
    if (status < 200) return true; // an informational status: the response itself follows
    const head = responseHead(headers);
    this.#headMs = performance.now() - this.#sentAt;
    this.#status = status;
    this.#head = head;
    this.#bytesLeft = isSuccess(status) ? this.#request.limit.bytes : MAX_REFUSAL_BYTES;
    if (isSuccess(status) && Number(head.contentLength) > this.#bytesLeft) return this.#respondAtOnce(false);
    const coding = codingOf(head.contentEncoding);
    if (!coding) return true;
    const onGrow = (bytes: number) => void this.#grow(bytes);
    this.#unpacking = new Unpacking(coding, this.#bytesLeft, (unpacked) => this.#onUnpacked(unpacked), onGrow);
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (!this.#grow(chunk.length)) return true;
    if (chunk.length <= this.#bytesLeft) {
      this.#bytesLeft -= chunk.length;
      if (this.#unpacking) this.#unpacking.add(chunk);
      else this.#body.push(chunk);
      return true;
    }
    if (!this.#unpacking) this.#body.push(chunk.subarray(0, this.#bytesLeft));
    return this.#respondAtOnce(false);
  }

  onComplete(): void {
    const { pool, queue, turns } = this.#environment;
    const namesTime = this.#head.retryAfter !== '';
    if (this.#connection) pool.free(this.#connection, this.#head.keepAlive);
    this.#guarded(() => {
      if (!namesTime) queue.leave();
      if (this.#unpacking) this.#unpacking.end();
      else this.#respond(true);
    });
    // The credential is paused before the next call in the queue, which may be one of the same credential, is sent.
    if (namesTime) turns.continue(() => void setImmediate(() => this.#guarded(() => queue.leave())));
  }

  #onUnpacked(unpacked: Unpacked): void {
    if (unpacked === 'whole') Object.assign(this.#head, { contentEncoding: '' });
    this.#respondAtOnce(unpacked !== 'too large');
  }

  /**
   * Takes memory for a part of the body. A read ends where there is not enough of it; a write was carried out, whatever its body.
   *
   * @returns whether the call goes on
   */
  #grow(bytes: number): boolean {
    if (this.#isOver) return false;
    if (this.#environment.memory.take(bytes)) this.#heldBytes += bytes;
    else if (this.#request.isRead) this.#stop(new AnswerMemoryError(this.#name), this.#status);
    return !this.#isOver;
  }

  /**
   * Responds, and closes the connection if more of the body could come: no deadline counts for it any more.
   *
   * @returns true, as undici's handlers do
   */
  #respondAtOnce(isWhole: boolean): true {
    this.#guarded(() => this.#respond(isWhole));
    this.#abort?.(new Error('The rest of the response is not read.'));
    return true;
  }

  /** The size of the whole body, as far as its head and what has come of it tell. NaN when they do not. */
  #expectedBytes(): number {
    const length = this.#head.contentLength === '' ? Number.NaN : Number(this.#head.contentLength);
    const packed = this.#unpacking;
    return packed ? (length * byteLength(packed.body)) / packed.packedBytes : length;
  }

  /** After a dispatch undici calls either this or `onComplete`, once: also for a call that was cancelled. */
  onError(error: Error): void {
    const { breaker, pool, queue } = this.#environment;
    const isClosed = this.#status === 0 && isConnectionClosed(error);
    const isUnanswered = isClosed || (this.#status === 0 && error instanceof UpstreamTimeoutError);
    if (this.#connection) pool.close(this.#connection, isUnanswered);
    this.#connection = undefined;
    // A 204 or 304 has no body, whatever `Content-Length` says (RFC 9112, 6.3). undici expects one, except after HEAD.
    const isBodiless = this.#status === 204 || this.#status === 304;
    if (isBodiless && error instanceof errors.ResponseContentLengthMismatchError) return this.onComplete();
    if (this.#isOver) {
      // Cancelled because its caller left. The next call in the queue may be of one who leaves in the same moment.
      setImmediate(() => queue.leave());
      return;
    }
    if (isClosed && this.#request.method === 'GET' && this.#retries === 0 && breaker.mayRepeat()) {
      this.#retries += 1;
      queueMicrotask(() => this.#dispatch()); // undici has yet to take the closed connection out of its pool
      return;
    }
    this.#onFailure(error);
    queue.leave();
  }

  #onFailure(error: Error): void {
    const environment = this.#environment;
    const { api, breaker, lastCalls } = environment;
    const failure = networkFailure(error, api, this.#name, this.#wasSent);
    if (isAboutCertificates(error)) environment.onConnectFailure('no TLS connection to an upstream', failure.message);
    if (failure instanceof OpenFilesError) environment.onConnectFailure('too many open files', failure.message);
    else lastCalls.failedAt = performance.now();
    this.#fail(failure);
    if (isDown(error, this.#wasSent)) breaker.fail(this.#ticket, failure.message);
  }

  /** Runs a step. undici would take an error of it for one of the network. */
  #guarded(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#stop(asError(error));
    }
  }

  #respond(isWhole: boolean): void {
    if (this.#isOver) return;
    const { breaker, compression, lastCalls, turns } = this.#environment;
    const [status, headMs, now] = [this.#status, this.#headMs, performance.now()];
    const totalMs = now - this.#sentAt;
    Object.assign(lastCalls, { answeredAt: now, answerMs: totalMs, answerStatus: status, answerDate: this.#head.date });
    breaker.succeed(this.#ticket);
    if (!isWhole && isSuccess(status)) {
      const name = { ...this.#name, status };
      const error = tooLargeError(this.#environment.api, name, this.#request.limit, this.#expectedBytes());
      return this.#fail(error, status);
    }
    this.#endObservation(status, undefined);
    const body = this.#unpacking?.body ?? this.#body;
    const packedBytes = this.#unpacking?.packedBytes;
    if (status === 200 && this.#request.isRead)
      compression.record(this.#name.endpoint, { bytes: byteLength(body), packedBytes, headMs, totalMs });
    // Added to the head: a spread of so many fields takes 6 µs.
    const answer = Object.assign(this.#head, { status, body, packedBytes, headMs, totalMs });
    this.#end();
    for (const { resolve } of this.#waiting) turns.continue(() => resolve(answer));
    turns.continue(() => this.#giveMemory()); // the body waits for its turn until then
  }

  /** Ends the call for all who wait. */
  #fail(error: Error, status?: number): void {
    this.#endObservation(status, error instanceof GatewayError ? error : undefined);
    this.#end();
    this.#giveMemory();
    for (const { reject } of this.#waiting) reject(error);
  }

  /** Ends the call before its response: leaves the queue, or closes the connection, also one that is being made. */
  #stop(reason: Error, status?: number): void {
    this.#fail(reason, status);
    if (this.#environment.queue.remove(this)) return;
    if (this.#abort) this.#abort(reason);
    else this.#connection?.connecting?.destroy(reason);
  }

  /** Ends the call, and all waits for it: who calls this tells those who wait how. */
  #end(): void {
    this.#isOver = true;
    clearTimeout(this.#deadline);
    for (const waiting of this.#waiting) waiting.end();
    this.#unpacking?.cancel();
    this.#onOver?.();
  }

  #giveMemory(): void {
    this.#environment.memory.give(this.#heldBytes);
    this.#heldBytes = 0;
  }

  /** Whether the request was sent on a connection. */
  get #wasSent(): boolean {
    return this.#firstSentAt !== undefined;
  }

  /**
   * Ends the call at its deadline. Counts for the breaker of the API only if no other call was answered since this one was sent:
   * one slow list of one caller must not open it for all callers.
   */
  #onDeadline(): void {
    const { breaker, lastCalls, timeoutMs } = this.#environment;
    const late = this.#lateAfter(timeoutMs);
    const isOfEndpoint = this.#wasSent && lastCalls.answeredAt > this.#sentAt;
    const reason = isOfEndpoint ? new LateEndpointError(late.message, this.#name) : late;
    this.#stop(reason);
    lastCalls.failedAt = performance.now();
    if (!isOfEndpoint) breaker.fail(this.#ticket, reason.message);
  }

  /**
   * Ends the wait of a caller whose own deadline comes first. That is not a failure of upstream. The wait for a write that was sent
   * goes on.
   */
  onOwnDeadline(waiting: Waiting, timeoutMs: number): void {
    const reason = this.#lateAfter(timeoutMs);
    if (this.#wasSent && this.#request.onLate) this.#request.onLate(reason);
    else this.#abandon(waiting, reason);
  }

  /** Rejects one waiter when the time since sending exceeds its cap, unless other calls to the API are as slow. */
  onCap(waiting: Waiting, capMs: number): void {
    const { answeredAt, answerMs } = this.#environment.lastCalls;
    if (answeredAt > this.#sentAt && answerMs > capMs / 2) waiting.startCap();
    else this.#abandon(waiting, new TooSlowError(this.#lateAfter(capMs).message, this.#name));
  }

  #lateAfter(ms: number): GatewayError {
    const waitsFor = this.#connection ? 'connecting' : 'connection';
    return lateError(this.#wasSent ? 'answer' : waitsFor, this.#environment, this.#name, ms);
  }

  /** Ends the wait of a caller that leaves, unless it waits for a write that was sent. */
  onDeparture(waiting: Waiting): void {
    if (!this.#request.isRead && this.#wasSent) return;
    this.#abandon(waiting, new CallerGoneError('The caller has closed the connection.', this.#name));
  }

  /**
   * Ends the wait of one caller, and the call when nobody else waits for it. The caller learns it once the departures that have
   * come with its own are known: all their calls end before any of their errors.
   */
  #abandon(waiting: Waiting, reason: GatewayError): void {
    waiting.end();
    this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
    if (this.#waiting.length === 0) this.#stop(reason);
    setImmediate(waiting.reject, reason);
  }

  /** Milliseconds since the request was sent first; 0 before. */
  ageAt(now: number): number {
    return this.#firstSentAt === undefined ? 0 : now - this.#firstSentAt;
  }

  #beginObservation(): void {
    const { observer, api } = this.#environment;
    if (!observer) return;
    const { method, isRead } = this.#request;
    const template = this.#name.endpoint.slice(method.length + 1);
    this.#observation = observer.begin({ api: api.name, method, template, isRead });
    this.#observedSince = performance.now();
  }

  #endObservation(status: number | undefined, error: GatewayError | undefined): void {
    const observation = this.#observation;
    if (!observation) return;
    this.#observation = undefined;
    const bytes = byteLength(this.#unpacking?.body ?? this.#body);
    const receivedBytes = this.#unpacking?.packedBytes ?? bytes;
    const totalMs = performance.now() - this.#observedSince;
    const queueMs = this.#firstSentAt === undefined ? totalMs : this.#firstSentAt - this.#observedSince;
    observation.end({ status, bytes, receivedBytes, retries: this.#retries, queueMs, totalMs, error });
  }
}

const isSuccess = (status: number) => status >= 200 && status < 300;
