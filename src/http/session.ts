import { readMany } from './batch.ts';
import { record, records, type UpstreamRecord } from './decode.ts';
import {
  asError,
  BadResponseError,
  CallerGoneError,
  ForbiddenError,
  GatewayError,
  missingAsNull,
  NotFoundError,
  QueryLimitError,
  TooLargeError,
  UnavailableError,
  UnreachableError,
  type UpstreamCall,
  UpstreamTimeoutError,
  ValidationError,
} from './errors.ts';
import {
  attributed,
  Exchange,
  type ExchangeOptions,
  type Method,
  type Parsed,
  type Received,
  target,
  type Write,
} from './exchange.ts';
import type { Path } from './path.ts';
import { type Get, ReadQueue } from './read-queue.ts';
import type { ByteLimit } from './upstream.ts';

/** How records are read that several ids ask for; `auto`: by what has been seen to cost less. */
export type BatchReads = 'auto' | 'list' | 'by-id';

export interface SessionOptions<Body> extends ExchangeOptions<Body> {
  readonly maxRecord: ByteLimit;
  readonly maxList: ByteLimit;
  /** Of a list that is read in place of records by id. */
  readonly maxJoinedList: ByteLimit;
  readonly batchReads: BatchReads;
  /** Told of each write, whatever became of it: another session may have read what it changed. */
  readonly onWrite?: () => void;
  /** Told what became of a write that was sent before its caller left: nobody else learns it. */
  readonly onLateWrite: (call: UpstreamCall, outcome: WriteOutcome) => void;
}

/** What became of a write that was sent: upstream has carried it out, has refused it, or did not say. */
export type WriteOutcome = 'applied' | 'refused' | 'unknown';

/** What the answer is read as. */
interface As<Body, T> {
  readonly as: (body: Body) => T;
}

interface ManyReads {
  /** How one record is read. */
  readonly one: (id: string) => Get;
  /** The list that holds them all, where the API has one. */
  readonly list?: Get;
}

/** Where a list fails, so many reads by id tell whether upstream is down, or only the list. */
const TRIED = 3;

/**
 * One API for one GraphQL operation. Identical GETs are one call until the operation writes something: what
 * is read after that is read anew.
 */
export class UpstreamSession<Body = unknown> {
  readonly #options: SessionOptions<Body>;
  readonly #exchange: Exchange<Body>;
  readonly #queue: ReadQueue<Body>;
  readonly #reads = new Map<string, Promise<Parsed<Body>>>();
  readonly #lists = new Map<string, Promise<readonly UpstreamRecord[]>>();
  /** Those of the lists that are there. */
  readonly #whole = new WeakSet<Promise<readonly UpstreamRecord[]>>();

  constructor(options: SessionOptions<Body>) {
    this.#options = options;
    this.#exchange = new Exchange(options);
    this.#queue = new ReadQueue(this.#exchange, options);
  }

  /** Reads one record, or another answer of its size. */
  async get<T>({ as, ...get }: Get & As<Body, T>): Promise<T> {
    const { maxRecord } = this.#options;
    const key = keyOf(get, maxRecord);
    const known = this.#reads.get(key);
    const reading = known ?? this.#queue.read(get);
    if (!known) this.#reads.set(key, reading);

    const { body, call } = await reading;
    return attributed(call, () => as(body));
  }

