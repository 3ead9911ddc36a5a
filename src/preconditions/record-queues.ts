import type { TurnTimes } from '../http/session/record-turns.ts';

/** More than this do not have a turn or wait for one at a time, and wait for the turn of one record. */
const MAX_TURNS = 10_000;
const MAX_WAITING = 100;

type Leave = () => void;
type Waiter = (result: Leave | 'LATE') => void;

/** The queue of each record that somebody has or wants, first come, first served. */
export class RecordQueues {
  /** Those who wait, by the record that somebody has. */
  readonly #waiting = new Map<string, Set<Waiter>>();
  #count = 0;

  /** Whether somebody has the record. Those who enter have it, or wait, before `enter` returns its promise. */
  has(record: string): boolean {
    return this.#waiting.has(record);
  }

  /**
   * Waits until the record is free.
   *
   * @param record a text of bounded length
   * @returns a function that frees it, to be called once; LATE after `waitMs`, or when the caller leaves; FULL at once when too many wait
   */
  async enter(record: string, waitMs: number, gone: TurnTimes['gone']): Promise<Leave | 'LATE' | 'FULL'> {
    const waiting = this.#waiting.get(record);
    if (this.#count >= MAX_TURNS || (waiting && waiting.size >= MAX_WAITING)) return 'FULL';
    this.#count += 1;
    if (waiting) return this.#wait(waiting, waitMs, gone);
    this.#waiting.set(record, new Set());
    return () => this.#leave(record);
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

  #leave(record: string): void {
    this.#count -= 1;
    const waiting = this.#waiting.get(record);
    const [next] = waiting ?? [];
    if (!waiting || !next) return void this.#waiting.delete(record);
    waiting.delete(next);
    next(() => this.#leave(record));
  }
}
