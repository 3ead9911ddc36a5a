import { FairShares } from './fair-shares.ts';

/** The number of requests under way that is a crowd. Fewer are not refused at first: a pause of the process has delayed them. */
const CROWD = 256;

/** The number that is a crowd once the loop has lagged for `LONG_LAGS` times the limit. */
const SMALL_CROWD = 64;
const LONG_LAGS = 2;

/** A crowd within a single turn is a burst. It is read for so many times the limit. */
const BURST_LAGS = 3;

/** How often the rate is adjusted, in milliseconds. */
const ADJUST_MS = 50;

/** Requests begin at the measured capacity times this factor, so that it is found again after it was measured too low. */
const GROWTH = 1.5;

/** The measured capacity is that of about so much busy time, in milliseconds. */
const MEMORY_MS = 200;

/**
 * Decides which requests may begin, by the lag of the event loop: the duration of its turns. In one turn the loop handles
 * everything that is ready, so each request waits about one turn before it begins, and one more for each answer of upstream.
 * A slow upstream makes no turn longer.
 *
 * Overload begins when turn after turn takes long and requests keep coming. A burst after a quiet moment is read within one
 * turn, so it is no overload. From then on each turn begins only what takes a fifth of the limit, by the measured capacity:
 * the completed requests per millisecond of CPU time, without the time of refusals. In short turns requests begin somewhat
 * faster than that.
 *
 * @see docs/decisions/0031-overload-by-the-loop-lag.md
 */
export class Admission {
  readonly #cpuMs: () => number;
  readonly #maxLagMs: number;
  /** The work that one turn may begin, in milliseconds. */
  readonly #turnMs: number;
  readonly #shares = new FairShares();
  #turnStart = 0;
  /** The CPU time of the process at the start of the turn. Not measured in turns that are no concern. */
  #turnStartCpu = 0;
  #inTurn = 0;
  #underWay = 0;
  /** When the first of the long turns began that follow each other without a short one. */
  #lagSince: number | undefined;
  /** Requests that began, and that were completed, since then. */
  #begun = 0;
  #completed = 0;
  #isOverloaded = false;
  /** How many requests may begin in this turn. */
  #tokens = 0;
  /** How many are completed per millisecond of the time that they take. */
  #capacity = 0;
  /** The CPU time of one refusal, the refusals since the last adjustment, and the time of the last one in this turn. */
  #refusalMs = 0.05;
  #refused = 0;
  #lastRefusedAt: number | undefined;
  #refilledAt = 0;
  #adjustedAt = 0;
  /** The turns since the last adjustment of the rate, in CPU time. */
  #busyMs = 0;
  /** Completed requests, and the busy time that they took. Older ones count less. */
  #recentCompleted = 0;
  #recentBusyMs = 0;

  /**
   * @param maxLagMs the setting MAX_LAG_MS
   * @param cpuMs returns the CPU time that the process has used, in milliseconds
   */
  constructor(maxLagMs: number, cpuMs: () => number) {
    this.#maxLagMs = maxLagMs;
    this.#turnMs = maxLagMs / 5;
    this.#cpuMs = cpuMs;
  }

  get isOverloaded(): boolean {
    return this.#isOverloaded;
  }

