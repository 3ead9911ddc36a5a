import { QueryLimitError, type UpstreamCall } from '../../errors.ts';
import { AnswerMemory, HeldAnswer } from './answer-memory.ts';

/**
 * Limits the upstream calls of one GraphQL operation over all APIs: their number, the time in which they are made, and
 * the memory of their responses.
 */
export class CallBudget {
  readonly #max: number;
  readonly #timeoutMs: number;
  readonly #deadline: number;
  readonly #memory: AnswerMemory;
  #spent = 0;
  readonly #held = new Set<HeldAnswer>();
  #hasEnded = false;

  /** @param timeoutMs begins now */
  constructor(max: number, timeoutMs = Infinity, memory = new AnswerMemory()) {
    this.#max = max;
    this.#memory = memory;
    this.#timeoutMs = timeoutMs;
    this.#deadline = performance.now() + timeoutMs;
  }

  get spent(): number {
    return this.#spent;
  }

  /** How many calls the operation may still make. */
  get left(): number {
    return this.#max - this.#spent;
  }

  /** Milliseconds in which the operation may still wait for calls. 0 or less when its time is over. */
  get msLeft(): number {
    return this.#deadline - performance.now();
  }

  /** @throws QueryLimitError when no call or no time is left: the call must not be made */
  spend(call: UpstreamCall): void {
    if (this.left === 0) throw this.exceededBy(call);
    if (this.msLeft <= 0) throw this.#tooLate(call);
    this.#spent += 1;
  }

  /** Counts the memory of a parsed response until the operation ends. @param known of a response that it shares */
  share(known = new HeldAnswer(this.#memory)): HeldAnswer {
    if (this.#hasEnded || this.#held.has(known)) return known;
    this.#held.add(known);
    known.join();
    return known;
  }

  /** Gives the memory back. Called when the operation has ended, whichever way. */
  end(): void {
    this.#hasEnded = true;
    for (const held of this.#held) held.leave();
    this.#held.clear();
  }

  exceededBy(call: UpstreamCall): QueryLimitError {
    const advice = 'ask for less at once, or raise MAX_UPSTREAM_CALLS.';
    return new QueryLimitError(`The operation needs more than ${this.#max} upstream calls: ${advice}`, call);
  }

  #tooLate(call: UpstreamCall): QueryLimitError {
    const advice = 'ask for less at once, or raise OPERATION_TIMEOUT_MS or what X-Trivium-Timeout-Ms asks for.';
    return new QueryLimitError(`The operation takes longer than ${this.#timeoutMs / 1000} s: ${advice}`, call);
  }
}
