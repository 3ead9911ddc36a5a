/** A call that needs one of the connections. */
export interface QueuedCall {
  /** Called once when a connection is free for the call. The call must `leave` when it needs it no more. */
  readonly onFree: () => void;
  /** Called once, in the place of `onFree`, when the call may wait no longer. */
  readonly onRefused: (reason: QueueRefusal) => void;
}

/** Why a call may not wait for a connection: too many wait already, it has waited too long, or upstream does not answer. */
export type QueueRefusal = 'full' | 'late' | 'down';

/**
 * The calls of one upstream that wait for a connection, in the order in which they came. Their number and the time of their
 * wait are bounded: an upstream that hangs can hold no more memory than that.
 */
export class ConnectionQueue {
  readonly maxWaiting: number;
  readonly #maxWaitMs: number;
  #free: number;
  /** Since when each call has been waiting. */
  readonly #waiting = new Map<QueuedCall, number>();
  #timer: NodeJS.Timeout | undefined;

  /** @param connections how many calls have a connection at once */
  constructor(connections: number, maxWaiting: number, maxWaitMs: number) {
    this.#free = connections;
    this.maxWaiting = maxWaiting;
    this.#maxWaitMs = maxWaitMs;
  }

  /** How many calls wait. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Gives the call a connection at once, or in its turn. */
  enter(call: QueuedCall): void {
    if (this.#free > 0) {
      this.#free -= 1;
      call.onFree();
    } else if (this.#waiting.size < this.maxWaiting) {
      this.#waiting.set(call, performance.now());
      if (!this.#timer) this.#refuseLateIn(this.#maxWaitMs);
    } else {
      call.onRefused('full');
    }
  }

  /** Gives the connection of a call to the next one. */
  leave(): void {
    const [next] = this.#waiting.size > 0 ? this.#waiting.keys() : [];
    if (!next) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next.onFree();
  }

  /** Takes out a call that still waits. False for any other call. */
  remove(call: QueuedCall): boolean {
    return this.#waiting.delete(call);
  }

  /** Refuses all calls that wait: upstream does not answer. */
  refuseAll(): void {
    const calls = [...this.#waiting.keys()];
    this.#waiting.clear();
    for (const call of calls) call.onRefused('down');
  }

  #refuseLateIn(ms: number): void {
    this.#timer = setTimeout(() => this.#refuseLate(), ms).unref();
  }

  /** One timer serves all calls: the first has waited longest. */
  #refuseLate(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const [call, since] of this.#waiting) {
      const msLeft = since + this.#maxWaitMs - now;
      if (msLeft >= 1) return this.#refuseLateIn(msLeft);
      this.#waiting.delete(call);
      call.onRefused('late');
    }
  }
}
