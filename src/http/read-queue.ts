import pLimit, { type LimitFunction } from 'p-limit';
import type { CallBudget } from './budget.ts';
import { UnreachableError, UpstreamTimeoutError } from './errors.ts';
import type { Exchange, Parsed, Read } from './exchange.ts';
import type { Path } from './path.ts';
import type { ByteLimit, Upstream } from './upstream.ts';

/** A GET. */
export interface Get extends Read {
  readonly path: Path;
}

interface QueueOptions {
  readonly upstream: Upstream;
  readonly budget: CallBudget;
  readonly maxRecord: ByteLimit;
}

/** A read that is still to be sent. */
interface Wanted<Body> {
  readonly get: Get;
  readonly resolve: (read: Promise<Parsed<Body>>) => void;
  readonly reject: (error: Error) => void;
}

/** The reads by id of one operation: a few at a time, and none where the calls left do not suffice for all. */
export class ReadQueue<Body> {
  readonly #exchange: Exchange<Body>;
  readonly #options: QueueOptions;
  readonly #inTurn: LimitFunction;
  /** Those that were asked for at once. */
  readonly #wanted: Wanted<Body>[] = [];
  /** The first one that nobody answered. */
  #unanswered: UpstreamTimeoutError | UnreachableError | undefined;

  constructor(exchange: Exchange<Body>, options: QueueOptions) {
    this.#exchange = exchange;
    this.#options = options;
    this.#inTurn = pLimit(options.upstream.readsAtOnce);
  }

  /** Reads a record when it is known what else is asked for at once. */
  async read(get: Get): Promise<Parsed<Body>> {
    if (this.#wanted.length === 0) process.nextTick(() => this.#readWanted());
    return new Promise((resolve, reject) => this.#wanted.push({ get, resolve, reject }));
  }

  /** Asks an upstream again, though it did not answer. */
  forget(): void {
    this.#unanswered = undefined;
  }

  /** Where there are more of them than calls left, none is read: a part of them would only cost. */
  #readWanted(): void {
    const { budget } = this.#options;
    const wanted = this.#wanted.splice(0);
    const tooMany = wanted.length + this.#inTurn.pendingCount > budget.left;
    for (const { get, resolve, reject } of wanted) {
      if (tooMany) reject(budget.exceededBy(this.#exchange.call('GET', get.path)));
      else resolve(this.#inTurn(() => this.#readRecord(get)));
    }
  }

  async #readRecord(get: Get): Promise<Parsed<Body>> {
    if (this.#unanswered) throw this.#unanswered; // else the deadlines of those that wait their turn would add up
    const { maxRecord } = this.#options;
    const received = await this.#exchange.send('GET', get.path, get, maxRecord).catch((error: unknown) => {
      if (error instanceof UpstreamTimeoutError || error instanceof UnreachableError) this.#unanswered = error;
      throw error;
    });
    this.#options.upstream.reads.recordRead(received.answer.totalMs);
    return this.#exchange.parsed(received);
  }
}
