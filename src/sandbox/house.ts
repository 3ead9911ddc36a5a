import type { Store } from './store.ts';

/** What every API of the sandbox stands on. */
export interface House {
  readonly store: Store;
  readonly now: () => Date;
}
