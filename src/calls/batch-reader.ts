import { record, type UpstreamRecord } from '../formats/decode.ts';
import {
  asError,
  BadResponseError,
  ForbiddenError,
  NotFoundError,
  TooLargeError,
  TooSlowError,
  UnavailableError,
  UnreachableError,
  ValidationError,
} from '../errors.ts';
import type { Rows } from '../formats/rows.ts';
import type { SessionState } from './exchange.ts';
import type { ListCap, OperationTime } from './read-cost.ts';
import type { Get } from './requests.ts';
import type { Decode, Reads } from './reads.ts';

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

/** The records of a list by their ids. */
type Listed = ReadonlyMap<string, UpstreamRecord>;

/** A list that is preferred to reads by id. */
interface PreferredList {
  readonly list: Promise<Rows<UpstreamRecord>>;
  /** Whether it is read for them alone. */
  readonly isExtra: boolean;
  /** The limits of the list call; undefined without any. */
  readonly cap?: ListCap | undefined;
}

/** Single reads that probe whether upstream is down after its list failed. */
const PROBE_READS = 3;

/** Of the records of a list, so many or fewer may be read by id all the same, to learn whether upstream sends a key. */
const READS_FOR_KEYS = 3;

/** Failures of a list after which single records may still be readable. */
const FAILURES_OF_THE_LIST = [BadResponseError, ForbiddenError, NotFoundError, ValidationError];

const FEW_CALLS = 'the reads would take more than half of the calls that are left';

const CROWDED = 'other calls wait for a connection';

/** Reads several records of an API without an endpoint that takes several ids. */
export class BatchReader<Body> {
  readonly #reads: Reads<Body>;
  readonly #session: SessionState<Body>;

  constructor(session: SessionState<Body> & { readonly reads: Reads<Body> }) {
    this.#reads = session.reads;
    this.#session = session;
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
    const isAlone = ids.length === 1 && first !== undefined && !(list && this.#reads.listAtHand(list)?.isComplete);
    if (isAlone) return [await this.#readOne(requestOrError(one, first), as)];

    const requests = new Map<string, Get | Error>();
    for (const id of ids) if (!requests.has(id)) requests.set(id, requestOrError(one, id));
    return this.#readAll(ids, requests, list, as);
  }

  async #readAll<T>(ids: readonly string[], requests: Requests, list: Get | undefined, as: Decode<Body, T>) {
    const ready = this.#reads.ready();
    if (ready) await ready;
    const found: Listed | undefined = list && (await this.#listInsteadOfReads(requests, list));

    return Promise.all(ids.map((id): unknown => found?.get(id) ?? this.#readOne(requests.get(id), as)));
  }

  async #readOne<T>(request: Get | Error | undefined, as: Decode<Body, T>): Promise<Read<T>> {
    if (request === undefined || request instanceof Error) return request ?? null;
    try {
      return await this.#reads.get(request, as);
    } catch (error) {
      return error instanceof NotFoundError ? null : asError(error);
    }
  }

  /** Returns the records of the list when it is preferred to single reads, and can be read. Otherwise undefined. */
  async #listInsteadOfReads(requests: Requests, list: Get): Promise<Listed | undefined> {
    const uncached = this.#uncached(requests);
    const preferred = this.#preferredList(uncached.size, list);
    if (uncached.size > 1) this.#session.api.readCost.countChoice(list.path.template, preferred !== undefined);
    if (!preferred) return undefined;
    try {
      const listed = new Map<string, UpstreamRecord>();
      for (const item of await preferred.list) listed.set(item.id, item);
      if (preferred.isExtra) this.#judge(listed, uncached, list);
      return listed;
    } catch (error) {
      await this.#fallBackToReads(list, error, [...this.#uncached(requests).values()], preferred.cap?.isCutShort);
      return undefined;
    }
  }

  #preferredList(calls: number, list: Get): PreferredList | undefined {
    const { batchReads } = this.#session.api;
    if (calls === 0 || batchReads === 'by-id') return undefined;
    const atHand = this.#reads.listAtHand(list);
    if (calls === 1) return atHand?.isComplete ? { list: atHand.read(), isExtra: false } : undefined; // it does not wait for a list
    if (!atHand) return this.#extraList(calls, list);
    const reason = atHand.isCached ? 'the list is kept' : 'the operation reads the list anyway';
    this.#session.trace?.preferList(list.path, calls, reason);
    return { list: atHand.read(), isExtra: false };
  }

  #extraList(calls: number, list: Get): PreferredList | undefined {
    const { api, operation, credentialState } = this.#session;
    const { batchReads, readCost } = api;
    const { left } = operation.budget;
    const endpoint = list.path.template;
    if (batchReads === 'list') return this.#joinedList(list, calls, () => 'BATCH_READS is list');
    // With a queue for connections, many reads instead of one call make the queue longer, so that more lists are late and avoided:
    // the gateway would never recover from a stall. Otherwise an avoided list is tried only when too few calls are left for reads by id.
    const isCrowded = api.upstream.waiting > 0 && !readCost.isSlow(endpoint, calls);
    if (!isCrowded && calls <= left && credentialState?.avoidsList(endpoint)) return undefined;
    const isNeeded = calls > left / 2; // keep calls for the rest of the operation
    const isHeld = this.#reads.holdsList(list);
    if (!isNeeded && !isCrowded && !readCost.prefersList(endpoint, calls, isHeld)) return undefined;
    const bounds = calls < left ? readCost.cap(endpoint, calls, this.#time(), isNeeded) : undefined;
    const cap = isHeld && bounds ? { ...bounds, bytes: Infinity } : bounds; // a smaller answer would not be the one that is held
    const preferred = isCrowded ? CROWDED : undefined;
    const reason = () => (isNeeded ? FEW_CALLS : (preferred ?? readCost.comparison(endpoint, calls, isHeld)));
    return this.#joinedList(list, calls, reason, cap);
  }

  #time(): OperationTime {
    const { api, operation } = this.#session;
    return { timeoutMs: api.upstream.timeoutMs, msLeft: operation.budget.msLeft };
  }

