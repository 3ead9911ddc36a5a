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
    const endsAt = performance.now() + leaseMs;
    return { endsAt, end: leave, hold: () => leaveAt(endsAt, leave) };
  }
}

/** Leaves a queue when a lease ends. A process whose work is done does not wait for it. */
export function leaveAt(endsAt: number, leave: () => void): void {
  setTimeout(leave, Math.max(0, endsAt - performance.now())).unref();
}
