import type { SharedStore } from '../redis/shared-store.ts';
import type { Found } from './receipts.ts';

/** The states in which `begin` ends. */
const STATES = ['NEW', 'OPEN', 'APPLIED', 'UNKNOWN', 'REUSED', 'FULL', 'AWAY'] as const satisfies Found['state'][];

/** Counts for the metrics. */
export class ReceiptFigures {
  /** How many receipts are kept; over Redis as this process has learned it last. */
  kept = 0;
  /** The Redis that holds them. */
  store: Pick<SharedStore, 'key' | 'run'> | undefined;
  /** How often `begin` ended in each state. */
  readonly begins = new Map<Found['state'], number>(STATES.map((state) => [state, 0]));

  /** Counts the receipts that have not expired. */
  async current(): Promise<number> {
    const count = await this.store?.run(async (redis) => {
      const [now] = await redis.time();
      return redis.zcount(this.store?.key('receipts', 'all') ?? '', Number(now) * 1_000, '+inf');
    });
    if (typeof count === 'number') this.kept = count;
    return this.kept;
  }

  /** Counts what `begin` found. @returns the same */
  count<T extends Found>(found: T): T {
    this.begins.set(found.state, (this.begins.get(found.state) ?? 0) + 1);
    return found;
  }
}
