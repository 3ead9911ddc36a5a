import { UnreachableError, type UpstreamCall, UpstreamTimeoutError } from '../errors.ts';
import type { UpstreamRecord } from '../formats/decode.ts';
import type { Rows } from '../formats/rows.ts';
import type { Get, Parsed } from './requests.ts';
import type { CallBudget } from './transport/call-budget.ts';
import type { ByteLimit } from './transport/messages.ts';

/** A read that an operation has requested. */
export interface RememberedRead<Body> {
  readonly reading: Promise<Parsed<Body>>;
  isComplete: boolean;
  /** Whether it may be older than the operation: a page goes on in it. No other read is answered by it. */
  isEarlier: boolean;
}

/** The reads of one operation at one API, until it writes something. */
export class OperationMemory<Body> {
  readonly #reads = new Map<string, RememberedRead<Body>>();
  /** Lists of several pages, by the path of the first page. */
  readonly pagedLists = new Map<string, Promise<Rows<UpstreamRecord>>>();
  /** Records that were taken from lists, with what to call when one is read by id all the same. */
  readonly #listed = new Map<string, () => void>();

  /** @param limit of a list; undefined for a record */
  requested(request: Get, limit?: ByteLimit): RememberedRead<Body> | undefined {
    return this.#reads.size === 0 ? undefined : this.#reads.get(keyOf(request, limit));
  }

  /**
   * @param limit of a list; undefined for a record
   * @param isOwn whether a failure came from the limits of this read alone: a later read is sent again then
   */
  add(
    request: Get,
    limit: ByteLimit | undefined,
    read: RememberedRead<Body>,
    isOwn: (error: unknown) => boolean,
  ): void {
    const key = keyOf(request, limit);
    this.#reads.set(key, read);
    read.reading.then(
      () => (read.isComplete = true),
      (error: unknown) => {
        if (isOwn(error) && this.#reads.get(key) === read) this.#reads.delete(key);
      },
    );
  }

  /** Calls `onRead` when this operation reads the record by id after all, though a list held it. */
  noteListed(request: Get, onRead: () => void): void {
    this.#listed.set(request.path.path, onRead);
  }

  noteRead(request: Get): void {
    if (this.#listed.size > 0) this.#listed.get(request.path.path)?.();
  }

  forget(): void {
    this.#reads.clear();
    this.pagedLists.clear();
    this.#listed.clear();
  }
}

/** The limit is a part of the key of a list, because one list may be read under two limits. */
function keyOf({ path }: Get, limit: ByteLimit | undefined): string {
  return limit ? `${limit.bytes} ${path.path}` : path.path;
}

/** A read that waits to be sent. */
interface WaitingRead {
  readonly call: UpstreamCall;
  readonly send: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * The reads by id of one operation at one API, `readsAtOnce` at a time. Reads that are requested in one tick are sent
 * together, or not at all when the operation has fewer calls left.
 */
export class ReadQueue {
  readonly #readsAtOnce: number;
  readonly #budget: CallBudget;
  /** Reads that were requested in the current tick. */
  #requested: WaitingRead[] = [];
  /** Reads that wait until fewer than `readsAtOnce` are under way. */
  readonly #queued: WaitingRead[] = [];
  #underWay = 0;
  /** The errors of the first reads that got no response, by their endpoints: one record may hang, or one kind of them. */
  readonly #unanswered = new Map<string, Error>();

  constructor(readsAtOnce: number, budget: CallBudget) {
    this.#readsAtOnce = readsAtOnce;
    this.#budget = budget;
  }

  /**
   * Waits until a read may be sent: in the next tick, together with the other reads of the current one. It has to `leave` then.
   *
   * @throws QueryLimitError when fewer calls are left than reads wait: a part of the records would be of no use
   */
  enter(call: UpstreamCall): Promise<void> {
    if (this.#requested.length === 0) process.nextTick(() => this.#queueRequested());
    return new Promise((resolve, reject) => this.#requested.push({ call, send: resolve, reject }));
  }

  /** Ends a read, and sends the next ones. @param error the failure of the read, unless its own shorter deadline caused it */
  leave({ endpoint }: UpstreamCall, error?: unknown): void {
    if (error instanceof UpstreamTimeoutError || error instanceof UnreachableError)
      this.#unanswered.set(endpoint, error);
    this.#underWay -= 1;
    this.#sendQueued();
  }

  /** Allows calls again to an upstream that did not respond. */
  forget(): void {
    this.#unanswered.clear();
  }

  #queueRequested(): void {
    const requested = this.#requested;
    this.#requested = [];
    const tooMany = requested.length + this.#queued.length > this.#budget.left;
    for (const read of requested) {
      if (tooMany) read.reject(this.#budget.exceededBy(read.call));
      else this.#queued.push(read);
    }
    this.#sendQueued();
  }

  #sendQueued(): void {
    while (this.#underWay < this.#readsAtOnce) {
      const read = this.#queued.shift();
      if (!read) return;
      const unanswered = this.#unanswered.get(read.call.endpoint);
      if (unanswered) {
        read.reject(unanswered); // otherwise the deadlines of queued reads would add up
        continue;
      }
      this.#underWay += 1;
      read.send();
    }
  }
}

/** The reads of one operation at one API that are under way, and the refused ones that wait for one of them. */
export class Trials {
  #underWay = 0;
  readonly #refused: (() => void)[] = [];

  begin(): void {
    this.#underWay += 1;
  }

  /** Whether no other read is under way. */
  get isAlone(): boolean {
    return this.#underWay === 1;
  }

  /** Ends a read. The refused ones go on when it was sent, or when no other one is left that could be. */
  end(wasRefused: boolean): void {
    this.#underWay -= 1;
    if (this.#refused.length === 0 || (wasRefused && this.#underWay > 0)) return;
    for (const goOn of this.#refused.splice(0)) goOn();
  }

  /** Waits until refused reads go on. */
  wait(): Promise<void> {
    return new Promise((resolve) => this.#refused.push(resolve));
  }
}
