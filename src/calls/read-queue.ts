import { asError, UnreachableError, UpstreamTimeoutError } from '../errors.ts';
import type { KeepableRead } from './credential-states.ts';
import type { Exchange } from './exchange.ts';
import type { Get, Parsed } from './requests.ts';
import type { SessionOptions } from './session-options.ts';

/** A parsed response, which may be kept once it is decoded. */
export interface ParsedRead<Body> extends Parsed<Body> {
  /** Undefined for a response that must not be kept, or is kept. */
  readonly keepable?: KeepableRead<Body>;
}

/** A requested read that was not sent yet. */
interface WaitingRead<Body> {
  readonly get: Get;
  readonly resolve: (read: ParsedRead<Body> | Promise<ParsedRead<Body>>) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The reads by id of one operation at one API, `readsAtOnce` at a time. Reads that are requested in one tick are sent
 * together, or not at all when the operation has fewer calls left.
 */
export class ReadQueue<Body> {
  readonly #exchange: Exchange<Body>;
  readonly #options: SessionOptions<Body>;
  /** Reads that were requested in the current tick. */
  #requested: WaitingRead<Body>[] = [];
  /** Reads that wait until fewer than `readsAtOnce` are under way. */
  readonly #queued: WaitingRead<Body>[] = [];
  #underWay = 0;
  /** The errors of the first reads that got no response, by their endpoints: one record may hang, or one kind of them. */
  readonly #unanswered = new Map<string, Error>();

  constructor(exchange: Exchange<Body>, options: SessionOptions<Body>) {
    this.#exchange = exchange;
    this.#options = options;
  }

  /** Reads a record in the next tick, together with the other reads of the current one. */
  read(get: Get): Promise<ParsedRead<Body>> {
    if (this.#requested.length === 0) process.nextTick(() => this.#queueRequested());
    return new Promise((resolve, reject) => this.#requested.push({ get, resolve, reject }));
  }

  /** Allows calls again to an upstream that did not respond. */
  forget(): void {
    this.#unanswered.clear();
  }

  /** Queues the requested reads, or none when fewer calls are left: a part of the records would be of no use. */
  #queueRequested(): void {
    const { budget } = this.#options.operation;
    const requested = this.#requested;
    this.#requested = [];
    const tooMany = requested.length + this.#queued.length > budget.left;
    for (const read of requested) {
      if (tooMany) read.reject(budget.exceededBy(this.#exchange.call('GET', read.get.path)));
      else this.#queued.push(read);
    }
    this.#sendQueued();
  }

  #sendQueued(): void {
    while (this.#underWay < this.#options.api.readsAtOnce) {
      const read = this.#queued.shift();
      if (!read) return;
      const unanswered = this.#unanswered.get(read.get.path.template);
      if (unanswered) read.reject(unanswered); // otherwise the deadlines of queued reads would add up
      else void this.#send(read);
    }
  }

  async #send({ get, resolve, reject }: WaitingRead<Body>): Promise<void> {
    this.#underWay += 1;
    try {
      const { api, known } = this.#options;
      const keepable = known?.begin(get, api.maxRecord);
      const received = await this.#exchange.read(get, api.maxRecord, keepable);
      if (received.isFirst) api.readCost.recordRead(received.answer.totalMs);
      keepable?.weigh(received);
      const parsed = this.#exchange.parsed(received);
      resolve(keepable ? { ...(await parsed), keepable } : parsed);
    } catch (error) {
      const isUnanswered = error instanceof UpstreamTimeoutError || error instanceof UnreachableError;
      if (isUnanswered && get.timeoutMs === undefined) this.#unanswered.set(get.path.template, error);
      reject(asError(error));
    }
    this.#underWay -= 1;
    this.#sendQueued();
  }
}
