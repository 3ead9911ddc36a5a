import { QueryLimitError, type UpstreamCall } from '../errors.ts';

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

  /** How many calls it may still make. */
  get left(): number {
    return this.#max - this.#spent;
  }

  /** @throws QueryLimitError when nothing is left: the call is not made. */
  spend(call: UpstreamCall): void {
    if (this.left === 0) throw this.exceededBy(call);
    this.#spent += 1;
  }

  exceededBy(call: UpstreamCall): QueryLimitError {
    const advice = 'ask for less at once, or raise MAX_UPSTREAM_CALLS.';
    return new QueryLimitError(`The operation needs more than ${this.#max} upstream calls: ${advice}`, call);
  }
}
