/** What one list call took. */
interface ListRead {
  /** From the request to the parsed records. */
  readonly ms: number;
  /** From the request to the head of the answer. */
  readonly headMs: number;
}

/** With nothing seen yet, one list call stands for this many reads by id. */
const LIST_FROM = 5;

/** What is done with nothing seen is done still unless it costs more by this factor: the figures are rough. */
const CLEARLY = 1.5;

/** How much a new sight counts against what was seen before. */
const WEIGHT = 0.3;

/** A figure that is older is forgotten: an upstream that was slow once is tried again. */
const FORGET_AFTER_MS = 60_000;

/** What one read by id costs the gateway itself, until it has been seen. */
const OWN_MS_PER_READ = 0.15;

/**
 * What reading from one upstream has been seen to cost, for the life of the process. It holds figures by endpoint:
 * no credential, no address, no answer.
 *
 * Reads by id go out `atOnce` at a time, so `n` of them cost their latency once a round, and a share of the gateway's
 * own time each.
 */
export class ReadCost {
  readonly #atOnce: number;
  readonly #now: () => number;
  readonly #latency: Figure;
  readonly #share: Figure;
  readonly #lists = new Map<string, { readonly ms: Figure; readonly headMs: Figure; givenUpAt: number | undefined }>();

  constructor(atOnce: number, now: () => number = () => performance.now()) {
    this.#atOnce = atOnce;
    this.#now = now;
    this.#latency = new Figure(now);
    this.#share = new Figure(now);
  }

  /** So many records were read by id, all of them within `ms`. */
  sawReads(count: number, ms: number): void {
    const rounds = Math.ceil(count / this.#atOnce);
    const latency = this.#latency.value;
    if (count < LIST_FROM) this.#latency.see(ms);
    else if (latency === undefined) this.#latency.see(Math.max(0, ms - count * OWN_MS_PER_READ) / rounds);
    else this.#share.see(Math.max(0, ms - latency * rounds) / count);
  }

  /** The list of an endpoint was read as a whole. */
  sawList(endpoint: string, { ms, headMs }: ListRead): void {
    const list = this.#list(endpoint);
    list.ms.see(ms);
    list.headMs.see(headMs);
  }

  /** The list of an endpoint was too large, or too slow, to be read in place of records by id. */
  gaveUp(endpoint: string): void {
    this.#list(endpoint).givenUpAt = this.#now();
  }

  /** Whether reading the list in place of records by id was given up. */
  hasGivenUp(endpoint: string): boolean {
    const { givenUpAt } = this.#list(endpoint);
    return givenUpAt !== undefined && this.#now() - givenUpAt < FORGET_AFTER_MS;
  }

  /** Whether the list of an endpoint is to be preferred to so many reads by id. */
  prefersList(endpoint: string, count: number): boolean {
    const list = this.#list(endpoint).ms.value;
    if (this.#latency.value === undefined && count < LIST_FROM) return false;
    const latency = this.#latency.value ?? this.#fastestHead();
    if (list === undefined || latency === undefined) return count >= LIST_FROM;
    const share = this.#share.value ?? OWN_MS_PER_READ;
    const reads = latency * Math.ceil(count / this.#atOnce) + share * count;
    return count < LIST_FROM ? list * CLEARLY < reads : list < reads * CLEARLY;
  }

  /** Until a read by id was seen: none can be expected to be faster. Of one list it may be what upstream took to make it. */
  #fastestHead(): number | undefined {
    const heads = [...this.#lists.values()].map(({ headMs }) => headMs.value).filter((ms) => ms !== undefined);
    return heads.length === 0 ? undefined : Math.min(...heads);
  }

  #list(endpoint: string) {
    const known = this.#lists.get(endpoint);
    if (known) return known;
    const list = { ms: new Figure(this.#now), headMs: new Figure(this.#now), givenUpAt: undefined };
    this.#lists.set(endpoint, list);
    return list;
  }
}

/** A figure that moves with what is seen, and is forgotten when nothing is. */
class Figure {
  readonly #now: () => number;
  #seen: { readonly value: number; readonly at: number } | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  get value(): number | undefined {
    return this.#seen && this.#now() - this.#seen.at < FORGET_AFTER_MS ? this.#seen.value : undefined;
  }

  see(sample: number): void {
    const before = this.value;
    this.#seen = { value: before === undefined ? sample : before + WEIGHT * (sample - before), at: this.#now() };
  }
}
