import type { Dispatcher, Pool } from 'undici';
import { asError } from '../errors.ts';
import type { ConnectionQueue, QueuedCall, QueueRefusal } from './connection-queue.ts';
import type { LastCalls } from './last-calls.ts';
import { isConnectionClosed } from './network-failure.ts';

/** A response as undici delivers it. */
export interface RawResponse {
  readonly status: number;
  /** Names and values in turns. */
  readonly headers: readonly Buffer[];
  readonly body: Uint8Array[];
  /** False when `body` was cut off at the limit. */
  readonly isWhole: boolean;
  /** Milliseconds from sending the request on its connection to the head of the response. */
  readonly headMs: number;
  /** Milliseconds from sending the request on its connection to the end of the response. */
  readonly totalMs: number;
}

/** The owner of a call: learns how it ended, once. */
export interface CallOwner {
  /** The maximum size of a response with this status, in bytes. */
  readonly maxBytes: (status: number) => number;
  readonly onResponse: (response: RawResponse) => void;
  /** Asked at most once, when a GET could be sent once more. Counts it when the answer is yes. */
  readonly mayRepeat: () => boolean;
  /** @param error the error of undici */
  readonly onFailure: (error: Error) => void;
  /** A defect of this process: the call is given up. */
  readonly onDefect: (error: Error) => void;
  /** The call was not sent: it may wait no longer for a connection. */
  readonly onRefused: (reason: QueueRefusal) => void;
}

/** The connections to an upstream, the calls that wait for them, and the end of the last calls. */
export interface Connections {
  /** Replaced when its certificates are. */
  pool: Pool;
  readonly queue: ConnectionQueue;
  readonly last: LastCalls;
}

/**
 * One call over a pool of connections: waits for its turn, dispatches the request, collects the response, and can be
 * cancelled at any time.
 *
 * It is a handler for undici's `dispatch`, which tells when a request is sent on its connection; `request` does not. So the
 * measured times exclude the wait for other calls of this process. Of the two kinds of handlers it is the one
 * that gets the headers as they came: for the other kind undici builds an object of all headers, at 4 µs a call.
 */
export class PendingCall implements Dispatcher.DispatchHandler, QueuedCall {
  readonly #connections: Connections;
  #options: Dispatcher.DispatchOptions;
  readonly #owner: CallOwner;
  #mayRepeat: boolean;
  #retries = 0;
  #firstSentAt: number | undefined;
  #isOver = false;
  #abort: ((error?: Error) => void) | undefined;
  #sentAt = 0;
  #headMs = 0;
  /** 0 before the response. */
  #status = 0;
  #headers: readonly Buffer[] = [];
  readonly #body: Uint8Array[] = [];
  #bytesLeft = 0;

  constructor(connections: Connections, options: Dispatcher.DispatchOptions, owner: CallOwner) {
    this.#connections = connections;
    this.#options = options;
    this.#owner = owner;
    this.#mayRepeat = options.method === 'GET';
  }

  /** When the request was sent on a connection, the first time. Undefined before. */
  get sentAt(): number | undefined {
    return this.#firstSentAt;
  }

  get retries(): number {
    return this.#retries;
  }

  /** The size of the body as far as it was received. */
  get bytes(): number {
    return this.#body.reduce((sum, { length }) => sum + length, 0);
  }

  /** Whether the request was sent on a connection. */
  get wasSent(): boolean {
    return this.#abort !== undefined;
  }

  /**
   * Sends the request. A GET is sent once more, if its owner allows it, when the server closed the connection before any
   * response: that happens to connections that were kept open. A write is never repeated, because upstream may have carried it out.
   *
   * @param headers sent besides those of the request
   */
  send(headers?: Readonly<Record<string, string>>): void {
    if (headers) this.#options = { ...this.#options, headers: { ...this.#options.headers, ...headers } };
    if (!this.#isOver) this.#connections.queue.enter(this);
  }

  /** Ends the call without a word to its owner. Its connection is closed if the request was sent. */
  cancel(reason: Error): void {
    this.#isOver = true;
    if (!this.#connections.queue.remove(this)) this.#abort?.(reason);
  }

  onFree(): void {
    this.#connections.pool.dispatch(this.#options, this);
  }

  onRefused(reason: QueueRefusal): void {
    this.#isOver = true;
    this.#owner.onRefused(reason);
  }

  onConnect(abort: (error?: Error) => void): void {
    this.#abort = abort;
    this.#sentAt = performance.now();
    this.#firstSentAt ??= this.#sentAt;
    if (this.#isOver) abort();
  }

  onHeaders(status: number, headers: Buffer[]): boolean {
    if (status < 200) return true; // an informational status: the response itself follows
    this.#headMs = performance.now() - this.#sentAt;
    this.#status = status;
    this.#headers = headers;
    this.#guarded(() => (this.#bytesLeft = this.#owner.maxBytes(status)));
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (chunk.length <= this.#bytesLeft) {
      this.#bytesLeft -= chunk.length;
      this.#body.push(chunk);
      return true;
    }
    this.#body.push(chunk.subarray(0, this.#bytesLeft));
    this.#respond(false);
    this.#abort?.(new Error('The response is larger than its limit.'));
    return true;
  }

  onComplete(): void {
    this.#guarded(() => this.#connections.queue.leave());
    this.#respond(true);
  }

  /** Runs a step. undici would take an error of it for one of the network. */
  #guarded(step: () => unknown): void {
    try {
      step();
    } catch (error) {
      this.#isOver = true;
      this.#abort?.();
      this.#owner.onDefect(asError(error));
    }
  }

  /** After a dispatch undici calls either this or `onComplete`, once: also for a call that was cancelled. */
  onError(error: Error): void {
    if (this.#isOver) {
      // Cancelled because its caller left. The next call in the queue may be of one who leaves in the same moment.
      setImmediate(() => this.#connections.queue.leave());
      return;
    }
    const isRepeatable = this.#mayRepeat && this.#status === 0 && isConnectionClosed(error);
    if (isRepeatable && this.#owner.mayRepeat()) {
      this.#mayRepeat = false;
      this.#retries += 1;
      queueMicrotask(() => this.onFree()); // undici has yet to take the closed connection out of its pool
      return;
    }
    this.#isOver = true;
    this.#owner.onFailure(error);
    this.#connections.queue.leave();
  }

  #respond(isWhole: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const now = performance.now();
    const totalMs = now - this.#sentAt;
    const [status, headers, body, headMs] = [this.#status, this.#headers, this.#body, this.#headMs];
    this.#guarded(() => {
      this.#connections.last.answer(now, totalMs, status);
      this.#owner.onResponse({ status, headers, body, isWhole, headMs, totalMs });
    });
  }
}

/** The values of the headers with this name. */
export function headerValues(headers: readonly Buffer[], name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const key = headers[at];
    if (key && isNamed(key, name)) values.push(headers[at + 1]?.toString('latin1') ?? '');
  }
  return values;
}

/** From an upper-case letter of ASCII to the lower-case one. */
const TO_LOWER_CASE = 0x20;

/** Compares the name of a header, in any case, with a name in lower case. */
function isNamed(key: Buffer, name: string): boolean {
  if (key.length !== name.length) return false;
  for (let at = 0; at < name.length; at += 1) {
    const expected = name.charCodeAt(at);
    if (key[at] !== expected && key[at] !== expected - TO_LOWER_CASE) return false;
  }
  return true;
}
