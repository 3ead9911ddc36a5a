import type { NoTurn, RecordTurns, Turn, TurnTimes } from './record-turns.ts';

/** More than this do not have a turn or wait for one at a time, and wait for the turn of one record. */
const MAX_TURNS = 10_000;
const MAX_WAITING = 100;

type Leave = () => void;
type Waiter = (result: Leave | 'LATE') => void;

/** The turns of one process: each record has a queue of those who have or want it, first come, first served. */
export class LocalTurns implements RecordTurns {
  readonly #keyOf: (record: string) => string;
  /** Those who wait, by the key of the record that somebody has. */
  readonly #waiting = new Map<string, Set<Waiter>>();
  #count = 0;

  /** @param keyOf shortens the names of records, which may be as long as a request */
  constructor(keyOf: (record: string) => string) {
    this.#keyOf = keyOf;
  }

  isBusy(record: string): boolean {
    return this.#waiting.has(this.#keyOf(record));
  }

  async take(record: string, times: TurnTimes): Promise<Turn | NoTurn> {
    const deadline = performance.now() + times.waitMs;
    const key = this.#keyOf(record);
    const leave = await this.#enter(key, times);
    if (typeof leave === 'string') return leave;
    const turn = await this.takeShared(key, times, deadline);
    if (typeof turn === 'string') {
      leave();
      return turn;
    }
    const { endsAt } = turn;
    const end = () => {
      turn.end();
      leave();
    };
    // A process whose work is done does not wait for it.
    const hold = () => void setTimeout(leave, Math.max(0, endsAt - performance.now())).unref();
    return { endsAt, end, hold };
  }

  /** Takes the turn of a record that no other caller of this process has, among all processes that share it. */
  protected async takeShared(
    _key: string,
    { leaseMs }: TurnTimes,
    _until: number,
  ): Promise<Omit<Turn, 'hold'> | NoTurn> {
    return { endsAt: performance.now() + leaseMs, end: () => {} };
  }

  /**
   * Waits until the record is free. Those who enter have it, or wait, before this returns its promise.
   *
   * @returns a function that frees it, to be called once; LATE after `waitMs`, or when the caller leaves; FULL at once when too many wait
   */
  async #enter(key: string, { waitMs, gone }: TurnTimes): Promise<Leave | 'LATE' | 'FULL'> {
    const waiting = this.#waiting.get(key);
    if (this.#count >= MAX_TURNS || (waiting && waiting.size >= MAX_WAITING)) return 'FULL';
    this.#count += 1;
    if (waiting) return this.#wait(waiting, waitMs, gone);
    this.#waiting.set(key, new Set());
    return () => this.#leave(key);
  }

  #wait(waiting: Set<Waiter>, waitMs: number, gone: TurnTimes['gone']): Promise<Leave | 'LATE'> {
    return new Promise((resolve) => {
      const end: Waiter = (result) => {
        clearTimeout(timer);
        gone?.remove(onDeparture);
        if (waiting.delete(end)) this.#count -= 1; // it was taken out before its turn
        resolve(result);
      };
      const timer = setTimeout(end, waitMs, 'LATE').unref();
      const onDeparture = () => end('LATE');
      gone?.add(onDeparture);
      waiting.add(end);
    });
  }

  #leave(key: string): void {
    this.#count -= 1;
    const waiting = this.#waiting.get(key);
    const [next] = waiting ?? [];
    if (!waiting || !next) return void this.#waiting.delete(key);
    waiting.delete(next);
    next(() => this.#leave(key));
  }
}
