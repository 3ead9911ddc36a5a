import type { Store } from './store.ts';

/** Services that all APIs of the sandbox share: the database and the clock. */
export interface SandboxServices {
  readonly store: Store;
  readonly now: () => Date;
}
