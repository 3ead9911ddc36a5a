/** What one list call took, in milliseconds. */
interface ListRead {
  /** From the sending of the request to the parsed records. */
  readonly ms: number;
  /** From the sending of the request to the head of the response. */
  readonly headMs: number;
}

/** With no list or no read measured yet, a list replaces this many reads by id or more. */
const DEFAULT_LIST_FROM = 5;

/** Hysteresis: the default way is left only where the other one takes this many times less, for the figures are rough. */
const SWITCH_FACTOR = 1.5;

/** A figure is forgotten within this time and twice this time: an upstream that was slow once is tried again. */
const WINDOW_MS = 30_000;

/** Milliseconds that one read by id costs the gateway itself. */
const OWN_MS_PER_READ = 0.15;

/**
 * What reading from one upstream takes, for the life of the process. It holds figures by endpoint: no credential, no
 * address, no answer.
 *
 * A busy moment of this process must not look like a slow upstream. So the figures leave out the wait for a connection,
 * and the least of a window counts: a read that was answered late here was answered sooner some other time.
 *
 * Reads by id go out `atOnce` at a time, so `n` of them take the latency of one for each round, and the gateway's own
 * time for each.
 *
 * @see docs/decisions/0010-list-or-reads-by-id.md
 */
export class ReadCost {
  readonly #atOnce: number;
  readonly #now: () => number;
  readonly #latency: WindowMinimum;
  readonly #lists = new Map<string, { ms: WindowMinimum; headMs: WindowMinimum; avoidedAt: number | undefined }>();

  constructor(atOnce: number, now: () => number = () => performance.now()) {
    this.#atOnce = atOnce;
    this.#now = now;
    this.#latency = new WindowMinimum(now);
  }

  /** Records a read by id that was answered within `ms`, counted from when it was sent on its connection. */
  recordRead(ms: number): void {
    this.#latency.add(ms);
  }

  /** Records a list that was read as a whole. */
  recordList(endpoint: string, { ms, headMs }: ListRead): void {
    const list = this.#list(endpoint);
    list.ms.add(ms);
    list.headMs.add(headMs);
  }

  /** Leaves a list alone for a minute that was too large, or too slow, to be read in place of records by id. */
  avoidList(endpoint: string): void {
    this.#list(endpoint).avoidedAt = this.#now();
  }

  /** Whether a list is not to be read in place of records by id. */
  avoidsList(endpoint: string): boolean {
    const { avoidedAt } = this.#list(endpoint);
    return avoidedAt !== undefined && this.#now() - avoidedAt < 2 * WINDOW_MS;
  }

  /** Whether the list of an endpoint is predicted to take less than `count` reads by id. */
  prefersList(endpoint: string, count: number): boolean {
    const list = this.#list(endpoint).ms.value;
    if (this.#latency.value === undefined && count < DEFAULT_LIST_FROM) return false;
    const latency = this.#latency.value ?? this.#fastestHead();
    if (list === undefined || latency === undefined) return count >= DEFAULT_LIST_FROM;
    const reads = latency * Math.ceil(count / this.#atOnce) + OWN_MS_PER_READ * count;
    return count < DEFAULT_LIST_FROM ? list * SWITCH_FACTOR < reads : list < reads * SWITCH_FACTOR;
  }

  /**
   * Stands in for the latency of a read by id until one was measured: none can be expected to be faster. The head of one
   * list may be late because upstream takes long to make it, so that of any list counts.
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

/** The least of the samples of the current window and the one before it. */
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
