import { BadResponseError, TooLargeError, TooSlowError } from '../errors.ts';
import { isAskedFor, isObject, type UpstreamRecord } from '../formats/decode.ts';
import { Rows } from '../formats/rows.ts';
import { parsed } from './answered.ts';
import type { Lookup } from './cache/response-cache.ts';
import { callOf, decodeInContext, Exchange, generationOf, isEmpty, type SessionState } from './exchange.ts';
import { decodedOnce, decodedRecords, readPages } from './list-pages.ts';
import type { RememberedRead } from './operation-reads.ts';
import type { ListCap } from './read-cost.ts';
import type { Get, Write } from './requests.ts';
import type { ByteLimit } from './transport/messages.ts';
import { pagePath } from './transport/path.ts';

type List = Promise<Rows<UpstreamRecord>>;

/** Decodes a parsed response. @param key that of the record, which may be a wrapper in the response */
export type Decode<Body, T> = (body: Body, key: string | undefined) => T;

/** A list that costs no call. */
interface ListAtHand {
  /** Whether it costs no wait, too. */
  readonly isComplete: boolean;
  /** Whether an earlier operation has read it: the own read of this one may have failed. */
  readonly isCached: boolean;
  readonly read: () => List;
}

const RECORD = { attempt: undefined };
const LIST = { attempt: undefined, isList: true };
const BY_POST = { attempt: undefined, isRead: true };

/** The reads of one operation at one API, and what it has read. */
export class Reads<Body> {
  readonly #session: SessionState<Body>;

  constructor(session: SessionState<Body>) {
    this.#session = session;
  }

