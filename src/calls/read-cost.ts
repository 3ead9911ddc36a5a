/** A value is kept for one to two windows, so that an upstream that was slow once is tried again. */
const WINDOW_MS = 30_000;

/** The minimum of the samples of the current window and the previous one. */
class WindowMinimum {
  readonly #now: () => number;
  #window = 0;
  #current = Infinity;
  #previous = Infinity;

  /** @param now the clock, in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Undefined when both windows hold no sample. */
  get value(): number | undefined {
    this.#moveWindow();
    const least = Math.min(this.#current, this.#previous);
    return least === Infinity ? undefined : least;
  }

  add(sample: number): void {
    this.#moveWindow();
    this.#current = Math.min(this.#current, sample);
  }

  #moveWindow(): void {
    const window = Math.floor(this.#now() / WINDOW_MS);
    if (window === this.#window) return;
    this.#previous = window === this.#window + 1 ? this.#current : Infinity;
    this.#current = Infinity;
    this.#window = window;
  }
}

/** One list call, as it was measured. */
export interface ListRead {
  readonly bytes: number;
  /** Milliseconds from the sending of the request to the head of the response. */
  readonly headMs: number;
  /** Milliseconds from the head to the end of the response. */
  readonly transferMs: number;
  /** Milliseconds of CPU that parsing took. */
  readonly parseCpuMs: number;
}

const MB = 1024 ** 2;

/**
 * Upper bound of the CPU time of parsing that counts, in milliseconds per byte: the first list is parsed by code that is not compiled
 * yet, and other work is done between the pieces of a long one. Also the time per byte of a list whose bandwidth was not measured.
 */
const MAX_PARSE_MS = 10 / MB;

/** Lower bound of the time of a read by id, in milliseconds: the gateway's own work, however fast upstream is. */
const MIN_READ_MS = 0.1;

/** The size of a list is kept for this time after its last reading. */
const SIZE_KEPT_MS = 600_000;

/** The weight of the newest size in the mean of the sizes. Callers may see lists of different sizes. */
const NEWEST_WEIGHT = 0.3;

/** Where neither way to read so many records or more was seen to take less by a tenth, it is the list. */
const DEFAULT_LIST_FROM = 5;

/** Hysteresis, because measurements vary: a choice is changed only when the other way takes this many times less. */
const SWITCH_FACTOR = 1.1;

/**
 * A list of unknown size may take so long, however little the reads by id would: TCP and TLS to another continent, and the first
 * pages of an answer that upstream puts together.
 */
const MIN_LIST_MS = 500;

/** A list whose size and times are known may take so many times longer than it should. */
const LATE_FACTOR = 2;

/** The bounds of a list that is read instead of records by id. Beyond them the records are read by id after all. */
export interface ListCap {
  readonly bytes: number;
  /** Milliseconds from sending the request to the end of the response; the wait for a connection does not count. */
  readonly ms: number;
  /** Whether the caller's own time ends it earlier: that says nothing about the list. */
  readonly isCutShort: boolean;
}

/** The time of an operation, in milliseconds. */
export interface OperationTime {
  /** The longest time that it waits for one call. */
  readonly timeoutMs: number;
  /** How long it may still wait for calls. */
  readonly msLeft: number;
}

/** How often the list of an endpoint was read instead of records by id, and how often it was not. */
export interface ListChoices {
  readonly endpoint: string;
  readonly lists: number;
  readonly reads: number;
}

/** The measurements and choices for the list of one endpoint. Holds no record and nothing of a caller. */
class KnownList {
  readonly headMs: WindowMinimum;
  readonly msPerByte: WindowMinimum;
  /** The last choice: whether the list was preferred. */
  isPreferred: boolean | undefined;
  /** How many batches read the list at the moment. */
  readers = 0;
  /** How many batches read the list, and how many read by id. */
  readonly batches = { lists: 0, reads: 0 };
  readonly #now: () => number;
  #meanBytes = 0;
  #sizedAt = -Infinity;

  /** @param now the clock, in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
    this.headMs = new WindowMinimum(now);
    this.msPerByte = new WindowMinimum(now);
  }

  addSize(bytes: number): void {
    this.#meanBytes = this.bytes === undefined ? bytes : this.#meanBytes + NEWEST_WEIGHT * (bytes - this.#meanBytes);
    this.#sizedAt = this.#now();
  }

  /** The mean size of the last readings. Undefined when the list was not read within ten minutes. */
  get bytes(): number | undefined {
    return this.#now() - this.#sizedAt < SIZE_KEPT_MS ? this.#meanBytes : undefined;
  }
}

/**
 * Predicts how long reads from one upstream take, for the life of the process. Holds sizes and times by endpoint, and no
 * credential, address or response.
 *
 * A list takes the time to its head, and its size divided by the bandwidth, parsing included; reads by id take a latency for each round
 * of them. Load must not look like a slow upstream, so it learns the minimum of each time.
 *
 * @see docs/decisions/0010-list-or-reads-by-id.md
 */
export class ReadCost {
  readonly #readsAtOnce: number;
  readonly #now: () => number;
  readonly #latency: WindowMinimum;
  readonly #lists = new Map<string, KnownList>();

  constructor(readsAtOnce: number, now: () => number = () => performance.now()) {
    this.#readsAtOnce = readsAtOnce;
    this.#now = now;
    this.#latency = new WindowMinimum(now);
  }

  /** Records a read by id that took `ms` milliseconds from sending it on its connection. */
  recordRead(ms: number): void {
    this.#latency.add(ms);
  }

  /** Records a list that was read completely, for whatever purpose. */
  recordList(endpoint: string, { bytes, headMs, transferMs, parseCpuMs }: ListRead): void {
    const list = this.#list(endpoint);
    list.addSize(bytes);
    list.headMs.add(headMs);
    if (bytes > 0) list.msPerByte.add((transferMs + Math.min(parseCpuMs, bytes * MAX_PARSE_MS)) / bytes);
  }

  /**
   * Records the size of a list that was not read completely, such as `Content-Length` tells.
   *
   * @param bytes of the decoded response
   */
  recordSize(endpoint: string, bytes: number): void {
    this.#list(endpoint).addSize(bytes);
  }

  /** Counts a batch that could be read either way. */
  countChoice(endpoint: string, isList: boolean): void {
    this.#list(endpoint).batches[isList ? 'lists' : 'reads'] += 1;
  }

  /** How the batches that could be read either way were read until now, by the endpoints of their lists. */
  choices(): readonly ListChoices[] {
    return [...this.#lists]
      .map(([endpoint, { batches }]) => ({ endpoint, ...batches }))
      .filter(({ lists, reads }) => lists + reads > 0);
  }

  /** Reads a list instead of records by id. Until it ends, a list of unknown size is preferred by no other batch. */
  async duringList<T>(endpoint: string, read: () => Promise<T>): Promise<T> {
    const list = this.#list(endpoint);
    list.readers += 1;
    try {
      return await read();
    } finally {
      list.readers -= 1;
    }
  }

  /**
   * Whether the list of an endpoint is predicted to take less time than `count` reads by id. One of unknown size is preferred to
   * more reads than are sent at once, by one batch at a time.
   *
   * @param isHeld whether the list costs one round trip without a transfer: upstream only says that it has not changed
   */
  prefersList(endpoint: string, count: number, isHeld = false): boolean {
    const list = this.#list(endpoint);
    const listMs = this.#listMs(list, isHeld);
    if (listMs === undefined) return count > this.#readsAtOnce && list.readers === 0;
    const readsMs = this.#readsMs(count);
    const isPreferred = list.isPreferred ?? count >= DEFAULT_LIST_FROM;
    list.isPreferred = isPreferred ? listMs <= readsMs * SWITCH_FACTOR : listMs * SWITCH_FACTOR < readsMs;
    return list.isPreferred;
  }

  /** Whether the list would take longer than `count` reads by id, one after the other. False while its size is unknown. */
  isSlow(endpoint: string, count: number): boolean {
    return (this.#listMs(this.#list(endpoint), false) ?? 0) > count * Math.max(this.#readLatency(), MIN_READ_MS);
  }

  /** Says in words what was compared when the list of an endpoint is preferred to `count` reads by id. */
  comparison(endpoint: string, count: number, isHeld = false): string {
    const listMs = this.#listMs(this.#list(endpoint), isHeld);
    if (listMs === undefined) {
      return `the size of the list is not known yet, and there are more than ${this.#readsAtOnce} reads`;
    }
    const held = isHeld ? ', which is held here,' : '';
    return `the list${held} is predicted to take ${listMs.toFixed(1)} ms, the reads ${this.#readsMs(count).toFixed(1)} ms`;
  }

  /**
   * The bounds of a list that is read instead of `count` records by id. Without a size and a time of its transfer it may take
   * what those reads would, so that trying it at most doubles the time. A known one may be late, and one that is needed, too.
   *
   * @param isNeeded whether the operation can hardly do without the list: few calls are left to it
   */
  cap(endpoint: string, count: number, { timeoutMs, msLeft }: OperationTime, isNeeded = false): ListCap {
    const list = this.#list(endpoint);
    const listMs = this.#listMs(list, false) ?? 0;
    const readsMs = this.#readsMs(count);
    const longest = isNeeded ? timeoutMs / 2 : timeoutMs / 4;
    const isTried = !isNeeded && list.msPerByte.value === undefined;
    const ms = isTried
      ? Math.min(longest, Math.max(MIN_LIST_MS, readsMs))
      : Math.min(timeoutMs, Math.max(longest, LATE_FACTOR * listMs));
    return {
      bytes: isTried ? Math.ceil(readsMs / MAX_PARSE_MS) : Infinity,
      ms: Math.max(1, Math.ceil(Math.min(ms, msLeft / 2))), // the rest is for reads by id
      isCutShort: ms > msLeft / 2,
    };
  }

  /** The predicted time of a list, in milliseconds. Undefined when its size is not known. */
  #listMs({ bytes, headMs, msPerByte }: KnownList, isHeld: boolean): number | undefined {
    const sent = isHeld ? 0 : bytes;
    if (sent === undefined) return undefined;
    return (headMs.value ?? this.#readLatency()) + sent * (msPerByte.value ?? MAX_PARSE_MS);
  }

  /** The predicted time of `count` reads by id, which are sent `readsAtOnce` at a time, in milliseconds. */
  #readsMs(count: number): number {
    return Math.max(Math.ceil(count / this.#readsAtOnce) * this.#readLatency(), count * MIN_READ_MS);
  }

  /** The latency of a read by id. The fastest head of any list stands for it until one is measured. */
  #readLatency(): number {
    const heads = [...this.#lists.values()].map(({ headMs }) => headMs.value ?? Infinity);
    const latency = this.#latency.value ?? Math.min(...heads);
    return latency === Infinity ? 0 : latency;
  }

  #list(endpoint: string): KnownList {
    let list = this.#lists.get(endpoint);
    if (!list) this.#lists.set(endpoint, (list = new KnownList(this.#now)));
    return list;
  }
}
