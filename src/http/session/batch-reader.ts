import { record, type UpstreamRecord } from '../formats/decode.ts';
import {
  asError,
  BadResponseError,
  ForbiddenError,
  NotFoundError,
  UnavailableError,
  UnreachableError,
  ValidationError,
} from '../errors.ts';
import type { Rows } from '../rows.ts';
import type { Get } from './requests.ts';
import type { Decode, ReadCache } from './read-cache.ts';
import type { SessionOptions } from './session-options.ts';

/** The endpoints that serve records of one type. */
interface Endpoints {
  /**
   * Builds the request for one record.
   *
   * @throws ValidationError for a text that cannot be an id
   */
  readonly one: (id: string) => Get;
  /** The request for the list of all records; undefined when the API has none. */
  readonly list?: Get;
}

/** The request for each id, or the error of an id that cannot be requested. */
type Requests = ReadonlyMap<string, Get | Error>;

type Read<T> = T | null | Error;

/** Single reads that probe whether upstream is down after its list failed. */
const PROBE_READS = 3;

/** Failures of a list after which single records may still be readable. */
const FAILURES_OF_THE_LIST = [BadResponseError, ForbiddenError, NotFoundError, ValidationError];

/** Reads several records of an API without an endpoint that takes several ids. */
export class BatchReader<Body> {
  readonly #reads: ReadCache<Body>;
  readonly #options: SessionOptions<Body>;

  constructor(reads: ReadCache<Body>, options: SessionOptions<Body>) {
    this.#reads = reads;
    this.#options = options;
  }

  /**
   * Reads records by their ids, from one list call or by single reads, whichever is predicted to cost less. Records
   * that the list lacks are read by id. A single id is always read by id.
   *
   * @param ids upstream ids; duplicates are read once
   * @param as decodes one record; `record` unless given
   * @returns one entry per id, in the order of `ids`: the record, null when upstream answers 404, an Error when the read
   *   failed or the operation's remaining upstream calls do not suffice
   * @see docs/decisions/0010-list-or-reads-by-id.md
   */
  async getByIds(ids: readonly string[], endpoints: Endpoints): Promise<Read<UpstreamRecord>[]>;
  async getByIds<T>(ids: readonly string[], endpoints: Endpoints, as: Decode<Body, T>): Promise<Read<T>[]>;
  async getByIds(ids: readonly string[], { one, list }: Endpoints, as: Decode<Body, unknown> = record) {
    const [first] = ids;
    const isAlone = ids.length === 1 && first !== undefined && !(list && this.#reads.hasList(list));
    if (isAlone) return [await this.#readOne(requestOrError(one, first), as)];

    const requests = new Map<string, Get | Error>();
    for (const id of ids) if (!requests.has(id)) requests.set(id, requestOrError(one, id));
    const read = async () => this.#readAll(ids, requests, list, as);
    return requests.size > 1 ? this.#options.api.readCost.duringBatch(read) : read();
  }

  async #readAll<T>(ids: readonly string[], requests: Requests, list: Get | undefined, as: Decode<Body, T>) {
    const ready = this.#reads.ready();
    if (ready) await ready;
    const listed = (list && (await this.#listInsteadOfReads(requests, list))) ?? [];
    const found = new Map<string, unknown>();
    for (const item of listed) found.set(item.id, item);

    return Promise.all(ids.map((id): unknown => found.get(id) ?? this.#readOne(requests.get(id), as)));
  }

  async #readOne<T>(request: Get | Error | undefined, as: Decode<Body, T>): Promise<Read<T>> {
    if (request === undefined || request instanceof Error) return request ?? null;
    try {
      return await this.#reads.get(request, as);
    } catch (error) {
      return error instanceof NotFoundError ? null : asError(error);
    }
  }

  /** Returns the records of the list when it is preferred to single reads. Otherwise they are undefined or empty. */
  async #listInsteadOfReads(requests: Requests, list: Get): Promise<Iterable<UpstreamRecord> | undefined> {
    const uncached = this.#uncached(requests);
    const preferred = this.#preferredList(uncached.length, list);
    if (uncached.length > 1) this.#options.api.readCost.countChoice(list.path.template, preferred !== undefined);
    return preferred?.catch((error: unknown) => this.#fallBackToReads(list, error, this.#uncached(requests)));
  }

  #preferredList(calls: number, list: Get): Promise<Rows<UpstreamRecord>> | undefined {
    const { api, operation, trace } = this.#options;
    const { batchReads, readCost } = api;
    const { budget } = operation;
    if (calls === 0 || batchReads === 'by-id') return undefined;
    if (calls === 1) return this.#reads.completedList(list); // a single id does not wait for a list
    const kept = this.#reads.keptList(list);
    const pending = kept ?? this.#reads.pendingList(list);
    const endpoint = list.path.template;
    const joinedList = async (reason: () => string) => {
      trace?.preferList(list.path, calls, reason());
      return readCost.duringList(endpoint, async () => this.#reads.joinedList(list));
    };
    if (pending) trace?.preferList(list.path, calls, kept ? 'the list is kept' : 'the operation reads the list anyway');
    if (pending || batchReads === 'list') return pending ?? joinedList(() => 'BATCH_READS is list');

    // Another caller's operation may have made this list avoided. It is tried all the same when the budget does not suffice
    // for single reads.
    if (calls <= budget.left && readCost.avoidsList(endpoint)) return undefined;
    const affordable = calls <= budget.left / 2; // keep calls for the rest of the operation
    if (!affordable) return joinedList(() => 'the reads would take more than half of the calls that are left');
    return readCost.prefersList(endpoint, calls) ? joinedList(() => readCost.comparison(endpoint, calls)) : undefined;
  }

  /**
   * Decides whether to read records by id after their list failed. Yes, when the failure concerns the list alone. After a
   * status of 500 or more, a few single reads probe whether upstream is down. An upstream that did not respond is not called
   * again.
   *
   * @returns no records: the caller reads them by id
   * @throws the failure of the list when single reads cannot succeed either
   */
  async #fallBackToReads(list: Get, error: unknown, uncached: readonly Get[]): Promise<[]> {
    if (FAILURES_OF_THE_LIST.some((failure) => error instanceof failure)) return [];
    if (!(error instanceof UnavailableError) || error instanceof UnreachableError) throw error;
    if (uncached.length > this.#options.operation.budget.left) throw error;

    const probes = await Promise.all(uncached.slice(0, PROBE_READS).map((request) => this.#readOne(request, (x) => x)));
    if (probes.length > 0 && probes.every((probe) => probe instanceof Error)) throw error;
    this.#options.api.readCost.avoidList(list.path.template);
    return [];
  }

  /** The requests that need a call: neither made already nor refused before the call. */
  #uncached(requests: Requests): Get[] {
    const uncached: Get[] = [];
    for (const request of requests.values()) {
      if (!(request instanceof Error || this.#reads.has(request))) uncached.push(request);
    }
    return uncached;
  }
}

function requestOrError(one: Endpoints['one'], id: string): Get | Error {
  try {
    return one(id);
  } catch (error) {
    return asError(error);
  }
}