  /**
   * Reads one record, or another response of its size, and decodes it by `as`.
   *
   * @throws BadResponseError for another record than the request asks for
   */
  async get<T>(request: Get, as: Decode<Body, T>): Promise<T> {
    const { api, trace } = this.#session;
    trace?.wantRead(request.path);
    const exchange = new Exchange(this.#session, 'GET', request, api.maxRecord, RECORD);
    const read = await api.read(exchange);
    const decoded = decodeInContext(read.call, () => decodedAsAsked(read.body, request, as));
    exchange.lookup?.store(read);
    return decoded;
  }

  /**
   * Reads one record by a call of its own, as `get` does: no earlier read answers it, and it answers no later one.
   *
   * @throws BadResponseError for another record than the request asks for
   */
  async getAnew<T>(request: Get, as: Decode<Body, T>): Promise<T> {
    this.#session.trace?.wantRead(request.path);
    const exchange = await this.#ask('GET', request);
    const { body, call } = await parsed(exchange);
    return decodeInContext(call, () => decodedAsAsked(body, request, as));
  }

  /**
   * Sends a read whose answer is neither kept nor shared, and looks at no more of it than whether upstream has answered.
   *
   * @throws GatewayError for every status but 2xx, for a refusal with a 2xx status, and for a web page
   */
  async probe(request: Get): Promise<void> {
    this.#session.trace?.wantRead(request.path);
    await parsed(await this.#ask('GET', request));
  }

  /** Reads one record by POST. Null when the response has no body. */
  async getByPost<T>(request: Write, as: Decode<Body, T>): Promise<T | null> {
    const exchange = await this.#ask('POST', request, BY_POST);
    if (isEmpty(exchange.answer)) return null;
    const { body, call } = await parsed(exchange);
    return decodeInContext(call, () => decodedAsAsked(body, request, as));
  }

  /** Reads a list of records by POST. It is one window of a list, and the request has input that upstream may refuse. */
  async listByPost(request: Write): List {
    const exchange = await this.#ask('POST', request, BY_POST, this.#session.api.maxList);
    return decodedRecords(await parsed(exchange), request.recordKey);
  }

  /** Reads a list of records by a call of its own, as `getAnew` reads a record. */
  async listAnew(request: Get): List {
    const readPage = async (page: Get): List => {
      this.#session.trace?.wantRead(page.path);
      return decodedRecords(
        await parsed(await this.#ask('GET', page, LIST, this.#session.api.maxList)),
        page.recordKey,
      );
    };
    return this.#allPages(request, await readPage(request), readPage);
  }

  async #ask(
    method: 'GET' | 'POST',
    request: Write,
    options: typeof RECORD & { readonly isList?: boolean; readonly isRead?: boolean } = RECORD,
    limit = this.#session.api.maxRecord,
  ): Promise<Exchange<Body>> {
    return this.#session.api.ask(new Exchange(this.#session, method, request, limit, options));
  }

  /**
   * Reads a list of records, on all pages that upstream links to. A read that verifies a write reads the first page only. A list for
   * a later page of a connection may be one of an earlier operation, see PAGE_LIST_MS.
   */
  async list(request: Get): List {
    const first = await this.#firstPage(request);
    if (first.missing?.nextPage === undefined || request.timeoutMs !== undefined) return first;
    const { pagedLists } = this.#session.memory;
    const key = request.path.path;
    const reading = pagedLists.get(key) ?? this.#allPages(request, first, async (page) => this.#firstPage(page));
    pagedLists.set(key, reading);
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
    return readPages(first, callOf(this.#session.api, 'GET', request.path), readPage);
  }

  async #firstPage(request: Get): List {
    const { api, trace, memory } = this.#session;
    trace?.wantRead(request.path);
    const joined = memory.requested(request, api.maxJoinedList);
    if (!joined || joined.isEarlier) return this.#read(request);
    try {
      return await this.#ofMemory(request, joined);
    } catch (error) {
      // Too large or too slow to be read instead of records by id: here the list itself is wanted, under its own limits.
      if (error instanceof TooLargeError || error instanceof TooSlowError) return this.#read(request);
      throw error;
    }
  }

  async #read(request: Get, limit = this.#session.api.maxList, cap?: ListCap): List {
    const { api, operation } = this.#session;
    const exchange = new Exchange(this.#session, 'GET', request, limit, cap ? { ...LIST, cap } : LIST);
    const read = await api.read(exchange);
    const rows = await decodedOnce(read, request.recordKey);
    exchange.lookup?.store(read, operation.pages);
    return rows;
  }

  /**
   * Reads a list instead of records by id, under the limit for such lists.
   *
   * @throws TooLargeError or TooSlowError beyond the cap, too
   */
  async joinedList(request: Get, cap?: ListCap): List {
    this.#session.trace?.wantRead(request.path);
    return this.#read(request, this.#session.api.maxJoinedList, cap);
  }

  /** Resolves when it is known which responses of earlier operations may be used. Undefined when it is. */
  ready(): Promise<void> | undefined {
    const { api, credentialState } = this.#session;
    return api.cache?.trusts(false) ? credentialState?.generations?.ready() : undefined;
  }

  /** Whether reading the record costs no call: this operation has requested it already, or its response is cached. */
  has(request: Get): boolean {
    const { api, memory } = this.#session;
    return memory.requested(request) !== undefined || this.#isCached(request, api.maxRecord);
  }

  /** Whether a response is used without a call. Without a time to live none is, and no lookup is made. */
  #isCached(request: Get, limit?: ByteLimit): boolean {
    return this.#session.api.cache?.trusts(false) === true && this.#lookup(request, limit)?.hit !== undefined;
  }

  #lookup(request: Get, limit = this.#session.api.maxJoinedList): Lookup<Body> | undefined {
    const { api, credentialState } = this.#session;
    if (!api.cache || !credentialState) return undefined;
    const generation = generationOf(this.#session, `GET ${request.path.template}`);
    return generation && api.cache.lookup(credentialState, request, limit, generation);
  }

  /** Calls `onRead` when this operation reads the record by id after all, though a list held it. */
  noteListed(request: Get, onRead: () => void): void {
    this.#session.memory.noteListed(request, onRead);
  }

  async #ofMemory(request: Get, { reading }: RememberedRead<Body>): List {
    this.#session.trace?.wantRead(request.path);
    return decodedOnce(await reading, request.recordKey);
  }

  /** Whether a list is cached that upstream can be asked about: reading it costs a round trip, and no transfer. */
  holdsList(request: Get): boolean {
    return this.#lookup(request)?.asked !== undefined;
  }

  /** A list that costs no call: this operation has requested it already, under either limit, or it is cached. */
  listAtHand(request: Get): ListAtHand | undefined {
    const found = this.#requested(request);
    if (found) return { isComplete: found.isComplete, isCached: false, read: () => this.#ofMemory(request, found) };
    if (!this.#isCached(request)) return undefined;
    return { isComplete: true, isCached: true, read: () => this.joinedList(request) };
  }

  /** A list that this operation has requested already, or whose page it shows; empty when it could not be read. */
  shownList(request: Get): List | undefined {
    const found = this.#requested(request, true);
    const list = this.#session.memory.pagedLists.get(request.path.path) ?? (found && this.#ofMemory(request, found));
    return list?.catch(() => new Rows([]));
  }

  /** @param isEarlierToo whether it may be a list of an earlier operation, in which a page goes on */
  #requested(request: Get, isEarlierToo = false): RememberedRead<Body> | undefined {
    const { memory, api } = this.#session;
    const found = memory.requested(request, api.maxList) ?? memory.requested(request, api.maxJoinedList);
    return found?.isEarlier && !isEarlierToo ? undefined : found;
  }
}

function decodedAsAsked<Body, T>(body: Body, { recordKey, asked }: Get, as: Decode<Body, T>): T {
  const decoded = as(body, recordKey);
  if (asked === undefined || !isObject(decoded)) return decoded;
  const { id, code } = decoded;
  if (typeof id !== 'string' || isAskedFor({ id, code }, asked)) return decoded;
  throw new BadResponseError('Expected the record that was asked for, got another one.');
}
