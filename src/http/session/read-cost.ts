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

const MB = 1024 ** 2;

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

/** Milliseconds of CPU to receive one byte of a list, to check its records, and to free them. */
const RECEIVE_CPU_MS = 1.5 / MB;

/** Milliseconds of CPU to parse one byte until it is measured, which the first reading of a list does not do. */
const PARSE_CPU_MS = 3.5 / MB;

/** Other work is done between the pieces of a long list, so what parsing appears to take is cut off here. */
const MAX_PARSE_CPU_MS = 50 / MB;

/** The size of a list is kept for this time after its last reading. */
const SIZE_KEPT_MS = 600_000;

/** The weight of the newest size in the mean of the sizes. Callers may see lists of different sizes. */
const NEWEST_WEIGHT = 0.3;

/** A list that is not longer, such as an empty one, compiles nothing. */
const SHORT_BYTES = 1_000;

/** The measurements of the list of one endpoint. Holds no record and nothing of a caller. */
class ListMeasurements {
  readonly #now: () => number;
  readonly #headMs: WindowMinimum;
  readonly #transferMsPerByte: WindowMinimum;
  readonly #parseCpuMsPerByte: WindowMinimum;
  #isParsed = false;
  #meanBytes = 0;
  #sizedAt = -Infinity;

  /** @param now the clock, in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
    this.#headMs = new WindowMinimum(now);
    this.#transferMsPerByte = new WindowMinimum(now);
    this.#parseCpuMsPerByte = new WindowMinimum(now);
  }

  add({ bytes, headMs, transferMs, parseCpuMs }: ListRead): void {
    this.addSize(bytes);
    this.#headMs.add(headMs);
    if (bytes === 0) return;
    this.#transferMsPerByte.add(transferMs / bytes);
    // The first list of some length takes six times the CPU time of the next: the code for its rows is not compiled yet.
    if (this.#isParsed) this.#parseCpuMsPerByte.add(Math.min(parseCpuMs / bytes, MAX_PARSE_CPU_MS));
    this.#isParsed ||= bytes > SHORT_BYTES;
  }

  addSize(bytes: number): void {
    this.#meanBytes = this.bytes === undefined ? bytes : this.#meanBytes + NEWEST_WEIGHT * (bytes - this.#meanBytes);
    this.#sizedAt = this.#now();
  }

  /** The mean size of the last readings. Undefined when the list was not read within ten minutes. */
  get bytes(): number | undefined {
    return this.#now() - this.#sizedAt < SIZE_KEPT_MS ? this.#meanBytes : undefined;
  }

  /** The least time to the head of the response within a window. */
  get headMs(): number | undefined {
    return this.#headMs.value;
  }

