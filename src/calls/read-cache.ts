import { byteLength } from '../formats/utf8.ts';
import { isAskedFor, isObject, records, type UpstreamRecord } from '../formats/decode.ts';
import {
  BadResponseError,
  LateEndpointError,
  TooLargeError,
  TooSlowError,
  UpstreamTimeoutError,
  ValidationError,
} from '../errors.ts';
import { missingRows, paginationOf } from '../formats/pagination.ts';
import { Rows } from '../formats/rows.ts';
import type { ByteLimit } from './transport/messages.ts';
import { pagePath, type Path } from './transport/path.ts';
import type { KeepableRead } from './credential-states.ts';
import { decodeInContext, type Exchange, isEmpty } from './exchange.ts';
import { readPages } from './list-pages.ts';
import type { ListCap } from './read-cost.ts';
import type { Get, Parsed, Received, Write } from './requests.ts';
import { type ParsedRead, ReadQueue } from './read-queue.ts';
import type { SessionOptions } from './session-options.ts';

type List = Promise<Rows<UpstreamRecord>>;

/** Decodes a parsed response. @param key that of the record, which may be a wrapper in the response */
export type Decode<Body, T> = (body: Body, key: string | undefined) => T;

/** A list that was requested. */
interface KnownList {
  readonly list: List;
  isComplete: boolean;
  /** Whether it may be older than the operation: a page goes on in it. No other read is answered by it. */
  isEarlier: boolean;
}

/** The reads of one operation at one API. Identical reads share one call until the operation writes something. */
export class ReadCache<Body> {
  readonly #exchange: Exchange<Body>;
  readonly #queue: ReadQueue<Body>;
  readonly #options: SessionOptions<Body>;
  readonly #records = new Map<string, Promise<ParsedRead<Body>>>();
  readonly #lists = new Map<string, KnownList>();
  /** Lists of several pages, by the path of the first page. */
  readonly #pagedLists = new Map<string, List>();
  /** Records that were taken from lists. */
  readonly #listed = new Map<string, () => void>();

  constructor(exchange: Exchange<Body>, options: SessionOptions<Body>) {
    this.#exchange = exchange;
    this.#queue = new ReadQueue(exchange, options);
    this.#options = options;
  }

