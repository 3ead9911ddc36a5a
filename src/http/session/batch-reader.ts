import { record, type UpstreamRecord } from '../formats/decode.ts';
import {
  asError,
  BadResponseError,
  ForbiddenError,
  missingAsNull,
  NotFoundError,
  UnavailableError,
  UnreachableError,
  ValidationError,
} from '../errors.ts';
import type { CallBudget, Get } from '../transport/exchange.ts';
import type { ReadCache } from './read-cache.ts';
import type { ReadCost } from './read-cost.ts';

/** How records are read that several ids ask for; `auto`: by what is predicted to take less. */
export type BatchReads = 'auto' | 'list' | 'by-id';

export interface BatchReaderOptions {
  readonly batchReads: BatchReads;
  readonly budget: CallBudget;
  readonly readCost: ReadCost;
}

/** The endpoints that have records of one kind. */
interface Endpoints {
  /** @throws ValidationError for what cannot be an id */
  readonly one: (id: string) => Get;
  /** The list that holds all of them, where the API has one. */
  readonly list?: Get;
}

/** The request for each id, or why there can be none. */
type Requests = ReadonlyMap<string, Get | Error>;

type Read<T> = T | null | Error;

/** Single reads that probe whether upstream is down after its list failed. */
const PROBE_READS = 3;

/** Failures that concern a list alone: they say nothing of single records. */
const FAILURES_OF_THE_LIST = [BadResponseError, ForbiddenError, NotFoundError, ValidationError];

/** Reads several records of an API that has no "get many". */
export class BatchReader<Body> {
  readonly #reads: ReadCache<Body>;
  readonly #options: BatchReaderOptions;

  constructor(reads: ReadCache<Body>, options: BatchReaderOptions) {
    this.#reads = reads;
    this.#options = options;
  }

  /**
   * Reads records by their ids, from one list call or by single reads, whichever is predicted to take less, and by id
   * what the list lacks. One id alone is read by id.
   *
   * @param ids upstream ids; one that stands in it twice is read once
   * @param as decodes one record; `record` unless given
   * @returns one entry per id, in the order of `ids`: the record, null when upstream answers 404, an Error when the read
   *   failed or the operation's remaining upstream calls do not suffice
   * @see docs/decisions/0010-list-or-reads-by-id.md
   */
  async getByIds(ids: readonly string[], endpoints: Endpoints): Promise<Read<UpstreamRecord>[]>;
  async getByIds<T>(ids: readonly string[], endpoints: Endpoints, as: (body: Body) => T): Promise<Read<T>[]>;
  async getByIds(ids: readonly string[], { one, list }: Endpoints, as: (body: Body) => unknown = record) {
    const requests: Requests = new Map(ids.map((id) => [id, attempt(() => one(id))]));
    const listed = (list && (await this.#listInsteadOfReads(requests, list))) ?? [];
    const found = new Map<string, unknown>(listed.map((item) => [item.id, item]));

    const readMissing = async ([id, request]: [string, Get | Error]) => {
      if (!found.has(id)) found.set(id, await this.#readOne(request, as));
    };
    await Promise.all(Array.from(requests, readMissing));
    return ids.map((id) => found.get(id));
  }

  async #readOne<T>(request: Get | Error, as: (body: Body) => T): Promise<Read<T>> {
    return request instanceof Error ? request : this.#reads.get(request, as).catch(missingAsNull).catch(asError);
  }

  /** The records of the list where it is preferred to single reads; none where it failed and single reads may not. */
  async #listInsteadOfReads(requests: Requests, list: Get): Promise<readonly UpstreamRecord[] | undefined> {
    const uncached = this.#uncached(requests);
    return this.#preferredList(uncached.length, list)?.catch((error: unknown) =>
      this.#fallBackToReads(list, error, this.#uncached(requests)),
    );
  }

  #preferredList(calls: number, list: Get): Promise<readonly UpstreamRecord[]> | undefined {
    const { batchReads, budget, readCost } = this.#options;
    if (calls === 0 || batchReads === 'by-id') return undefined;
    if (calls === 1) return this.#reads.completedList(list); // one alone waits for no list
    const pending = this.#reads.pendingList(list);
    if (pending || batchReads === 'list') return pending ?? this.#reads.joinedList(list);

    const endpoint = list.path.template;
    // The list may be avoided for another caller's sake: where reads by id cannot be afforded, it is tried all the same.
    if (calls <= budget.left && readCost.avoidsList(endpoint)) return undefined;
    const affordable = calls <= budget.left / 2; // the rest of the operation needs calls, too
    return affordable && !readCost.prefersList(endpoint, calls) ? undefined : this.#reads.joinedList(list);
  }

  /**
   * Decides whether single reads may succeed where the list failed. A failure of the list alone says nothing of them; after
   * a status of 500 or more some of them are tried; an upstream that did not respond is not asked again.
   *
   * @returns no records: they are to be read by id
   * @throws the failure of the list, where single reads fail, too
   */
  async #fallBackToReads(list: Get, error: unknown, uncached: readonly Get[]): Promise<[]> {
    if (FAILURES_OF_THE_LIST.some((failure) => error instanceof failure)) return [];
    if (!(error instanceof UnavailableError) || error instanceof UnreachableError) throw error;
    if (uncached.length > this.#options.budget.left) throw error;

    const probes = await Promise.all(uncached.slice(0, PROBE_READS).map((request) => this.#readOne(request, (x) => x)));
    if (probes.length > 0 && probes.every((probe) => probe instanceof Error)) throw error;
    this.#options.readCost.avoidList(list.path.template);
    return [];
  }

  /** The requests that cost a call: not those that were made already, nor an id that is refused before the call. */
  #uncached(requests: Requests): Get[] {
    return [...requests.values()].flatMap((request) =>
      request instanceof Error || this.#reads.has(request) ? [] : [request],
    );
  }
}

function attempt<T>(run: () => T): T | Error {
  try {
    return run();
  } catch (error) {
    return asError(error);
  }
}
