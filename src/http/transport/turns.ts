/** A turn works for so long, in milliseconds. The last piece of work may make it longer. */
const TURN_MS = 8;

/**
 * Requests that have waited begin within this time of a turn, in milliseconds. It is short, so that answers to them are seen
 * before many others begin: these would wait for each other later.
 */
const BEGIN_MS = 0.5;

/** The most pieces of waiting work that one turn does. */
const MAX_PIECES = 64;

/** Work that waits for a turn, in the order in which it came. */
interface Waiting {
  readonly work: () => void;
  /** Called in the place of `work` when it must not wait any longer. */
  readonly refuse?: (() => void) | undefined;
  readonly since: number;
  /** How many pieces of its queue have to be done until it is done. */
  readonly place: number;
}

/** How much the time of the last request counts among those before it. */
const WEIGHT = 0.05;

/**
 * Keeps the turns of the event loop short. In one turn Node handles all that is ready: under load hundreds of requests and
 * answers of upstreams, while what comes meanwhile is not even read. With this a turn does only as much as fits in its
 * time, and the rest waits. What ends the work on a request goes before what begins it.
 *
 * Without load everything runs at once.
 *
 * @see docs/decisions/0031-overload-by-the-loop-lag.md
 */
export class Turns {
  readonly #clock: () => number;
  readonly #nextTurn: (callback: () => void) => void;
  readonly #continuing: Waiting[] = [];
  readonly #beginning: Waiting[] = [];
  /** When this turn began to work. Undefined before its first work. */
  #start: number | undefined;
  /** How many callbacks are due, each of which does one piece of waiting work. */
  #due = 0;
  /** The time from the begin of one waiting request to that of the next one, in milliseconds. */
  #msPerRequest = 0;

  /** @param nextTurn calls a function in the next turn, after those that it was given earlier */
  constructor(clock = () => performance.now(), nextTurn: (callback: () => void) => void = setImmediate) {
    this.#clock = clock;
    this.#nextTurn = nextTurn;
  }

  /** How many requests wait to begin. */
  get waiting(): number {
    return this.#beginning.length;
  }

  /** How long the first request that waits to begin has waited, in milliseconds. */
  get lagMs(): number {
    const [first] = this.#beginning;
    return first ? this.#clock() - first.since : 0;
  }

  /** How long a request that came now would wait, in milliseconds, by the waits of those that began last. */
  get expectedWaitMs(): number {
    return this.#beginning.length * this.#msPerRequest;
  }

  /** Goes on with a request: at once, or in one of the next turns. */
  continue(work: () => void): void {
    if (this.#continuing.length === 0 && this.#hasTime()) work();
    else this.#wait(this.#continuing, work);
  }

  /**
   * Begins with a request: at once, or in one of the next turns.
   *
   * @param refuse called in the place of `work` when the request has to leave the queue
   */
  begin(work: () => void, refuse: () => void): void {
    if (this.#continuing.length + this.#beginning.length === 0 && this.#hasTime()) work();
    else this.#wait(this.#beginning, work, refuse);
  }

  /** Refuses the waiting requests that came within the last `ms`, but leaves so many of all in the queue. */
  refuseLatest(ms: number, leave: number): void {
    const earliest = this.#clock() - ms;
    const early = this.#beginning.findLastIndex(({ since }) => since < earliest) + 1;
    for (const { refuse } of this.#beginning.splice(Math.max(early, leave))) refuse?.();
  }

  #hasTime(): boolean {
    return this.#elapsedMs() < TURN_MS;
  }

  /** How long this turn has worked. */
  #elapsedMs(): number {
    const now = this.#clock();
    if (this.#start === undefined) {
      this.#start = now;
      this.#nextTurn(this.#onTurnEnd);
    }
    return now - this.#start;
  }

  readonly #onTurnEnd = (): void => {
    this.#start = undefined;
  };

  #wait(queue: Waiting[], work: () => void, refuse?: () => void): void {
    queue.push({ work, refuse, since: this.#clock(), place: queue.length + 1 });
    this.#callForWork();
  }

  /** A callback for each piece: Node settles the promises of one before it calls the next, so that its whole time counts. */
  #callForWork(): void {
    const pieces = Math.min(this.#continuing.length + this.#beginning.length, MAX_PIECES);
    for (; this.#due < pieces; this.#due += 1) this.#nextTurn(this.#onWorkDue);
  }

  readonly #onWorkDue = (): void => {
    this.#due -= 1;
    const next = this.#next(this.#elapsedMs());
    if (this.#due === 0) this.#callForWork();
    next?.work();
  };

  #next(elapsedMs: number): Waiting | undefined {
    if (this.#continuing.length > 0) return elapsedMs < TURN_MS ? this.#continuing.shift() : undefined;
    return elapsedMs < BEGIN_MS ? this.#nextRequest() : undefined;
  }

  #nextRequest(): Waiting | undefined {
    const next = this.#beginning.shift();
    if (next) this.#msPerRequest += WEIGHT * ((this.#clock() - next.since) / next.place - this.#msPerRequest);
    return next;
  }
}
