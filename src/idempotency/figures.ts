import type { Found } from './receipts.ts';

/** The states in which `begin` ends. */
const STATES = ['NEW', 'OPEN', 'APPLIED', 'UNKNOWN', 'REUSED', 'FULL', 'AWAY'] as const satisfies Found['state'][];

/** Counts for the metrics. */
export class ReceiptFigures {
  /** How many receipts are kept; over Redis as this process has learned it last. */
  kept = 0;
  /** How often `begin` ended in each state. */
  readonly begins = new Map<Found['state'], number>(STATES.map((state) => [state, 0]));

  /** Counts what `begin` found. @returns the same */
  count<T extends Found>(found: T): T {
    this.begins.set(found.state, (this.begins.get(found.state) ?? 0) + 1);
    return found;
  }
}
