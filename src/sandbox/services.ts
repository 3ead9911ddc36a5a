import type { Store } from './store.ts';

/** What every API of the sandbox stands on. */
export interface SandboxServices {
  readonly store: Store;
  readonly now: () => Date;
}
