import type { Departure } from './departure.ts';
import type { Answer, Deadlines } from './messages.ts';

/** The call that waiters share. */
interface AwaitedCall {
  readonly onOwnDeadline: (waiting: Waiting, timeoutMs: number) => void;
  readonly onCap: (waiting: Waiting, capMs: number) => void;
  readonly onDeparture: (waiting: Waiting) => void;
}

/** One waiter of a call, with its own deadline and its own cap on the time since sending. */
export class Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
  readonly #call: AwaitedCall;
  readonly #gone: Departure;
  readonly #deadline: NodeJS.Timeout | undefined;
  readonly #capMs: number | undefined;
  #cap: NodeJS.Timeout | undefined;

  constructor(
    call: AwaitedCall,
    gone: Departure,
    { timeoutMs, capMs }: Deadlines,
    resolve: (answer: Answer) => void,
    reject: (error: Error) => void,
  ) {
    this.#call = call;
    this.#gone = gone;
    this.#capMs = capMs;
    this.resolve = resolve;
    this.reject = reject;
    if (timeoutMs !== undefined) this.#deadline = setTimeout(() => call.onOwnDeadline(this, timeoutMs), timeoutMs);
    gone.add(this.#onDeparture);
  }

  /** Starts the cap, unless it counts already: a GET may be sent twice. */
  startCap(): void {
    const ms = this.#capMs;
    if (ms === undefined) return;
    this.#cap ??= setTimeout(() => {
      this.#cap = undefined;
      this.#call.onCap(this, ms);
    }, ms);
  }

  /** Stops the deadlines, and the wait for the departure. */
  end(): void {
    clearTimeout(this.#deadline);
    clearTimeout(this.#cap);
    this.#gone.remove(this.#onDeparture);
  }

  readonly #onDeparture = (): void => this.#call.onDeparture(this);
}