  /** Predicts the CPU time of reading `bytes` bytes of the list. */
  cpuMs(bytes: number): number {
    return bytes * (RECEIVE_CPU_MS + (this.#parseCpuMsPerByte.value ?? PARSE_CPU_MS));
  }

  /** Whether the time of its transfer is known. */
  get isTransferKnown(): boolean {
    return this.#transferMsPerByte.value !== undefined;
  }

  /** Predicts how long the transfer of `bytes` bytes takes beyond the CPU time of receiving them. */
  transferMs(bytes: number): number {
    return bytes * Math.max(0, (this.#transferMsPerByte.value ?? 0) - RECEIVE_CPU_MS);
  }
}

/** Where neither way to read so many records or more was seen to cost less by a tenth, it is the list. */
const DEFAULT_LIST_FROM = 5;

/** Hysteresis, because measurements vary: a choice is changed only when the other way costs this many times less. */
const SWITCH_FACTOR = 1.1;

/** Milliseconds of CPU for one call and the parsing of one record. `npx tsx bench/choice.ts` prints it. */
const CALL_CPU_MS = 0.09;

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

/** The measurements and choices for the list of one endpoint. */
interface KnownList {
  readonly measurements: ListMeasurements;
  /** The last choice for numbers of ids from 2^n to 2^(n+1)-1: whether the list was preferred. */
  readonly choices: Map<number, boolean>;
  /** How many batches read the list at the moment. */
  readers: number;
  /** How many batches read the list, and how many read by id. */
  readonly batches: { lists: number; reads: number };
}

/**
 * Predicts what reads from one upstream cost, for the life of the process. Holds sizes and times by endpoint, and no
 * credential, address or response.
 *
 * The cost of a way to read a batch is the time that it waits for upstream, plus its CPU time for each batch that is under
 * way: all of them take turns on one thread. Load must not look like a slow upstream. So it learns sizes, CPU times, and the
 * minimum of each waiting time.
 *
 * @see docs/decisions/0010-list-or-reads-by-id.md
 */
export class ReadCost {
  readonly #readsAtOnce: number;
  readonly #now: () => number;
  readonly #latency: WindowMinimum;
  readonly #lists = new Map<string, KnownList>();
  #batches = 0;

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
  recordList(endpoint: string, read: ListRead): void {
    this.#list(endpoint).measurements.add(read);
  }

  /**
   * Records the size of a list that was not read completely, such as `Content-Length` tells.
   *
   * @param bytes of the decoded response
   */
  recordSize(endpoint: string, bytes: number): void {
    this.#list(endpoint).measurements.addSize(bytes);
  }

  /** Whether the measured CPU time of the list exceeds that of `count` reads by id. False while its size is unknown. */
  isHeavy(endpoint: string, count: number): boolean {
    const { measurements } = this.#list(endpoint);
    return measurements.cpuMs(measurements.bytes ?? 0) > count * CALL_CPU_MS;
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

  /** Runs a batch of reads, which counts as under way until it ends. */
  async duringBatch<T>(run: () => Promise<T>): Promise<T> {
    this.#batches += 1;
    try {
      return await run();
    } finally {
      this.#batches -= 1;
    }
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
   * Whether the list of an endpoint is predicted to cost less than `count` reads by id. One of unknown size is preferred to
   * more reads than are sent at once, by one batch at a time.
   *
   * @param isHeld whether the list costs one round trip without a transfer: upstream only says that it has not changed
   */
  prefersList(endpoint: string, count: number, isHeld = false): boolean {
    const list = this.#list(endpoint);
    const listMs = this.#listMs(list, isHeld);
    if (listMs === undefined) return count > this.#readsAtOnce && list.readers === 0;

    const readsMs = this.#readsMs(count);
    const magnitude = Math.floor(Math.log2(count));
    const chosen = list.choices.get(magnitude) ?? count >= DEFAULT_LIST_FROM;
    const prefers = chosen ? listMs <= readsMs * SWITCH_FACTOR : listMs * SWITCH_FACTOR < readsMs;
    list.choices.set(magnitude, prefers);
    return prefers;
  }

  /** Says in words what was compared when the list of an endpoint is preferred to `count` reads by id. */
  comparison(endpoint: string, count: number, isHeld = false): string {
    const listMs = this.#listMs(this.#list(endpoint), isHeld);
    if (listMs === undefined) {
      return `the size of the list is not known yet, and there are more than ${this.#readsAtOnce} reads`;
    }
    const held = isHeld ? ', which is held here,' : '';
    return `the list${held} is predicted to cost ${listMs.toFixed(1)} ms, the reads ${this.#readsMs(count).toFixed(1)} ms`;
  }

  /**
   * The bounds of a list that is read instead of `count` records by id. Without a size and a time of its transfer it may cost
   * what those reads would, so that trying it at most doubles the cost. A known one may be late, and one that is needed, too.
   *
   * @param isNeeded whether the operation can hardly do without the list: few calls are left to it
   */
  cap(endpoint: string, count: number, { timeoutMs, msLeft }: OperationTime, isNeeded = false): ListCap {
    const list = this.#list(endpoint);
    const listMs = this.#listMs(list, false) ?? 0;
    const readsMs = this.#readsMs(count);
    const isTried = !isNeeded && !list.measurements.isTransferKnown;
    const longest = isNeeded ? timeoutMs / 2 : timeoutMs / 4;
    const ms = isTried
      ? Math.min(longest, Math.max(MIN_LIST_MS, readsMs))
      : Math.min(timeoutMs, Math.max(longest, LATE_FACTOR * listMs));
    return {
      bytes: isTried ? Math.ceil(readsMs / (RECEIVE_CPU_MS + PARSE_CPU_MS)) : Infinity,
      ms: Math.max(1, Math.ceil(Math.min(ms, msLeft / 2))), // the rest is for reads by id
      isCutShort: ms > msLeft / 2,
    };
  }

  /** The predicted cost of a list, in milliseconds. Undefined when its size is not known. */
  #listMs({ measurements }: KnownList, isHeld: boolean): number | undefined {
    const bytes = isHeld ? 0 : measurements.bytes;
    if (bytes === undefined) return undefined;
    const headMs = measurements.headMs ?? this.#readLatency();
    if (isHeld) return headMs;
    return headMs + measurements.transferMs(bytes) + this.#batchesUnderWay * (CALL_CPU_MS + measurements.cpuMs(bytes));
  }

  /** The predicted cost of `count` reads by id, in milliseconds. */
  #readsMs(count: number): number {
    return this.#readsWait(count, this.#readLatency()) + this.#batchesUnderWay * count * CALL_CPU_MS;
  }

  get #batchesUnderWay(): number {
    return Math.max(this.#batches, 1);
  }

  /**
   * The time that `count` reads by id wait for upstream. They are sent `readsAtOnce` at a time. While one round waits, the
   * CPU works for another.
   */
  #readsWait(count: number, latency: number): number {
    const rounds = Math.ceil(count / this.#readsAtOnce);
    return rounds * latency - (rounds - 1) * Math.min(latency, this.#roundCpuMs);
  }

  /**
   * The latency of a read by id. The fastest head of any list stands for it until one is measured, and also where the
   * measured time may be that of the reads that were sent together: they wait for each other on the CPU.
   */
  #readLatency(): number {
    const measured = this.#latency.value;
    if (measured !== undefined && measured > this.#roundCpuMs) return measured;
    const heads = [...this.#lists.values()].map(({ measurements }) => measurements.headMs ?? Infinity);
    const least = Math.min(measured ?? Infinity, ...heads);
    return least === Infinity ? 0 : least;
  }

  get #roundCpuMs(): number {
    return this.#readsAtOnce * CALL_CPU_MS;
  }

  #list(endpoint: string): KnownList {
    const known = this.#lists.get(endpoint);
    if (known) return known;
    const measurements = new ListMeasurements(this.#now);
    const list = {
      measurements,
      choices: new Map<number, boolean>(),
      readers: 0,
      batches: { lists: 0, reads: 0 },
    };
    this.#lists.set(endpoint, list);
    return list;
  }
}
