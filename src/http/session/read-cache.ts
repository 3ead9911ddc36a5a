import pLimit, { type LimitFunction } from 'p-limit';
import { records, type UpstreamRecord } from '../formats/decode.ts';
import { TooLargeError, UnreachableError, UpstreamTimeoutError } from '../errors.ts';
import {
  type CallBudget,
  type Exchange,
  type Get,
  isEmpty,
  type Parsed,
  withCallContext,
  type Write,
} from '../transport/exchange.ts';
import type { ByteLimit } from '../transport/upstream.ts';
import type { ReadCost } from './read-cost.ts';

interface ReadQueueOptions {
  readonly budget: CallBudget;
  readonly maxRecord: ByteLimit;
  /** Maximum number of concurrent reads by id of one operation. */
  readonly readsAtOnce: number;
  readonly readCost: ReadCost;
}

export interface ReadCacheOptions extends ReadQueueOptions {
  readonly maxList: ByteLimit;
  /** The limit for a list that is read instead of records by id. */
  readonly maxJoinedList: ByteLimit;
  readonly readCost: ReadCost;
}

type List = Promise<readonly UpstreamRecord[]>;

/** The reads of one operation at one API. Identical reads share one call until the operation writes something. */
export class ReadCache<Body> {
  readonly #exchange: Exchange<Body>;
  readonly #queue: ReadQueue<Body>;
  readonly #options: ReadCacheOptions;
  readonly #records = new Map<string, Promise<Parsed<Body>>>();
  readonly #lists = new Map<string, List>();
  readonly #completedLists = new WeakSet<List>();

  constructor(exchange: Exchange<Body>, options: ReadCacheOptions) {
    this.#exchange = exchange;
    this.#queue = new ReadQueue(exchange, options);
    this.#options = options;
  }

  /** Reads one record, or another response of its size, and decodes it by `as`. */
  async get<T>(request: Get, as: (body: Body) => T): Promise<T> {
    const key = request.path.path;
    const cached = this.#records.get(key);
    const pendingRead = cached ?? this.#queue.read(request);
    if (!cached) this.#records.set(key, pendingRead);

    const { body, call } = await pendingRead;
    return withCallContext(call, () => as(body));
  }

  /** Whether this operation has requested the record already: reading it again costs no call. */
  has({ path }: Get): boolean {
    return this.#records.has(path.path);
  }

  /** Reads a list of records. */
  async list(request: Get): List {
    const { maxList, maxJoinedList } = this.#options;
    const joined = await this.#lists.get(listKey(request, maxJoinedList))?.catch((error: unknown) => {
      if (error instanceof TooLargeError) return undefined; // too large for a joined list, but this limit may be larger
      throw error;
    });
    return joined ?? this.#read(request, maxList);
  }

  /** Reads a list instead of records by id, under the limit for such lists. */
  async joinedList(request: Get): List {
    return this.#read(request, this.#options.maxJoinedList);
  }

  /** A list that this operation has requested already, under either limit. */
  pendingList(request: Get): List | undefined {
    const { maxList, maxJoinedList } = this.#options;
    return this.#lists.get(listKey(request, maxList)) ?? this.#lists.get(listKey(request, maxJoinedList));
  }

  /** A list that this operation has read completely. */
  completedList(request: Get): List | undefined {
    const pending = this.pendingList(request);
    return pending && this.#completedLists.has(pending) ? pending : undefined;
  }

  /** A list that this operation has requested already; empty when it could not be read. */
  cachedList(request: Get): List | undefined {
    return this.pendingList(request)?.catch(() => []);
  }

  /** Reads a list of records by POST, without caching it. */
  async listByPost(request: Write): List {
    const received = await this.#exchange.send('POST', request, this.#options.maxList, true);
    const { body, call } = await this.#exchange.parsed(received);
    return withCallContext(call, () => records(body));
  }

  /** Reads one record by POST, without caching it. Null when the response has no body. */
  async getByPost<T>(request: Write, as: (body: Body) => T): Promise<T | null> {
    const received = await this.#exchange.send('POST', request, this.#options.maxRecord, true);
    if (isEmpty(received.answer)) return null;
    const { body, call } = await this.#exchange.parsed(received);
    return withCallContext(call, () => as(body));
  }

  /** Clears the cache: later reads call upstream again. */
  forget(): void {
    this.#records.clear();
    this.#lists.clear();
    this.#queue.forget();
  }

  async #read(request: Get, limit: ByteLimit): List {
    const key = listKey(request, limit);
    const known = this.#lists.get(key);
    const reading = known ?? this.#fetch(request, limit);
    if (!known) this.#lists.set(key, reading);
    await reading;
    this.#completedLists.add(reading);
    return reading;
  }

  async #fetch(request: Get, limit: ByteLimit): List {
    const { readCost } = this.#options;
    const endpoint = request.path.template;
    const received = await this.#exchange.send('GET', request, limit).catch((error: unknown) => {
      const isSlow = error instanceof UpstreamTimeoutError && request.timeoutMs === undefined;
      if (error instanceof TooLargeError || isSlow) readCost.avoidList(endpoint);
      throw error;
    });
    const { headMs, totalMs } = received.answer;
    const parsing = performance.now();
    const { body, call } = await this.#exchange.parsed(received);
    const read = await withCallContext(call, () => records(body));
    readCost.recordList(endpoint, { ms: totalMs + performance.now() - parsing, headMs });
    return read;
  }
}

/** The cache key of a list. The limit is a part of it, because one list may be read under two limits. */
function listKey({ path }: Get, { bytes }: ByteLimit): string {
  return `${bytes} ${path.path}`;
}

/** A requested read that was not sent yet. */
interface WaitingRead<Body> {
  readonly get: Get;
  readonly resolve: (read: Promise<Parsed<Body>>) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The reads by id of one operation at one API, `readsAtOnce` at a time. Reads that are requested in one tick are sent
 * together, or not at all when the operation has fewer calls left.
 */
class ReadQueue<Body> {
  readonly #exchange: Exchange<Body>;
  readonly #options: ReadQueueOptions;
  readonly #limit: LimitFunction;
  /** Reads that were requested in the current tick. */
  readonly #waiting: WaitingRead<Body>[] = [];
  /** The error of the first read that got no response. */
  #unanswered: UpstreamTimeoutError | UnreachableError | undefined;

  constructor(exchange: Exchange<Body>, options: ReadQueueOptions) {
    this.#exchange = exchange;
    this.#options = options;
    this.#limit = pLimit(options.readsAtOnce);
  }

  /** Reads a record in the next tick, together with the other reads of the current one. */
  async read(get: Get): Promise<Parsed<Body>> {
    if (this.#waiting.length === 0) process.nextTick(() => this.#sendWaiting());
    return new Promise((resolve, reject) => this.#waiting.push({ get, resolve, reject }));
  }

  /** Allows calls again to an upstream that did not respond. */
  forget(): void {
    this.#unanswered = undefined;
  }

  /** Sends the waiting reads, or none when fewer calls are left: a part of the records would be of no use. */
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
    if (this.#unanswered) throw this.#unanswered; // otherwise the deadlines of waiting reads would add up
    const { maxRecord } = this.#options;
    const received = await this.#exchange.send('GET', get, maxRecord).catch((error: unknown) => {
      if (error instanceof UpstreamTimeoutError || error instanceof UnreachableError) this.#unanswered = error;
      throw error;
    });
    this.#options.readCost.recordRead(received.answer.totalMs);
    return this.#exchange.parsed(received);
  }
}
