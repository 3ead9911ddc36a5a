/** The times of one list call, in milliseconds. */
interface ListRead {
  /** From the sending of the request to the parsed records. */
  readonly ms: number;
  /** From the sending of the request to the head of the response. */
  readonly headMs: number;
}

/** Until a list and a read by id are measured, this many reads by id or more are replaced by a list. */
const DEFAULT_LIST_FROM = 5;

/** Hysteresis, because measured times vary: the default is left only when the other way is this many times faster. */
const SWITCH_FACTOR = 1.5;

/** A measured time is kept for one to two windows, so that an upstream that was slow once is tried again. */
const WINDOW_MS = 30_000;

/** Milliseconds of the gateway's own work for one read by id. */
const OWN_MS_PER_READ = 0.15;

/**
 * Predicts how long reads from one upstream take, for the life of the process. Holds measured times by endpoint, and no
 * credential, address or response.
 *
 * A busy moment of this process must not look like a slow upstream. So the times exclude the wait for a connection, and
 * the minimum of a window is used.
 *
 * Reads by id are sent `readsAtOnce` at a time. Each round takes the latency of one read, and each read takes some time of the
 * gateway itself.
 *
 * @see docs/decisions/0010-list-or-reads-by-id.md
 */
export class ReadCost {
  readonly #readsAtOnce: number;
  readonly #now: () => number;
  readonly #latency: WindowMinimum;
  readonly #lists = new Map<string, { ms: WindowMinimum; headMs: WindowMinimum; avoidedAt: number | undefined }>();

  constructor(readsAtOnce: number, now: () => number = () => performance.now()) {
    this.#readsAtOnce = readsAtOnce;
    this.#now = now;
    this.#latency = new WindowMinimum(now);
  }

  /** Records a read by id that took `ms` milliseconds from sending it on its connection. */
  recordRead(ms: number): void {
    this.#latency.add(ms);
  }

  /** Records a list that was read completely. */
  recordList(endpoint: string, { ms, headMs }: ListRead): void {
    const list = this.#list(endpoint);
    list.ms.add(ms);
    list.headMs.add(headMs);
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

  /** Whether the list of an endpoint is predicted to take less time than `count` reads by id. */
  prefersList(endpoint: string, count: number): boolean {
    const list = this.#list(endpoint).ms.value;
    if (this.#latency.value === undefined && count < DEFAULT_LIST_FROM) return false;
    const latency = this.#latency.value ?? this.#fastestHead();
    if (list === undefined || latency === undefined) return count >= DEFAULT_LIST_FROM;
    const reads = latency * Math.ceil(count / this.#readsAtOnce) + OWN_MS_PER_READ * count;
    return count < DEFAULT_LIST_FROM ? list * SWITCH_FACTOR < reads : list < reads * SWITCH_FACTOR;
  }

  /**
   * The estimated latency of a read by id until one is measured: the fastest head of any list. The head of a single list
   * may be late because upstream takes long to build that list.
   */
  #fastestHead(): number | undefined {
    const heads = [...this.#lists.values()].map(({ headMs }) => headMs.value).filter((ms) => ms !== undefined);
    return heads.length === 0 ? undefined : Math.min(...heads);
  }

  #list(endpoint: string) {
    const known = this.#lists.get(endpoint);
    if (known) return known;
    const list = { ms: new WindowMinimum(this.#now), headMs: new WindowMinimum(this.#now), avoidedAt: undefined };
    this.#lists.set(endpoint, list);
    return list;
  }
}

/** The minimum of the samples of the current window and the previous one. */
class WindowMinimum {
  readonly #now: () => number;
  #window = 0;
  #current = Infinity;
  #previous = Infinity;

  constructor(now: () => number) {
    this.#now = now;
  }

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
