import { asError, type GatewayError } from '../../errors.ts';
import type { Departure } from './departure.ts';
import type { Answer, Deadlines } from './messages.ts';
import type { Turns } from './turns.ts';

/** The call that waiters share. */
interface AwaitedCall {
  readonly onOwnDeadline: (waiting: Waiting, timeoutMs: number) => void;
  readonly onCap: (waiting: Waiting, capMs: number) => void;
  readonly onDeparture: (waiting: Waiting) => void;
}

/** One waiter of a call, with its own deadline and its own cap on the time since sending. */
export class Waiting {
  readonly #call: AwaitedCall;
  readonly #gone: Departure;
  readonly #deadline: NodeJS.Timeout | undefined;
  readonly #capMs: number | undefined;
  #cap: NodeJS.Timeout | undefined;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: Error) => void;

  constructor(
    call: AwaitedCall,
    gone: Departure,
    { timeoutMs, capMs }: Deadlines,
    resolve: (answer: Answer) => void,
    reject: (error: Error) => void,
  ) {
    this.#call = call;
    this.#gone = gone;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#capMs = capMs;
    if (timeoutMs !== undefined) this.#deadline = setTimeout(() => call.onOwnDeadline(this, timeoutMs), timeoutMs);
    gone.add(this.#onDeparture);
  }

  /** Starts the cap when the request is sent. Called again when a GET is repeated. */
  onSent(): void {
    if (!this.#cap) this.startCap();
  }

  startCap(): void {
    const ms = this.#capMs;
    if (ms !== undefined) this.#cap = setTimeout(() => this.#call.onCap(this, ms), ms);
  }

  readonly #onDeparture = (): void => this.#call.onDeparture(this);

  resolve(answer: Answer, turns: Turns): void {
    this.#end();
    try {
      turns.continue(() => this.#resolve(answer));
    } catch (error) {
      this.#reject(asError(error)); // a defect: nothing else would end this wait
    }
  }

  reject(error: Error): void {
    this.#end();
    this.#reject(error);
  }

  /** Rejects once the departures that have come with this one are known: all their calls end before any of their errors. */
  rejectLater(error: GatewayError): void {
    this.#end();
    setImmediate(this.#reject, error);
  }

  #end(): void {
    clearTimeout(this.#deadline);
    clearTimeout(this.#cap);
    this.#gone.remove(this.#onDeparture);
  }
}
