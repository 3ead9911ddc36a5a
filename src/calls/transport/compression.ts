/** Whether reads ask for packed answers: always, never, or as long as it is measured to be faster. */
export type CompressionMode = 'auto' | 'on' | 'off';

/** Shorter answers tell nothing of what a byte costs. */
const LEAST_MEASURED_BYTES = 64 * 1024;

/** Between two tries of the other way there are so many long answers. */
const TRY_EVERY = 50;

/** The first try comes after so many long answers. */
const FIRST_TRY_AFTER = 2;

/** A try of an answer that is not packed must not take longer than this, as far as is known, in milliseconds. */
const MAX_TRY_MS = 50;

/** An upstream that begins to answer within this time is near: what is not packed arrives at once there. In milliseconds. */
const NEAR_MS = 3;

/** Hysteresis, because measurements vary: a way is left only for one that is faster by so much. */
const SWITCH_FACTOR = 1.1;

/** How much of the least known cost of a byte stays when a costlier answer comes: in time, a link that has become slow is seen. */
const MEMORY = 0.9;

/** The cost of one way of transfer, in milliseconds per byte of the unpacked answer. */
class ByteCost {
  #ms: number | undefined;

  get ms(): number | undefined {
    return this.#ms;
  }

  add(ms: number): void {
    this.#ms = this.#ms === undefined || ms < this.#ms ? ms : this.#ms * MEMORY + ms * (1 - MEMORY);
  }
}

/** The last long answer of an endpoint. */
interface LongAnswer {
  readonly bytes: number;
  /** How long it would take as it is, in milliseconds, if the link is as slow as it was for the packed one. */
  readonly plainMs: number;
}

/** A complete answer to a read. */
export interface MeasuredAnswer {
  /** Unpacked. */
  readonly bytes: number;
  /** Undefined for an answer that was not packed. */
  readonly packedBytes: number | undefined;
  readonly headMs: number;
  /** With the time to unpack it. */
  readonly totalMs: number;
}

/**
 * Chooses whether reads of one API ask for packed answers. On a slow network that is many times as fast; on the same machine
 * upstream packs and the gateway unpacks for nothing. `auto` begins with packed answers, measures what a byte costs both ways,
 * and stays with the faster one. A try of the other way is made only where it costs little.
 */
export class Compression {
  readonly #mode: CompressionMode;
  #asks: boolean;
  readonly #packed = new ByteCost();
  readonly #plain = new ByteCost();
  /** The least time to the head of an answer, in milliseconds. */
  #leastHeadMs = Infinity;
  /** By method and template, which are written in the code. */
  readonly #long = new Map<string, LongAnswer>();
  #sinceTry = TRY_EVERY - FIRST_TRY_AFTER;

  constructor(mode: CompressionMode) {
    this.#mode = mode;
    this.#asks = mode !== 'off';
  }

  /** Whether reads ask for packed answers at the moment, tries of the other way aside. */
  get isOn(): boolean {
    return this.#asks;
  }

  /** Whether the next read of an endpoint asks for a packed answer. */
  asksAt(endpoint: string): boolean {
    if (this.#mode !== 'auto') return this.#asks;
    const long = this.#sinceTry < TRY_EVERY ? undefined : this.#long.get(endpoint);
    if (!long) return this.#asks;
    const isCheap = !this.#asks || this.#leastHeadMs <= NEAR_MS || long.plainMs <= MAX_TRY_MS;
    if (isCheap) this.#sinceTry = 0;
    return isCheap ? !this.#asks : this.#asks;
  }

  /** Learns from an answer. Of an upstream that packs nothing all answers are plain. */
  record(endpoint: string, { bytes, packedBytes, headMs, totalMs }: MeasuredAnswer): void {
    if (this.#mode !== 'auto') return;
    this.#leastHeadMs = Math.min(this.#leastHeadMs, headMs);
    if (bytes < LEAST_MEASURED_BYTES) return;
    const isPacked = packedBytes !== undefined;
    if (isPacked || this.#packed.ms !== undefined) this.#sinceTry += 1;
    const transferMs = totalMs - headMs;
    this.#long.set(endpoint, { bytes, plainMs: isPacked ? (transferMs * bytes) / packedBytes : transferMs });
    (isPacked ? this.#packed : this.#plain).add((totalMs - this.#leastHeadMs) / bytes);
    this.#choose();
  }

  #choose(): void {
    const [packed, plain] = [this.#packed.ms, this.#plain.ms];
    if (packed === undefined || plain === undefined) return;
    this.#asks = this.#asks ? packed <= plain * SWITCH_FACTOR : packed * SWITCH_FACTOR < plain;
  }
}
