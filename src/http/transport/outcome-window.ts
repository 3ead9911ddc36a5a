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

  /**
   * @param now milliseconds of a clock that never goes back
   * @param weight counts as so many calls
   */
  add(now: number, isFailure: boolean, weight = 1): void {
    this.#update(now);
    this.#present.calls += weight;
    if (isFailure) this.#present.failures += weight;
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
