import {
  advised,
  AnswerMemoryError,
  asError,
  CallerGoneError,
  type GatewayError,
  OpenFilesError,
  LateEndpointError,
  TooSlowError,
  UnreachableError,
  type UpstreamCall,
} from '../../errors.ts';
import { byteLength } from '../../formats/utf8.ts';
import type { AnswerMemory } from './answer-memory.ts';
import type { Api } from './api.ts';
import type { Breaker, Ticket } from './breaker.ts';
import type { CallObservation, CallObserver } from './call-observer.ts';
import type { Compression } from './compression.ts';
import type { ConnectionPool, ConnectionQueue, QueuedCall, QueueRefusal, RequestHandler } from './connection-pool.ts';
import { downError, type FailedCall, lateError, queueError, tooLargeError } from './call-failures.ts';
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

  /** Records an answer, of any status. Called for each: it writes four values. */
  answer(now: number, ms: number, status: number, date: string): void {
    this.answeredAt = now;
    this.answerMs = ms;
    this.answerStatus = status;
    this.answerDate = date;
  }
}

/** The connections to an upstream, the calls that wait for them, and the end of the last calls. */
export interface Connections {
  /** Replaced when its certificates are. */
  pool: ConnectionPool;
  readonly queue: ConnectionQueue;
  readonly last: LastCalls;
}

/** The settings and shared objects of all calls to one API, for the life of the process. */
export interface CallEnvironment {
  /** Undefined when the API has no address: each call then fails at once. */
  readonly connections: Connections | undefined;
  readonly breaker: Breaker;
  readonly turns: Turns;
  /** Of all upstreams. */
  readonly memory: AnswerMemory;
  readonly api: Api;
  /** The path of the API's base address, without a slash at its end. */
  readonly base: string;
  /** The deadline of a call, in milliseconds from its beginning. */
  readonly timeoutMs: number;
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
 * It learns when its request is sent on a connection, so the measured times exclude the wait for other calls of this process.
 */
export class Call implements RequestHandler, QueuedCall {
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
  /** Whether it has left the queue for a connection. */
  #hasConnection = false;
  #mayRepeat: boolean;
  #retries = 0;
  #firstSentAt: number | undefined;
  #sentAt = 0;
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
    this.#mayRepeat = request.method === 'GET';
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
    const { api, connections } = this.#environment;
    if (!connections) {
      const error = new UnreachableError(`The ${api.name} API has no address`, this.#name);
      this.#onOver?.();
      return Promise.reject(advised(error, `: set ${api.setting}.`));
    }
    const isFirst = this.#waiting.length === 0;
    if (isFirst) this.#beginObservation();
    if (!this.#mayWait(isFirst)) {
      const refusal = downError(this.#failed);
      if (isFirst) this.#endObservation(undefined, refusal);
      return Promise.reject(refusal);
    }
    return new Promise((resolve, reject) => {
      const ownMs = timeoutMs < this.#environment.timeoutMs ? timeoutMs : undefined;
      const waiting = new Waiting(this, gone, { timeoutMs: ownMs, capMs }, resolve, reject);
      this.#waiting.push(waiting);
      if (this.#wasSent) waiting.onSent();
      if (!isFirst) return;
      this.#deadline = setTimeout(() => this.#onDeadline(), this.#environment.timeoutMs);
      connections.queue.enter(this);
    });
  }

  #mayWait(isFirst: boolean): boolean {
    const { breaker } = this.#environment;
    if (isFirst) this.#ticket = breaker.admit(this.#request.isRead);
    if (!breaker.isOpen) return true;
    this.#onOver?.(); // the next caller may send a probe: it must not join a call that hangs
    return isFirst && this.#ticket > 0;
  }

  onFree(hasWaited: boolean): boolean {
    const refusal = hasWaited && this.#request.guard?.refusal(this.#name);
    if (refusal) this.#fail(refusal);
    else this.#dispatch();
    return !refusal;
  }

  #dispatch(): void {
    const { connections, base } = this.#environment;
    this.#hasConnection = true;
    const { method, target, headers: own, body } = this.#request;
    const observed = this.#observation?.headers;
    const headers = observed ? { ...own, ...observed } : own;
    connections?.pool.dispatch({ method, path: `${base}${target}`, headers, body }, this);
  }

  onRefused(reason: QueueRefusal): void {
    this.#fail(queueError(reason, this.#failed, this.#environment.timeoutMs));
  }

  onConnecting(abort: (error: Error) => void): void {
    this.#abort = abort;
  }

