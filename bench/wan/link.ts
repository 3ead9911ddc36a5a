import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

export interface LinkOptions {
  /** The time from a request to the first byte of its response, without the work of upstream. */
  readonly rttMs: number;
  /** Megabits per second, for the bodies of all connections together. */
  readonly mbit: number;
}

/** The links that docs/performance.md tells of: across a continent, and within a data centre's region. */
export const LINKS: readonly LinkOptions[] = [
  { rttMs: 40, mbit: 50 },
  { rttMs: 5, mbit: 1000 },
];

/** On a new connection a request waits for the hello of TCP, for that of TLS 1.3, and for its own answer. */
const FIRST_ROUND_TRIPS = 3;

/** Bodies that are sent at the same time take turns after so many bytes. */
const PIECE_BYTES = 16_384;

/** A shorter wait is left out: timers have a resolution of a millisecond. */
const TIMER_MS = 1;

/** What time a link goes by. Tests have one of their own. */
export interface Clock {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
}

const SYSTEM_CLOCK: Clock = { now: () => performance.now(), sleep };

/** A slow way to upstream. Packets are not lost, and a connection has the whole bandwidth from its first byte on. */
export class Link {
  readonly #rttMs: number;
  readonly #bytesPerMs: number;
  readonly #clock: Clock;
  /** When all that was sent so far has arrived. */
  #freeAt = 0;

  constructor({ rttMs, mbit }: LinkOptions, clock: Clock = SYSTEM_CLOCK) {
    this.#clock = clock;
    this.#rttMs = rttMs;
    this.#bytesPerMs = (mbit * 1e6) / 8 / 1000;
  }

  /** Waits for as long as a request and the head of its response are on their way. */
  async roundTrip(isNewConnection: boolean): Promise<void> {
    await this.#clock.sleep(this.#rttMs * (isNewConnection ? FIRST_ROUND_TRIPS : 1));
  }

  /** Writes a body as it arrives, piece by piece. */
  async send(body: Buffer, write: (piece: Buffer) => void): Promise<void> {
    const began = this.#clock.now();
    for (let at = 0; at < body.length; at += PIECE_BYTES) {
      const piece = body.subarray(at, at + PIECE_BYTES);
      this.#freeAt = Math.max(this.#freeAt, began) + piece.length / this.#bytesPerMs;
      const waitMs = this.#freeAt - this.#clock.now();
      if (waitMs >= TIMER_MS) await this.#clock.sleep(waitMs);
      else await nextTurn(); // bodies take turns also where the process is late
      write(piece);
    }
  }
}