  #joinedList(list: Get, calls: number, reason: () => string, cap?: ListCap): PreferredList {
    const { api, trace } = this.#session;
    trace?.preferList(list.path, calls, cap ? `${reason()}; the list may take ${inWords(cap)}` : reason());
    const read = async () => this.#reads.joinedList(list, cap);
    return { list: api.readCost.duringList(list.path.template, read), isExtra: true, cap };
  }

  /**
   * Avoids a list that was read for records which it does not hold, or which were read by id all the same: with a key that the
   * list lacks.
   */
  #judge(listed: Listed, uncached: ReadonlyMap<string, Get>, list: Get): void {
    const held = [...uncached].filter(([id]) => listed.has(id));
    if (held.length * 2 < uncached.size) return this.#avoid(list);
    let reads = 0;
    const onRead = () => {
      reads += 1;
      if (reads > READS_FOR_KEYS && reads * 2 > held.length) this.#avoid(list);
    };
    for (const [, request] of held) this.#reads.noteListed(request, onRead);
  }

  /** Avoids a list for a while, for the caller's credential alone. */
  #avoid({ path }: Get): void {
    this.#session.credentialState?.avoidList(path.template);
  }

  /**
   * Decides whether to read records by id after their list failed. Yes, when the failure concerns the list alone, which is then
   * avoided. After a 5xx, or when the list exceeded its time limit, a few reads by id probe whether the whole API fails. After a
   * connection error or the call's own deadline no further call is made, nor for a list that was never sent.
   *
   * @param isCutShort whether the operation's remaining time shortened the time limit of the list: it is not avoided then
   * @throws the failure of the list when single reads cannot succeed either
   */
  async #fallBackToReads(list: Get, error: unknown, uncached: readonly Get[], isCutShort = false): Promise<void> {
    const { operation } = this.#session;
    const isSlow = error instanceof TooSlowError;
    if (!isSlow && FAILURES_OF_THE_LIST.some((failure) => error instanceof failure)) {
      if (!(error instanceof TooLargeError)) this.#avoid(list); // the reader of lists has learned from that
      return;
    }
    const isOfUpstream = !(error instanceof UnavailableError) || error instanceof UnreachableError;
    if (!isSlow && isOfUpstream) throw error;
    if (uncached.length > operation.budget.left) throw error;

    const probes = await Promise.all(uncached.slice(0, PROBE_READS).map((request) => this.#readOne(request, (x) => x)));
    if (probes.length > 0 && probes.every((probe) => probe instanceof Error)) throw error;
    if (!isCutShort) this.#avoid(list);
  }

  /** The requests that need a call, by their ids: neither made already nor refused before the call. */
  #uncached(requests: Requests): Map<string, Get> {
    const uncached = new Map<string, Get>();
    for (const [id, request] of requests) {
      if (!(request instanceof Error || this.#reads.has(request))) uncached.set(id, request);
    }
    return uncached;
  }
}

function inWords({ bytes, ms }: ListCap): string {
  return bytes === Infinity ? `${ms} ms` : `${Math.ceil(bytes / 1000)} kB and ${ms} ms`;
}

function requestOrError(one: Endpoints['one'], id: string): Get | Error {
  try {
    return one(id);
  } catch (error) {
    return asError(error);
  }
}