  /**
   * Reads one record, or another response of its size, and decodes it by `as`.
   *
   * @throws BadResponseError for another record than the request asks for
   */
  async get<T>(request: Get, as: Decode<Body, T>): Promise<T> {
    this.#options.trace?.wantRead(request.path);
    const key = request.path.path;
    let reading = this.#records.get(key);
    if (!reading) {
      if (this.#listed.size > 0) this.#listed.get(key)?.();
      const started = this.#readRecord(request);
      reading = started;
      this.#records.set(key, started);
      void started.catch((error: unknown) => {
        if (failedByOwnLimits(error, request) && this.#records.get(key) === started) this.#records.delete(key);
      });
    }
    const { keepable, ...parsed } = await reading;
    const { body, call } = parsed;
    const decoded = decodeInContext(call, () => decodedAsAsked(body, request, as));
    keepable?.keep(parsed);
    return decoded;
  }

  /**
   * Reads one record by a call of its own, as `get` does: no earlier read answers it, and it answers no later one.
   *
   * @throws BadResponseError for another record than the request asks for
   */
  async getAnew<T>(request: Get, as: Decode<Body, T>): Promise<T> {
    this.#options.trace?.wantRead(request.path);
    const received = await this.#exchange.send('GET', request, this.#options.api.maxRecord);
    const { body, call } = await this.#exchange.parsed(received);
    return decodeInContext(call, () => decodedAsAsked(body, request, as));
  }

  /** Reads a list of records by a call of its own, as `getAnew` reads a record. */
  async listAnew(request: Get): List {
    return this.#allPages(request, await this.#pageAnew(request), async (page) => this.#pageAnew(page));
  }

  async #pageAnew(request: Get): List {
    this.#options.trace?.wantRead(request.path);
    const received = await this.#exchange.send('GET', request, this.#options.api.maxList);
    const parsed = this.#withPagination(await this.#exchange.parsed(received), received, request);
    return decodedRecords(parsed, request.recordKey);
  }

  /** Resolves when it is known which answers of earlier operations may be used. Undefined when it is. */
  ready(): Promise<void> | undefined {
    return this.#options.known?.ready(false);
  }

  /** Whether reading the record costs no call: this operation has requested it already, or its answer is kept. */
  has(request: Get): boolean {
    if (this.#records.size > 0 && this.#records.has(request.path.path)) return true;
    const { api, known } = this.#options;
    return known?.has(request, api.maxRecord) ?? false;
  }

  /**
   * Reads a list of records, on all pages that upstream links to. A read that verifies a write reads the first page only. A list for
   * a later page of a connection may be one of an earlier operation, see PAGE_LIST_MS.
   */
  async list(request: Get): List {
    const first = await this.#firstPage(request);
    if (first.missing?.nextPage === undefined || request.timeoutMs !== undefined) return first;
    const key = request.path.path;
    const reading = this.#pagedLists.get(key) ?? this.#allPages(request, first, async (page) => this.#firstPage(page));
    this.#pagedLists.set(key, reading);
    return reading;
  }

  /** Reads the pages after the first one, where it links to the next one. */
  async #allPages(
    { continues: _first, ...request }: Get,
    first: Rows<UpstreamRecord>,
    read: (page: Get) => List,
  ): List {
    if (first.missing?.nextPage === undefined) return first;
    const readPage = async (page: number) => read({ ...request, path: pagePath(request.path, page) });
    return readPages(first, this.#exchange.call('GET', request.path), readPage);
  }

  async #firstPage(request: Get): List {
    const { api, trace } = this.#options;
    trace?.wantRead(request.path);
    const known = this.#lists.get(listKey(request, api.maxJoinedList));
    if (!known || known.isEarlier) return this.#read(request, api.maxList);
    const joined = await known.list.catch((error: unknown) => {
      // Too large or too slow for a joined list, but what holds here may be larger.
      if (error instanceof TooLargeError || error instanceof TooSlowError) return undefined;
      throw error;
    });
    return joined ?? this.#read(request, api.maxList);
  }

  /**
   * Reads a list instead of records by id, under the limit for such lists.
   *
   * @throws TooLargeError or TooSlowError beyond the cap, too
   */
  async joinedList(request: Get, cap?: ListCap): List {
    const { api, trace } = this.#options;
    trace?.wantRead(request.path);
    return this.#read(request, api.maxJoinedList, cap);
  }

  /** Calls `onRead` when this operation reads the record by id after all, though a list held it. */
  noteListed(request: Get, onRead: () => void): void {
    this.#listed.set(request.path.path, onRead);
  }

  /** A list that this operation has requested already, under either limit. */
  pendingList(request: Get): List | undefined {
    return this.#pending(request, this.#knownList(request));
  }

  #pending(request: Get, known: KnownList | undefined): List | undefined {
    if (known) this.#options.trace?.wantRead(request.path);
    return known?.list;
  }

  /** Whether `completedList` would return one. */
  hasList(request: Get): boolean {
    const known = this.#knownList(request);
    return known ? known.isComplete : this.#isKept(request);
  }

  /** Whether a list is kept that upstream can be asked about: reading it costs a round trip, and no transfer. */
  holdsList(request: Get): boolean {
    const { api, known } = this.#options;
    return known?.holds(request, api.maxJoinedList) ?? false;
  }

  /** A list that costs no call and no wait: this operation has read it completely, or it is kept. */
  completedList(request: Get): List | undefined {
    return this.hasList(request) ? (this.pendingList(request) ?? this.joinedList(request)) : undefined;
  }

  /** A list that an earlier operation has read, and this one has not requested: its own may have failed. */
  keptList(request: Get): List | undefined {
    return !this.#knownList(request) && this.#isKept(request) ? this.joinedList(request) : undefined;
  }

  /** A list that this operation has requested already, or whose page it shows; empty when it could not be read. */
  cachedList(request: Get): List | undefined {
    const list = this.#pagedLists.get(request.path.path) ?? this.#pending(request, this.#anyList(request));
    return list?.catch(() => new Rows([]));
  }

