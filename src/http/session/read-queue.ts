import pLimit, { type LimitFunction } from 'p-limit';
import type { CallBudget } from '../transport/budget.ts';
import { UnreachableError, UpstreamTimeoutError } from '../errors.ts';
import type { Exchange, Get, Parsed } from '../transport/exchange.ts';
import type { ByteLimit } from '../transport/upstream.ts';
import type { ReadCost } from './read-cost.ts';

export interface ReadQueueOptions {
  readonly budget: CallBudget;
  readonly maxRecord: ByteLimit;
  /** Reads by id that one operation has under way at once. */
  readonly readsAtOnce: number;
  readonly readCost: ReadCost;
}

/** A read that was asked for and not sent yet. */
interface WaitingRead<Body> {
  readonly get: Get;
  readonly resolve: (read: Promise<Parsed<Body>>) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The reads by id of one operation at one API: `readsAtOnce` at a time, and none of those asked for together when the calls
 * that the operation has left do not suffice for all of them.
 */
export class ReadQueue<Body> {
  readonly #exchange: Exchange<Body>;
  readonly #options: ReadQueueOptions;
  readonly #limit: LimitFunction;
  /** Reads asked for in the current tick. */
  readonly #waiting: WaitingRead<Body>[] = [];
  /** The failure of the first read without any response. */
  #unanswered: UpstreamTimeoutError | UnreachableError | undefined;

  constructor(exchange: Exchange<Body>, options: ReadQueueOptions) {
    this.#exchange = exchange;
    this.#options = options;
    this.#limit = pLimit(options.readsAtOnce);
  }

  /** Reads a record in the next tick, when it is known what else is asked for together with it. */
  async read(get: Get): Promise<Parsed<Body>> {
    if (this.#waiting.length === 0) process.nextTick(() => this.#sendWaiting());
    return new Promise((resolve, reject) => this.#waiting.push({ get, resolve, reject }));
  }

  /** Lets an upstream be asked again that did not respond. */
  forget(): void {
    this.#unanswered = undefined;
  }

  /** Sends none when there are more of them than calls left: some of the records would only cost. */
  #sendWaiting(): void {
    const { budget } = this.#options;
    const waiting = this.#waiting.splice(0);
    const tooMany = waiting.length + this.#limit.pendingCount > budget.left;
    for (const { get, resolve, reject } of waiting) {
      if (tooMany) reject(budget.exceededBy(this.#exchange.call('GET', get.path)));
      else resolve(this.#limit(() => this.#readRecord(get)));
    }
  }

  async #readRecord(get: Get): Promise<Parsed<Body>> {
    if (this.#unanswered) throw this.#unanswered; // the deadlines of waiting reads would add up
    const { maxRecord } = this.#options;
    const received = await this.#exchange.send('GET', get, maxRecord).catch((error: unknown) => {
      if (error instanceof UpstreamTimeoutError || error instanceof UnreachableError) this.#unanswered = error;
      throw error;
    });
    this.#options.readCost.recordRead(received.answer.totalMs);
    return this.#exchange.parsed(received);
  }
}
