/** An API, or one of its endpoints, is called no more because it failed too often, or is called again. */
export interface UpstreamChange {
  readonly api: string;
  /** The method and the template of the path. Absent when the whole API is meant. */
  readonly endpoint?: string;
  readonly isOpen: boolean;
  /** The message of the last failure; it holds no URL and no credential. Undefined for a breaker that closed. */
  readonly reason: string | undefined;
}

type OnChange = (change: Pick<UpstreamChange, 'isOpen' | 'reason'>) => void;

/** The number of failures that open a breaker at the earliest, when they are half of the calls. */
const MIN_FAILURES = 10;
const MAX_FAILURE_RATE = 0.5;

/** While a breaker is open, one call is let through after so many milliseconds: a read, or later a write. */
const READ_PROBE_MS = 1_000;
const WRITE_PROBE_MS = 1_500;

/** A call that a breaker has let through. The breaker ignores outcomes of calls that began before its last change. */
export type Ticket = number;

/**
 * A circuit breaker. It opens when at least half of the calls of the last seconds have failed, and closes with the first
 * success of a probe. Callers tell it of each call by plain method calls: no promise, no timer, no object per call.
 *
 * @see docs/decisions/0030-a-breaker-of-our-own.md
 */
export class Breaker {
  readonly #onChange: OnChange;
  readonly #now: () => number;
  readonly #window = new OutcomeWindow();
  #isOpen = false;
  #ticket: Ticket = 1;
  /** When the last probe was let through, or the breaker opened. */
  #probedAt = 0;
  /** No call is let through before. */
  #heldUntil = 0;

  /** @param now the clock, in milliseconds */
  constructor(onChange: OnChange, now: () => number = () => performance.now()) {
    this.#onChange = onChange;
    this.#now = now;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether it is closed and has seen no failure in its window. */
  get isIdle(): boolean {
    return !this.#isOpen && this.#window.failures === 0;
  }

  /** Whether upstream asked for no call before a time that has not come. */
  get isHeld(): boolean {
    return this.#now() < this.#heldUntil;
  }

  /** Seconds, rounded up, after which the next call may be let through; at least 1. */
  get retrySeconds(): number {
    return Math.max(1, Math.ceil((this.#heldUntil - this.#now()) / 1000));
  }

  /** Returns the ticket of a call that may be made, 0 for one that must not be made. */
  admit(isRead: boolean): Ticket {
    if (!this.#isOpen) return this.#ticket;
    const now = this.#now();
    if (this.isHeld || now - this.#probedAt < (isRead ? READ_PROBE_MS : WRITE_PROBE_MS)) return 0;
    this.#probedAt = now;
    return this.#ticket;
  }

  /** Records that upstream answered a call. */
  succeed(ticket: Ticket): void {
    if (ticket !== this.#ticket) return;
    if (this.#isOpen) this.#change({ isOpen: false, reason: undefined });
    else this.#window.add(this.#now(), false);
  }

  /** Records that a call failed. */
  fail(ticket: Ticket, reason: string): void {
    if (ticket !== this.#ticket || this.#isOpen) return;
    this.#window.add(this.#now(), true);
    const { calls, failures } = this.#window;
    if (failures >= MIN_FAILURES && failures >= calls * MAX_FAILURE_RATE) this.#change({ isOpen: true, reason });
  }

  /** Whether a call may be sent once more: for at most 10 % of the calls, and not for a probe. Counts the repetition. */
  mayRepeat(): boolean {
    return !this.#isOpen && this.#window.repeat(this.#now());
  }

  /** Opens the breaker, and lets no call through for so many milliseconds: upstream asked for that. */
  hold(ms: number, reason: string): void {
    this.#heldUntil = Math.max(this.#heldUntil, this.#now() + ms);
    if (!this.#isOpen) this.#change({ isOpen: true, reason });
  }

  #change(change: Parameters<OnChange>[0]): void {
    this.#isOpen = change.isOpen;
    this.#ticket += 1;
    this.#probedAt = this.#now();
    this.#window.clear();
    this.#onChange(change);
  }
}

/** A span lasts until it has so many calls, but for one second at least and ten at most. */
const MIN_CALLS = 10;
const MIN_SPAN_MS = 1_000;
const MAX_SPAN_MS = 10_000;

/** The number of calls that may be repeated at least, and the part of all calls. */
const MIN_REPEATS = 5;
const REPEAT_RATE = 0.1;

class Span {
  calls = 0;
  failures = 0;
  repeats = 0;
}

/**
 * Counts the calls of the last seconds: of the present span and the one before. Under load that is 1 to 2 seconds, else as
 * long as 10 to 20 calls take, but at most 20 seconds.
 *
 * @internal exported for the tests
 */
export class OutcomeWindow {
  #present = new Span();
  #before = new Span();
  #begunAt = 0;

  get calls(): number {
    return this.#present.calls + this.#before.calls;
  }

  get failures(): number {
    return this.#present.failures + this.#before.failures;
  }

  /** @param now milliseconds of a clock that never goes back */
  add(now: number, isFailure: boolean): void {
    this.#update(now);
    this.#present.calls += 1;
    if (isFailure) this.#present.failures += 1;
  }

  /** Counts the repetition of a call, unless 10 % of the calls, and five at least, were repeated already. */
  repeat(now: number): boolean {
    this.#update(now);
    const repeats = this.#present.repeats + this.#before.repeats;
    if (repeats >= Math.max(MIN_REPEATS, this.calls * REPEAT_RATE)) return false;
    this.#present.repeats += 1;
    return true;
  }

  clear(): void {
    this.#present = new Span();
    this.#before = new Span();
  }

  #update(now: number): void {
    const age = now - this.#begunAt;
    if (age < MIN_SPAN_MS || (this.#present.calls < MIN_CALLS && age < MAX_SPAN_MS)) return;
    this.#before = age >= 2 * MAX_SPAN_MS ? new Span() : this.#present;
    this.#present = new Span();
    this.#begunAt = now;
  }
}