  /** Reads a list of records by POST, without caching it. */
  async listByPost(request: Write): List {
    const received = await this.#exchange.send('POST', request, this.#options.api.maxList, true);
    return decodedRecords(await this.#exchange.parsed(received), request.recordKey);
  }

  /** Reads one record by POST, without caching it. Null when the response has no body. */
  async getByPost<T>(request: Write, as: Decode<Body, T>): Promise<T | null> {
    const received = await this.#exchange.send('POST', request, this.#options.api.maxRecord, true);
    if (isEmpty(received.answer)) return null;
    const { body, call } = await this.#exchange.parsed(received);
    return decodeInContext(call, () => decodedAsAsked(body, request, as));
  }

  /**
   * Sends a read whose answer is neither kept nor shared, and looks at no more of it than whether upstream has answered.
   *
   * @throws GatewayError for every status but 2xx, for a refusal with a 2xx status, and for a web page
   */
  async probe(request: Get): Promise<void> {
    this.#options.trace?.wantRead(request.path);
    await this.#exchange.parsed(await this.#exchange.send('GET', request, this.#options.api.maxRecord));
  }

  /** Clears the cache: later reads call upstream again. */
  forget(): void {
    this.#records.clear();
    this.#lists.clear();
    this.#pagedLists.clear();
    this.#listed.clear();
    this.#queue.forget();
    this.#options.trace?.forget();
  }

  async #read(request: Get, limit: ByteLimit, cap?: ListCap): List {
    const key = listKey(request, limit);
    const requested = this.#lists.get(key);
    const isUsable = requested && (!requested.isEarlier || request.continues !== undefined);
    const known = isUsable
      ? requested
      : { list: this.#fetch(request, limit, cap), isComplete: false, isEarlier: false };
    known.isEarlier ||= request.continues !== undefined;
    this.#lists.set(key, known);
    try {
      const list = await known.list;
      known.isComplete = true;
      return list;
    } catch (error) {
      const maxBytes = cap && cap.bytes < limit.bytes ? cap.bytes : undefined;
      if (failedByOwnLimits(error, request, maxBytes) && this.#lists.get(key) === known) this.#lists.delete(key);
      throw error;
    }
  }

  #isKept(request: Get): boolean {
    const { api, known } = this.#options;
    return known?.has(request, api.maxJoinedList) ?? false;
  }

  #knownList(request: Get): KnownList | undefined {
    const known = this.#anyList(request);
    return known?.isEarlier ? undefined : known;
  }

  #anyList(request: Get): KnownList | undefined {
    if (this.#lists.size === 0) return undefined;
    const { maxList, maxJoinedList } = this.#options.api;
    return this.#lists.get(listKey(request, maxList)) ?? this.#lists.get(listKey(request, maxJoinedList));
  }

  #readRecord(request: Get): Promise<ParsedRead<Body>> {
    const ready = this.ready();
    const read = (): ParsedRead<Body> | Promise<ParsedRead<Body>> =>
      this.#findKept(request, this.#options.api.maxRecord) ?? this.#queue.read(request);
    return ready ? ready.then(read) : Promise.resolve(read());
  }

  #findKept(request: Get, limit: ByteLimit): Parsed<Body> | undefined {
    const found = this.#options.known?.find(request, limit);
    if (found) this.#options.trace?.findKept(found.parsed.call, request.path, found.bytes);
    return found?.parsed;
  }

  async #fetch(request: Get, limit: ByteLimit, cap?: ListCap): List {
    const ready = this.#options.known?.ready(true);
    if (ready) await ready;
    const kept = this.#findKept(request, limit);
    if (kept) return decodedOnce(kept, request.recordKey);
    const earlier = request.continues === undefined ? undefined : await this.#earlierList(request, limit);
    return earlier ?? this.#call(request, limit, cap);
  }

  /** The list that a page was cut from before. Undefined when it is not kept, or lacks the row that the page goes on from. */
  async #earlierList(request: Get, limit: ByteLimit): Promise<Rows<UpstreamRecord> | undefined> {
    const { known, trace } = this.#options;
    const kept = known?.findForPage(request, limit);
    if (!kept) return undefined;
    const list = await decodedOnce(kept.parsed, request.recordKey);
    if (list.missing?.nextPage !== undefined) return undefined; // its other pages would be newer than the first
    if (!list.some(({ id }) => id === request.continues)) return undefined;
    known?.use(kept);
    trace?.findKept(kept.parsed.call, request.path, kept.bytes);
    return list;
  }

  async #call(request: Get, limit: ByteLimit, cap?: ListCap): List {
    const asked = cap ? { ...request, capMs: cap.ms } : request;
    const within = cap && cap.bytes < limit.bytes ? { ...limit, bytes: cap.bytes } : limit;
    const keepable = this.#options.known?.begin(request, within);
    const received = await this.#exchange.read(asked, within, keepable).catch((error: unknown) => {
      this.#learnFrom(error, request);
      throw error;
    });
    keepable?.weigh(received);
    return this.#decode(received, request, keepable);
  }

  /** Learns the size of a list whose head told it, and avoids one that is too large, or late by itself. */
  #learnFrom(error: unknown, { path }: Get): void {
    const { api, known } = this.#options;
    const isLarge = error instanceof TooLargeError;
    const expected = isLarge ? error.expectedBytes : undefined;
    if (expected !== undefined) api.readCost.recordSize(path.template, expected);
    // A known size decides: the list may be worth it for more ids.
    const isTooLarge = isLarge && !(expected !== undefined && expected <= api.maxJoinedList.bytes);
    if (isTooLarge || error instanceof LateEndpointError) known?.avoidList(path.template);
  }

  /** Decodes the response with a list. What that costs is learned, unless another operation has begun the call. */
  async #decode(received: Received<Body>, request: Get, keepable?: KeepableRead<Body>): List {
    const { headMs, totalMs, body: chunks } = received.answer;
    const bytes = byteLength(chunks); // parsing may empty the array
    const parsing = process.cpuUsage(); // other processes do not count in it
    const body = await this.#parsedList(received, request.path);
    const { user, system } = process.cpuUsage(parsing);
    const parsed = this.#withPagination(body, received, request);
    const read = await decodedOnce(parsed, request.recordKey);
    keepable?.keep(parsed);
    if (keepable) this.#options.operation.pages.add(() => keepable.keepForPages(parsed));
    if (received.isFirst && !received.kept) {
      const measured = { bytes, headMs, transferMs: totalMs - headMs, parseCpuMs: (user + system) / 1000 };
      this.#options.api.readCost.recordList(request.path.template, measured);
    }
    return read;
  }

  /** Adds the pagination metadata of a list response. */
  #withPagination(parsed: Parsed<Body>, { answer, kept }: Received<Body>, { path, isPart }: Get): Parsed<Body> {
    if (kept || isPart) return parsed;
    const pagination = paginationOf(answer, parsed.body, () => this.#options.api.upstream.addressOf(path));
    return pagination ? { ...parsed, pagination } : parsed;
  }

  /** A refusal with a 2xx status, of a list that takes no input, is not about the input of the caller. */
  async #parsedList(received: Received<Body>, { path, bare = path }: Path): Promise<Parsed<Body>> {
    try {
      return await this.#exchange.parsed(received);
    } catch (error) {
      if (!(error instanceof ValidationError) || bare.includes('?')) throw error;
      const message = `The ${received.call.api} API: Expected a list, got a refusal: ${error.message}`;
      throw new BadResponseError(message, error.upstream);
    }
  }
}

