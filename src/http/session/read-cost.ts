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

/** Milliseconds of CPU to parse one byte until it is measured. */
const PARSE_CPU_MS = 3.5 / MB;

/** Other work is done between the pieces of a long list, so what parsing appears to take is cut off here. */
const MAX_PARSE_CPU_MS = 50 / MB;

/** The size of a list is kept for this time after its last reading. */
const SIZE_KEPT_MS = 600_000;

/** The weight of the newest size in the mean of the sizes. Callers may see lists of different sizes. */
const NEWEST_WEIGHT = 0.3;

/** The measurements of the list of one endpoint. Holds no record and nothing of a caller. */
class ListMeasurements {
  readonly #now: () => number;
  readonly #headMs: WindowMinimum;
  readonly #transferMsPerByte: WindowMinimum;
  readonly #parseCpuMsPerByte: WindowMinimum;
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
    this.#meanBytes = this.bytes === undefined ? bytes : this.#meanBytes + NEWEST_WEIGHT * (bytes - this.#meanBytes);
    this.#sizedAt = this.#now();
    this.#headMs.add(headMs);
    if (bytes === 0) return;
    this.#transferMsPerByte.add(transferMs / bytes);
    this.#parseCpuMsPerByte.add(Math.min(parseCpuMs / bytes, MAX_PARSE_CPU_MS));
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

  /** Predicts how long the transfer of `bytes` bytes takes beyond the CPU time of receiving them. */
  transferMs(bytes: number): number {
    return bytes * Math.max(0, (this.#transferMsPerByte.value ?? 0) - RECEIVE_CPU_MS);
  }
}

/** Until the size of a list is known, this many reads by id or more are replaced by it. */
const DEFAULT_LIST_FROM = 5;

/** Hysteresis, because measurements vary: a choice is changed only when the other way costs this many times less. */
const SWITCH_FACTOR = 1.1;

/** Milliseconds of CPU for one call and the parsing of one record. `npx tsx bench/choice.ts` prints it. */
const CALL_CPU_MS = 0.09;

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
  avoidedAt: number | undefined;
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

  /** Avoids a list for a minute because it was too large or too slow to be read instead of records by id. */
  avoidList(endpoint: string): void {
    this.#list(endpoint).avoidedAt = this.#now();
  }

  /** Whether a list must not be read instead of records by id. */
  avoidsList(endpoint: string): boolean {
    const { avoidedAt } = this.#list(endpoint);
    return avoidedAt !== undefined && this.#now() - avoidedAt < 2 * WINDOW_MS;
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

  /** Whether the list of an endpoint is predicted to cost less than `count` reads by id. */
  prefersList(endpoint: string, count: number): boolean {
    const list = this.#list(endpoint);
    const costs = this.#costs(list, count);
    if (!costs) return count >= DEFAULT_LIST_FROM && list.readers === 0;

    const { listMs, readsMs } = costs;
    const magnitude = Math.floor(Math.log2(count));
    const chosen = list.choices.get(magnitude) ?? count >= DEFAULT_LIST_FROM;
    const prefers = chosen ? listMs <= readsMs * SWITCH_FACTOR : listMs * SWITCH_FACTOR < readsMs;
    list.choices.set(magnitude, prefers);
    return prefers;
  }

  /** Says in words what was compared when the list of an endpoint is preferred to `count` reads by id. */
  comparison(endpoint: string, count: number): string {
    const costs = this.#costs(this.#list(endpoint), count);
    if (!costs) return `the size of the list is not known yet, and there are at least ${DEFAULT_LIST_FROM} reads`;
    return `the list is predicted to cost ${costs.listMs.toFixed(1)} ms, the reads ${costs.readsMs.toFixed(1)} ms`;
  }

  /** The predicted costs of a list and of `count` reads by id, in milliseconds. Undefined until the list was read once. */
  #costs(
    { measurements }: KnownList,
    count: number,
  ): { readonly listMs: number; readonly readsMs: number } | undefined {
    const { bytes } = measurements;
    if (bytes === undefined) return undefined;
    const latency = this.#readLatency();
    const batches = Math.max(this.#batches, 1);
    const listWait = (measurements.headMs ?? latency) + measurements.transferMs(bytes);
    return {
      listMs: listWait + batches * (CALL_CPU_MS + measurements.cpuMs(bytes)),
      readsMs: this.#readsWait(count, latency) + batches * count * CALL_CPU_MS,
    };
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
      avoidedAt: undefined,
      batches: { lists: 0, reads: 0 },
    };
    this.#lists.set(endpoint, list);
    return list;
  }
}