  /** Reads a list of records. */
  async list(list: Get): Promise<readonly UpstreamRecord[]> {
    const { maxList, maxJoinedList } = this.#options;
    const joined = await this.#lists.get(keyOf(list, maxJoinedList))?.catch((error: unknown) => {
      if (error instanceof TooLargeError) return undefined; // for a join; here it may be larger
      throw error;
    });
    return joined ?? this.#list(list, maxList);
  }

  /** A list, where this operation has read it already; one that it could not read is empty. */
  listed(list: Get): Promise<readonly UpstreamRecord[]> | undefined {
    return this.#asked(list)?.catch(() => []);
  }

  /**
   * Reads records by their ids: one alone by id, several one by one or from their list, by what either has been seen to
   * cost, unless a setting says which. Answers in the order of `ids`; a missing record is null, a failure an Error in its place.
   */
  async many(ids: readonly string[], { one, list }: ManyReads): Promise<(UpstreamRecord | null | Error)[]> {
    return readMany(ids, {
      ones: (lacking) => this.several(lacking, one, record),
      all: (wanted) =>
        list &&
        this.#inPlaceOf(wanted, one, list)?.catch((error: unknown) => this.#byIdInstead(list, error, wanted, one)),
    });
  }

  /**
   * Reads records by their ids, one by one and a few at a time. Answers in the order of `ids`; a missing record is null,
   * a failure an Error in its place.
   */
  async several<T>(
    ids: readonly string[],
    one: ManyReads['one'],
    as: (body: Body) => T,
  ): Promise<(T | null | Error)[]> {
    const read = async (id: string) => this.get({ ...one(id), as });
    return Promise.all(ids.map((id) => read(id).catch(missingAsNull).catch(asError)));
  }

  async post<T>(path: Path, { as, ...write }: Write & As<Body, T>): Promise<T> {
    return this.#write('POST', path, write, (received) => this.#exchange.written(received, as));
  }

  /** Reads a list of records by POST. */
  async postForList(path: Path, write: Write): Promise<UpstreamRecord[]> {
    const { maxList } = this.#options;
    return this.#exchange.written(await this.#exchange.send('POST', path, write, maxList, true), records);
  }

  async put<T>(path: Path, { as, ...write }: Write & As<Body, T>): Promise<T> {
    return this.#write('PUT', path, write, (received) => this.#exchange.written(received, as));
  }

  async patch<T>(path: Path, { as, ...write }: Write & As<Body, T>): Promise<T> {
    return this.#write('PATCH', path, write, (received) => this.#exchange.written(received, as));
  }

  /** A write whose answer nobody needs. */
  async send(method: Exclude<Method, 'GET'>, path: Path, write: Write): Promise<void> {
    await this.#write(method, path, write, (received) => this.#exchange.unread(received));
  }

  /** Reads anew from here on. */
  forget(): void {
    this.#reads.clear();
    this.#lists.clear();
    this.#queue.forget();
  }

  /** A list that this operation has asked for, under either limit. */
  #asked(list: Get): Promise<readonly UpstreamRecord[]> | undefined {
    const { maxList, maxJoinedList } = this.#options;
    return this.#lists.get(keyOf(list, maxList)) ?? this.#lists.get(keyOf(list, maxJoinedList));
  }

  async #list(list: Get, limit: ByteLimit): Promise<readonly UpstreamRecord[]> {
    const key = keyOf(list, limit);
    const known = this.#lists.get(key);
    const reading = known ?? this.#readList(list, limit);
    if (!known) this.#lists.set(key, reading);
    await reading;
    this.#whole.add(reading);
    return reading;
  }

  async #readList(list: Get, limit: ByteLimit): Promise<readonly UpstreamRecord[]> {
    const { reads } = this.#options.upstream;
    const { path } = list;
    const received = await this.#exchange.send('GET', path, list, limit).catch((error: unknown) => {
      if (error instanceof TooLargeError || error instanceof UpstreamTimeoutError) reads.avoidList(path.template);
      throw error;
    });
    const { headMs, totalMs } = received.answer;
    const parsing = performance.now();
    const { body, call } = await this.#exchange.parsed(received);
    const read = await attributed(call, () => records(body));
    reads.recordList(path.template, { ms: totalMs + performance.now() - parsing, headMs });
    return read;
  }

  /** The list in place of reads by id, where that is to be preferred. */
  #inPlaceOf(ids: readonly string[], one: ManyReads['one'], list: Get) {
    const { batchReads, budget, maxJoinedList, upstream } = this.#options;
    const calls = this.#costing(ids, one).length;
    if (calls === 0 || batchReads === 'by-id') return undefined;
    const asked = this.#asked(list);
    if (calls === 1) return asked && this.#whole.has(asked) ? asked : undefined; // it waits for no list
    if (asked || batchReads === 'list') return asked ?? this.#list(list, maxJoinedList);

    const endpoint = list.path.template;
    // What a list was given up for may be one caller's: where reads by id cannot be afforded, it is tried all the same.
    if (calls <= budget.left && upstream.reads.avoidsList(endpoint)) return undefined;
    const affordable = calls <= budget.left / 2; // what comes after wants something, too
    return affordable && !upstream.reads.prefersList(endpoint, calls) ? undefined : this.#list(list, maxJoinedList);
  }

  /**
   * No record of a list that could not be had. What it says of itself says nothing of single records; where it failed,
   * some of them tell whether the others can be had; an upstream that does not answer is not asked again.
   *
   * @throws what the list did, where single records cannot be had either
   */
  async #byIdInstead(list: Get, error: unknown, ids: readonly string[], one: ManyReads['one']): Promise<[]> {
    const aboutTheList = [BadResponseError, ForbiddenError, NotFoundError, ValidationError];
    if (aboutTheList.some((failure) => error instanceof failure)) return [];
    if (!(error instanceof UnavailableError) || error instanceof UnreachableError) throw error;

    const costing = this.#costing(ids, one);
    if (costing.length > this.#options.budget.left) throw error;
    const some = await this.several(costing.slice(0, TRIED), one, record);
    if (some.length > 0 && some.every((read) => read instanceof Error)) throw error;
    this.#options.upstream.reads.avoidList(list.path.template);
    return [];
  }

  /** Those of the ids that cost a call: one that is refused before it is sent costs none. */
  #costing(ids: readonly string[], one: ManyReads['one']): string[] {
    const costsCall = (id: string) => {
      try {
        return !this.#reads.has(keyOf(one(id), this.#options.maxRecord));
      } catch {
        return false;
      }
    };
    return ids.filter(costsCall);
  }

  async #write<T>(method: Method, path: Path, write: Write, read: (received: Received) => Promise<T>): Promise<T> {
    const { maxRecord, gone, onWrite, onLateWrite } = this.#options;
    let outcome: WriteOutcome | undefined;
    try {
      const received = await this.#exchange.send(method, path, write, maxRecord).finally(() => {
        // Whatever becomes of it: what was read before may be stale.
        this.forget();
        onWrite?.();
      });
      const result = await read(received);
      outcome = 'applied';
      return result;
    } catch (error) {
      outcome = outcomeOf(error);
      throw error;
    } finally {
      if (gone.aborted && outcome) onLateWrite(this.#exchange.call(method, path), outcome);
    }
  }
}

/** What a failure says of the write that failed; undefined where nothing was sent. */
function outcomeOf(error: unknown): WriteOutcome | undefined {
  if (!(error instanceof GatewayError)) return 'unknown';
  const { status = 0 } = error.upstream ?? {};
  if ((status >= 400 && status < 500) || error instanceof ValidationError) return 'refused';
  return [CallerGoneError, QueryLimitError, UnreachableError].some((kind) => error instanceof kind)
    ? undefined
    : 'unknown';
}

function keyOf({ path, query }: Get, { bytes }: ByteLimit): string {
  return `${bytes} ${target(path, query)}`;
}