  onConnect(abort: (error?: Error) => void): void {
    if (this.#isOver) return abort();
    this.#abort = abort;
    this.#sentAt = performance.now();
    this.#firstSentAt ??= this.#sentAt;
    this.#request.onSent?.();
    for (const waiting of this.#waiting) waiting.onSent();
  }

  onHead(status: number, head: ResponseHead): void {
    this.#headMs = performance.now() - this.#sentAt;
    this.#status = status;
    this.#head = head;
    this.#bytesLeft = isSuccess(status) ? this.#request.limit.bytes : MAX_REFUSAL_BYTES;
    if (isSuccess(status) && Number(head.contentLength) > this.#bytesLeft) return void this.#endTooLarge();
    const coding = codingOf(head.contentEncoding);
    if (!coding) return;
    const onGrow = (bytes: number) => void this.#grow(bytes);
    this.#unpacking = new Unpacking(coding, this.#bytesLeft, (unpacked) => this.#onUnpacked(unpacked), onGrow);
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
    return this.#endTooLarge();
  }

  onComplete(): void {
    const { connections, turns } = this.#environment;
    const leave = () => this.#guarded(() => connections?.queue.leave());
    const namesTime = this.#head.retryAfter !== '';
    if (!namesTime) leave();
    if (this.#unpacking) this.#unpacking.end();
    else this.#guarded(() => this.#respond(true));
    // The credential is paused before the next call in the queue, which may be one of the same credential, is sent.
    if (namesTime) turns.continue(() => void setImmediate(leave));
  }

  #onUnpacked(unpacked: Unpacked): void {
    if (unpacked === 'too large') return void this.#endTooLarge();
    if (unpacked === 'whole') this.#head = { ...this.#head, contentEncoding: '' };
    this.#guarded(() => this.#respond(true));
  }

  /**
   * Takes memory for a part of the body. A read ends where there is not enough of it; a write was carried out, whatever its body.
   *
   * @returns whether the call goes on
   */
  #grow(bytes: number): boolean {
    if (this.#isOver) return false;
    if (this.#environment.memory.take(bytes)) this.#heldBytes += bytes;
    else if (this.#request.isRead) {
      this.#guarded(() => this.#fail(new AnswerMemoryError(this.#name), this.#status));
      this.#abort?.(new Error('There is no memory for the response.'));
    }
    return !this.#isOver;
  }

  /** @returns true, as undici's handlers do: more may come */
  #endTooLarge(): true {
    this.#guarded(() => this.#respond(false));
    this.#abort?.(new Error('The response is larger than its limit.'));
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
    const { connections, breaker } = this.#environment;
    if (this.#isOver) {
      // Cancelled because its caller left. The next call in the queue may be of one who leaves in the same moment.
      setImmediate(() => connections?.queue.leave());
      return;
    }
    const isRepeatable = this.#mayRepeat && this.#status === 0 && isConnectionClosed(error);
    if (isRepeatable && breaker.mayRepeat()) {
      this.#mayRepeat = false;
      this.#retries += 1;
      queueMicrotask(() => this.#dispatch()); // undici has yet to take the closed connection out of its pool
      return;
    }
    this.#onFailure(error);
    connections?.queue.leave();
  }

  #onFailure(error: Error): void {
    const { api, breaker, connections, onConnectFailure } = this.#environment;
    const failure = networkFailure(error, api, this.#name, this.#wasSent);
    if (isAboutCertificates(error)) onConnectFailure('no TLS connection to an upstream', failure.message);
    if (failure instanceof OpenFilesError) onConnectFailure('too many open files', failure.message);
    else if (connections) connections.last.failedAt = performance.now();
    this.#fail(failure);
    if (isDown(error, this.#wasSent)) breaker.fail(this.#ticket, failure.message);
  }

  /** Runs a step. undici would take an error of it for one of the network. */
  #guarded(step: () => unknown): void {
    try {
      step();
    } catch (error) {
      this.#endObservation(undefined, undefined);
      const waiting = this.#end();
      this.#abort?.(asError(error));
      for (const caller of waiting) caller.reject(asError(error));
    }
  }

  #respond(isWhole: boolean): void {
    if (this.#isOver) return;
    const { breaker, connections, turns } = this.#environment;
    const [status, now] = [this.#status, performance.now()];
    const totalMs = now - this.#sentAt;
    connections?.last.answer(now, totalMs, status, this.#head.date);
    breaker.succeed(this.#ticket);
    if (!isWhole && isSuccess(status)) {
      const failed = { ...this.#failed, name: { ...this.#name, status } };
      return this.#fail(tooLargeError(failed, this.#request.limit, this.#expectedBytes()), status);
    }
    this.#endObservation(status, undefined);
    const answer = this.#answerWithin(totalMs);
    if (status === 200 && this.#request.isRead) this.#measure(answer);
    const heldBytes = this.#heldBytes;
    this.#heldBytes = 0;
    for (const waiting of this.#end()) waiting.resolve(answer, turns);
    if (heldBytes > 0) turns.continue(() => this.#environment.memory.give(heldBytes)); // the body waits for its turn until then
  }

  /** Ends the call for all who wait. */
  #fail(error: GatewayError, status?: number): void {
    this.#endObservation(status, error);
    for (const waiting of this.#end()) waiting.reject(error);
  }

  /** Ends the call. Returns those who wait for it, who are told by the caller of this method. */
  #end(): Waiting[] {
    this.#isOver = true;
    this.#environment.memory.give(this.#heldBytes);
    this.#heldBytes = 0;
    clearTimeout(this.#deadline);
    this.#unpacking?.cancel();
    this.#onOver?.();
    return this.#waiting.splice(0);
  }

  #answerWithin(totalMs: number): Answer {
    const packed = this.#unpacking;
    const { contentType, contentEncoding, contentLength, retryAfter, setCookies } = this.#head;
    const { etag, lastModified, date, cacheControl, keepAlive, link, contentRange, totalCount } = this.#head;
    // Field by field: a spread of so many takes 6 µs.
    return {
      status: this.#status,
      contentType,
      contentEncoding,
      contentLength,
      retryAfter,
      etag,
      lastModified,
      date,
      cacheControl,
      keepAlive,
      link,
      contentRange,
      totalCount,
      setCookies,
      body: packed ? packed.body : this.#body,
      packedBytes: packed?.packedBytes,
      headMs: this.#headMs,
      totalMs,
    };
  }

  #measure({ body, packedBytes, headMs, totalMs }: Answer): void {
    const bytes = byteLength(body);
    this.#environment.compression.record(this.#name.endpoint, { bytes, packedBytes, headMs, totalMs });
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
    const { breaker, connections, timeoutMs } = this.#environment;
    const late = this.#lateAfter(timeoutMs);
    const isOfEndpoint = this.#wasSent && connections && connections.last.answeredAt > this.#sentAt;
    const reason = isOfEndpoint ? new LateEndpointError(late.message, this.#name) : late;
    this.#fail(reason);
    this.#cancel(reason);
    if (connections) connections.last.failedAt = performance.now();
    if (!isOfEndpoint) breaker.fail(this.#ticket, reason.message);
  }

  /**
   * Ends the wait of a caller whose own deadline comes first. That is not a failure of upstream. The wait for a write that was sent
   * goes on.
   */
  onOwnDeadline(waiting: Waiting, timeoutMs: number): void {
    const reason = this.#lateAfter(timeoutMs);
    if (this.#wasSent && this.#request.onLate) return this.#request.onLate(reason);
    this.#abandon(waiting, reason);
    waiting.reject(reason);
  }

  /** Rejects one waiter when the time since sending exceeds its cap, unless other calls to the API are as slow. */
  onCap(waiting: Waiting, capMs: number): void {
    const { answeredAt = 0, answerMs = 0 } = this.#environment.connections?.last ?? {};
    const isApiLate = answeredAt > this.#sentAt && answerMs > capMs / 2;
    if (isApiLate) return waiting.startCap();
    const reason = new TooSlowError(this.#lateAfter(capMs).message, this.#name);
    this.#abandon(waiting, reason);
    waiting.reject(reason);
  }

  #lateAfter(ms: number): GatewayError {
    const waitsFor = this.#hasConnection ? 'connecting' : 'connection';
    return lateError(this.#wasSent ? 'answer' : waitsFor, this.#failed, ms);
  }

  get #failed(): FailedCall {
    const { api, connections } = this.#environment;
    return { api, name: this.#name, queue: connections?.queue };
  }

  /** Ends the wait of a caller that leaves, unless it waits for a write that was sent. */
  onDeparture(waiting: Waiting): void {
    if (!this.#request.isRead && this.#wasSent) return;
    const reason = new CallerGoneError('The caller has closed the connection.', this.#name);
    this.#abandon(waiting, reason);
    waiting.rejectLater(reason);
  }

  /** Cancels the call when nobody else waits for it. */
  #abandon(waiting: Waiting, reason: GatewayError): void {
    this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
    if (this.#waiting.length > 0) return;
    this.#end();
    this.#endObservation(undefined, reason);
    this.#cancel(reason);
  }

  /** Leaves the queue, or closes the connection, also one that is being made. */
  #cancel(reason: GatewayError): void {
    if (!this.#environment.connections?.queue.remove(this)) this.#abort?.(reason);
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
