import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher, Pool } from 'undici';
import { asError } from '../errors.ts';
import { wasNeverAnswered } from './network-failure.ts';

/** A response as it came over the network. */
export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array[];
  /** Whether `body` is all of it, and not cut off at the limit. */
  readonly isWhole: boolean;
  /** Milliseconds from the sending of the request, on a connection of its own, to the head of the response. */
  readonly headMs: number;
  /** Milliseconds from the sending of the request to the end of the response. */
  readonly totalMs: number;
}

export type CallOptions = Dispatcher.DispatchOptions;

/**
 * One call over a pool of connections: dispatches the request, collects the response, and can be given up at any time.
 *
 * undici's `dispatch` tells when a request leaves the queue for a connection, which its `request` does not: what a call
 * is seen to take holds none of the time that it waited for others of this process.
 */
export class PendingCall {
  readonly #pool: Pool;
  readonly #options: CallOptions;
  readonly #maxBytes: (status: number) => number;
  #controller: Dispatcher.DispatchController | undefined;
  #giveUp: ((reason: Error) => void) | undefined;
  #givenUpFor: Error | undefined;

  /** @param maxBytes how much of a response of this status is read */
  constructor(pool: Pool, options: CallOptions, maxBytes: (status: number) => number) {
    this.#pool = pool;
    this.#options = options;
    this.#maxBytes = maxBytes;
  }

  /** Whether the request has left the queue for a connection. */
  get wasSent(): boolean {
    return this.#controller !== undefined;
  }

  /**
   * Sends the request. A GET whose connection was closed before anything came back, as happens to one that was kept open,
   * is sent once more; a write never is, for it may have been carried out.
   *
   * @throws the error of undici, or the reason for which the call was given up
   */
  async response(): Promise<RawResponse> {
    const first = await this.#attempt();
    if (!(first instanceof Error)) return first;
    if (this.#options.method !== 'GET' || this.#givenUpFor || !wasNeverAnswered(first)) throw first;
    const second = await this.#attempt();
    if (second instanceof Error) throw second;
    return second;
  }

  /** Ends the call: `response` rejects with the reason at once, and the connection is closed. */
  giveUp(reason: Error): void {
    this.#givenUpFor ??= reason;
    this.#controller?.abort(reason);
    this.#giveUp?.(reason);
  }

  /** @returns an Error where nothing came back; @throws where the response broke off */
  async #attempt(): Promise<RawResponse | Error> {
    return new Promise((resolve, reject) => {
      this.#giveUp = reject;
      if (this.#givenUpFor) return reject(this.#givenUpFor);

      let sentAt = 0;
      let head: Pick<RawResponse, 'status' | 'headers' | 'headMs'> | undefined;
      let left = 0;
      const body: Uint8Array[] = [];
      const end = (isWhole: boolean) => {
        if (head) resolve({ ...head, body, isWhole, totalMs: performance.now() - sentAt });
      };
      const handler: Dispatcher.DispatchHandler = {
        onRequestStart: (controller) => {
          this.#controller = controller;
          sentAt = performance.now();
          if (this.#givenUpFor) controller.abort(this.#givenUpFor);
        },
        onResponseStart: (_controller, status, headers) => {
          if (status < 200) return; // informational: the response is still to come
          head = { status, headers, headMs: performance.now() - sentAt };
          left = this.#maxBytes(status);
        },
        onResponseData: (controller, chunk) => {
          body.push(chunk.subarray(0, left));
          left -= chunk.length;
          if (left >= 0) return;
          end(false);
          controller.abort(new Error('The response is larger than its limit.'));
        },
        onResponseEnd: () => end(true),
        onResponseError: (_controller, error) => {
          if (head) reject(asError(error));
          else resolve(asError(error));
        },
      };
      this.#pool.dispatch(this.#options, handler);
      return undefined;
    });
  }
}
