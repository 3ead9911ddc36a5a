import { QueryLimitError, type UpstreamCall } from './errors.ts';

/** How many upstream calls one GraphQL operation may make, over all APIs, and how many it has made. */
export class CallBudget {
  readonly #max: number;
  #spent = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get spent(): number {
    return this.#spent;
  }

  /** @throws QueryLimitError when nothing is left: the call is not made. */
  spend(call: UpstreamCall): void {
    if (this.#spent >= this.#max) {
      const advice = 'ask for less at once, or raise MAX_UPSTREAM_CALLS.';
      throw new QueryLimitError(`The operation needs more than ${this.#max} upstream calls: ${advice}`, call);
    }
    this.#spent += 1;
  }
}