/**
 * Whether a read failed by a limit that a later read of the same path may not have. Any other failure is the result for the whole
 * operation.
 *
 * @param maxBytes a limit below that of the endpoint; undefined without one
 */
function failedByOwnLimits(error: unknown, { timeoutMs }: Get, maxBytes?: number): boolean {
  if (error instanceof TooLargeError) return maxBytes !== undefined;
  return error instanceof TooSlowError || (error instanceof UpstreamTimeoutError && timeoutMs !== undefined);
}

function decodedAsAsked<Body, T>(body: Body, { recordKey, asked }: Get, as: Decode<Body, T>): T {
  const decoded = as(body, recordKey);
  if (asked === undefined || !isObject(decoded)) return decoded;
  const { id, code } = decoded;
  if (typeof id !== 'string' || isAskedFor({ id, code }, asked)) return decoded;
  throw new BadResponseError('Expected the record that was asked for, got another one.');
}

const decodedLists = new WeakMap<object, Rows<UpstreamRecord> | Promise<Rows<UpstreamRecord>>>();

/** Decodes the records of a list, once for all operations that share its response. */
function decodedOnce(parsed: Parsed<unknown>, key: string | undefined): Rows<UpstreamRecord> | List {
  const { body } = parsed;
  const isKey = typeof body === 'object' && body !== null;
  const known = isKey ? decodedLists.get(body) : undefined;
  if (known) return known;
  const decoded = decodedRecords(parsed, key);
  if (isKey) decodedLists.set(body, decoded);
  return decoded;
}

/** Decodes the records of a list. A promise for a long one only. */
function decodedRecords(
  { body, call, pagination }: Parsed<unknown>,
  key: string | undefined,
): Rows<UpstreamRecord> | List {
  const complete = (rows: Rows<UpstreamRecord>) => {
    const missing = pagination && missingRows(rows.total, pagination);
    return missing ? rows.withMissing(missing) : rows;
  };
  const decoding = decodeInContext(call, () => {
    const decoded = records(body, key);
    return decoded instanceof Promise ? decoded : complete(decoded);
  });
  if (!(decoding instanceof Promise)) return decoding;
  return decoding.then((list) => decodeInContext(call, () => complete(list)));
}

/** The cache key of a list. The limit is a part of it, because one list may be read under two limits. */
function listKey({ path }: Get, { bytes }: ByteLimit): string {
  return `${bytes} ${path.path}`;
}
