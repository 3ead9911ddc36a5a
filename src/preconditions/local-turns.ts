import type { NoTurn, RecordTurns, Turn, TurnTimes } from '../http/session/record-turns.ts';
import type { KeyedHash } from '../redis/shared-store.ts';
import { RecordQueues } from './record-queues.ts';

/** The turns of one process. */
export class LocalTurns implements RecordTurns {
  readonly #hash: KeyedHash;
  readonly #queues = new RecordQueues();

  /** @param hash shortens the names of records, which may be as long as a request */
  constructor(hash: KeyedHash) {
    this.#hash = hash;
  }

  isBusy(record: string): boolean {
    return this.#queues.has(this.#hash(record));
  }

  async take(record: string, { waitMs, leaseMs, gone }: TurnTimes): Promise<Turn | NoTurn> {
    const leave = await this.#queues.enter(this.#hash(record), waitMs, gone);
    if (typeof leave === 'string') return leave;
    return withPlace({ endsAt: performance.now() + leaseMs, end: () => {}, hold: () => {} }, leave);
  }
}

/** A turn of one who has a place in a queue of this process, too, and leaves it with the turn, or when its lease ends. */
export function withPlace(turn: Turn, leave: () => void): Turn {
  const { endsAt } = turn;
  const end = () => {
    turn.end();
    leave();
  };
  const hold = () => {
    turn.hold();
    setTimeout(leave, Math.max(0, endsAt - performance.now())).unref(); // a process whose work is done does not wait for it
  };
  return { endsAt, end, hold };
}