  /** Starts a turn of the loop. The time is in milliseconds, as in all methods. */
  startTurn(now: number): void {
    this.#turnStart = now;
    this.#inTurn = 0;
    this.#lastRefusedAt = undefined;
    if (this.#isOverloaded || this.#lagSince !== undefined) this.#turnStartCpu = this.#cpuMs();
  }

  /**
   * Asks for one request of the turn.
   *
   * @param caller returns the number that stands for its caller; called only during overload
   */
  mayBegin(now: number, caller: () => number): boolean {
    if (!this.#isOverloaded && this.#overloadBegins(now)) this.#begin(now);
    if (this.#isOverloaded && !this.#hasRoomFor(caller(), now)) {
      this.#refuse(now);
      return false;
    }
    this.#lastRefusedAt = undefined;
    this.#underWay += 1;
    this.#begun += 1;
    this.#inTurn += 1;
    return true;
  }

  /** Has to be called when a request that began is over. */
  complete(): void {
    this.#underWay -= 1;
    this.#completed += 1;
  }

  /** @returns whether the turn was long, so that the next one has to be measured from its start */
  endTurn(now: number): boolean {
    const turnMs = now - this.#turnStart;
    if (this.#isOverloaded) {
      const cpuMs = Math.min(turnMs, this.#cpuMs() - this.#turnStartCpu);
      this.#busyMs += cpuMs;
      if (now - this.#adjustedAt >= ADJUST_MS) this.#adjust(now);
      this.#refill(now);
      return turnMs >= this.#turnMs / 8;
    }
    const isLong = turnMs >= this.#maxLagMs / 2;
    if (!isLong) this.#lagSince = undefined;
    else if (this.#lagSince === undefined) this.#lagBegan();
    return isLong;
  }

  /** Ends the overload: for some time no request had to be refused. */
  end(): void {
    this.#isOverloaded = false;
    this.#lagSince = undefined;
  }

  #lagBegan(): void {
    this.#lagSince = this.#turnStart;
    this.#begun = this.#inTurn;
    this.#completed = 0;
  }

  #overloadBegins(now: number): boolean {
    const turnMs = now - this.#turnStart;
    if (turnMs < this.#maxLagMs) return false;
    if (this.#lagSince === undefined) return this.#inTurn >= CROWD && turnMs >= BURST_LAGS * this.#maxLagMs;
    if (this.#cpuMs() - this.#turnStartCpu < this.#maxLagMs / 2) return false; // other processes have the CPU
    const lasts = now - this.#lagSince >= LONG_LAGS * this.#maxLagMs;
    return this.#underWay >= (lasts ? SMALL_CROWD : CROWD);
  }

  #begin(now: number): void {
    this.#isOverloaded = true;
    if (this.#lagSince === undefined) this.#turnStartCpu = this.#cpuMs() - (now - this.#turnStart);
    this.#recentBusyMs = now - (this.#lagSince ?? this.#turnStart);
    // Half of them are not over yet, or more.
    this.#recentCompleted = Math.max(this.#completed, this.#begun / 2);
    this.#capacity = this.#recentCompleted / this.#recentBusyMs;
    this.#completed = 0;
    this.#refused = 0;
    this.#tokens = 0;
    this.#busyMs = 0;
    this.#refilledAt = now;
    this.#adjustedAt = now;
    this.#shares.start(now);
  }

  /** Two refusals that follow each other tell the cost of one. The median is followed: other work may lie between them. */
  #refuse(now: number): void {
    if (this.#lastRefusedAt !== undefined) {
      this.#refusalMs *= now - this.#lastRefusedAt > this.#refusalMs ? 1.02 : 1 / 1.02;
    }
    this.#lastRefusedAt = now;
    this.#refused += 1;
  }

  #hasRoomFor(caller: number, now: number): boolean {
    const share = this.#shares.ask(caller, now, this.#capacity);
    // A caller that asks for little is not refused because others took all that there was.
    const isFree = this.#tokens >= 1 || (share === 'small' && this.#tokens > -this.#maxTokens);
    if (share === 'exceeded' || !isFree) return false;
    this.#tokens -= 1;
    this.#shares.take(caller);
    return true;
  }

  get #maxTokens(): number {
    return Math.max(1, this.#capacity * this.#turnMs);
  }

  #refill(now: number): void {
    const tokens = this.#tokens + GROWTH * this.#capacity * (now - this.#refilledAt);
    this.#tokens = Math.min(tokens, this.#maxTokens);
    this.#refilledAt = now;
  }

  #adjust(now: number): void {
    this.#adjustedAt = now;
    if (this.#busyMs === 0) return;
    const kept = Math.exp(-this.#busyMs / MEMORY_MS);
    this.#recentCompleted = this.#recentCompleted * kept + this.#completed;
    // The cost of a refusal is not known well: at least a quarter of the time counts.
    const servingMs = Math.max(this.#busyMs / 4, this.#busyMs - this.#refused * this.#refusalMs);
    this.#recentBusyMs = this.#recentBusyMs * kept + servingMs;
    this.#capacity = this.#recentCompleted / Math.max(this.#recentBusyMs, 1);
    this.#completed = 0;
    this.#refused = 0;
    this.#busyMs = 0;
  }
}
