/** A turn works for so long, in milliseconds. The last piece of work may make it longer. */
const TURN_MS = 8;

/**
 * Node accepts one connection in a turn. While others wait, turns do no more than that for so long, in milliseconds, and then
 * work in one. Probes of load balancers are such connections.
 */
const ACCEPTING_MS = 16;

/**
 * Requests that have waited begin within this time of a turn, in milliseconds. It is short, so that answers to them are seen
 * before many others begin: these would wait for each other later.
 */
const BEGIN_MS = 0.5;

/** The most pieces of waiting work that one turn does. */
const MAX_PIECES = 64;

/** How long a measured time counts, in milliseconds of waiting: a third of it is left then. */
const MEMORY_MS = 500;

/** A measurement that is shorter, in milliseconds, tells nothing: code that runs for the first time is slow. */
const LEAST_MEASURED_MS = 250;

/** After so long without a waiting request the measurement begins anew, in milliseconds. Other operations may come. */
const FORGET_MS = 1_000;

/**
 * Keeps the turns of the event loop short. In one turn Node handles all that is ready: under load hundreds of requests and
 * answers of upstreams, while what comes meanwhile is not even read. With this a turn does only as much as fits in its
 * time, and the rest waits. What ends the work on a request goes before what begins it.
 *
 * Without load everything runs at once.
 *
 * @see docs/decisions/0051-bursts-are-no-overload.md
 */
export class Turns {
  readonly #clock: () => number;
  readonly #nextTurn: (callback: () => void) => void;
  readonly #continuing: (() => void)[] = [];
  readonly #beginning: (() => void)[] = [];
  /** When this turn began to work. Undefined before its first work. */
  #start: number | undefined;
  /** How many callbacks are due, each of which does one piece of waiting work. */
  #due = 0;
  /** Whether a connection was accepted in this turn: others may wait. */
  #hasAccepted = false;
  /** Until when turns only accept connections. 0 while they work. */
  #acceptingUntil = 0;
  /** The time in which requests waited, in milliseconds, and how many of them began in it. What is older counts less. */
  #measuredMs = 0;
  #begun = 0;
  #measuredUntil = 0;

  /** @param nextTurn calls a function in the next turn, after those that it was given earlier */
  constructor(clock = () => performance.now(), nextTurn: (callback: () => void) => void = setImmediate) {
    this.#clock = clock;
    this.#nextTurn = nextTurn;
  }

  /** How many requests wait to begin. */
  get waiting(): number {
    return this.#beginning.length;
  }

  /**
   * How long a request that came now would wait, in milliseconds, by the time from the begin of one waiting request to that of
   * the next one. 0 while that is not known.
   */
  get expectedWaitMs(): number {
    if (this.waiting === 0) return 0;
    const { ms, begun } = this.#measured(this.#clock());
    return ms < LEAST_MEASURED_MS ? 0 : this.waiting * (ms / begun);
  }

  /** Has to be called when a connection was accepted. */
  onConnection(): void {
    this.#hasAccepted = true;
    this.#elapsedMs(); // so that this turn has an end
  }

  /** Goes on with a request: at once, or in one of the next turns. */
  continue(work: () => void): void {
    if (this.#continuing.length === 0 && this.#elapsedMs() < TURN_MS) return work();
    this.#continuing.push(work);
    this.#callForWork();
  }

  /** Begins with a request: at once, or in one of the next turns. */
  begin(work: () => void): void {
    if (this.#continuing.length + this.#beginning.length === 0 && this.#elapsedMs() < TURN_MS) return work();
    if (this.#beginning.length === 0) this.#measureFrom(this.#clock());
    this.#beginning.push(work);
    this.#callForWork();
  }

  /** How long this turn has worked: Infinity while turns only accept connections. */
  #elapsedMs(): number {
    const now = this.#clock();
    if (this.#start === undefined) {
      this.#start = now;
      this.#nextTurn(this.#onTurnEnd);
    }
    return now < this.#acceptingUntil ? Infinity : now - this.#start;
  }

  readonly #onTurnEnd = (): void => {
    const hasWorked = this.#acceptingUntil === 0;
    if (!this.#hasAccepted || this.#clock() >= this.#acceptingUntil) this.#acceptingUntil = 0;
    if (this.#hasAccepted && hasWorked) this.#acceptingUntil = this.#clock() + ACCEPTING_MS;
    this.#start = undefined;
    this.#hasAccepted = false;
  };

  /** A callback for each piece: Node settles the promises of one before it calls the next, so that its whole time counts. */
  #callForWork(): void {
    const pieces = Math.min(this.#continuing.length + this.#beginning.length, MAX_PIECES);
    for (; this.#due < pieces; this.#due += 1) this.#nextTurn(this.#onWorkDue);
  }

  readonly #onWorkDue = (): void => {
    this.#due -= 1;
    const next = this.#next(this.#elapsedMs());
    if (this.#due === 0) this.#callForWork();
    next?.();
  };

  #next(elapsedMs: number): (() => void) | undefined {
    if (this.#continuing.length > 0) return elapsedMs < TURN_MS ? this.#continuing.shift() : undefined;
    if (elapsedMs >= BEGIN_MS || this.#beginning.length === 0) return undefined;
    this.#measure(this.#clock());
    return this.#beginning.shift();
  }

  /** Begins to measure, or goes on: from now on a request waits. */
  #measureFrom(now: number): void {
    if (now - this.#measuredUntil > FORGET_MS) {
      this.#measuredMs = 0;
      this.#begun = 0;
    }
    this.#measuredUntil = now;
  }

  /** Takes note that a request that has waited begins. */
  #measure(now: number): void {
    const { ms, begun } = this.#measured(now);
    this.#measuredMs = ms;
    this.#begun = begun + 1;
    this.#measuredUntil = now;
  }

  /** The measurement, with the time since the last request began. */
  #measured(now: number): { ms: number; begun: number } {
    const elapsedMs = now - this.#measuredUntil;
    const left = Math.exp(-elapsedMs / MEMORY_MS);
    return { ms: this.#measuredMs * left + elapsedMs, begun: this.#begun * left };
  }
}
