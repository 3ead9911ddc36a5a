import { WindowMinimum } from './window-minimum.ts';

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
export class ListMeasurements {
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
