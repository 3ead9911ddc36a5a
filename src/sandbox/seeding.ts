import { z } from 'zod';
import type { SandboxServices } from './services.ts';
import { Snapshot } from './snapshot.ts';

/** A user of the seed, with the credentials that it was seeded with. */
export interface SeededCaller {
  readonly name: string;
  readonly permissions: readonly string[];
  /** An API token, as a request sends it. */
  readonly token?: string;
  /** Of the forum. */
  readonly login?: string;
  readonly password?: string;
}

/** The data that an empty store is filled with. */
export interface Seed {
  readonly callers: readonly SeededCaller[];
  /** Fills an empty store, in the transaction of its caller. */
  readonly fill: (services: SandboxServices) => void;
  /** Throws what `fill` would throw. Without it `fill` throws nothing. */
  readonly check?: (now: () => Date) => void;
}

/**
 * Fills the store from the seed when it is empty. A store with an account is left unchanged.
 *
 * @param seed null leaves the store empty
 * @returns brings the store back to the seed, in one transaction. The rows are the same each time, with their ids, dates
 *   and random values: those of the first filling, or of the first reset where the store was not empty. Another seed takes the
 *   place of the first one.
 */
export function seedStore(services: SandboxServices, seed: Seed | null): (other?: Seed) => void {
  const { store } = services;
  const snapshot = new Snapshot(store);
  const fill = (seed: Seed) => {
    seed.fill(services);
    snapshot.take();
  };
  const { accounts } = store.one(z.object({ accounts: z.int() }), 'SELECT count(*) AS accounts FROM accounts');
  if (seed && accounts === 0) store.transaction(() => fill(seed));
  else seed?.check?.(services.now); // a reset fills it
  return (other) =>
    store.transaction(() => {
      if (!other && snapshot.isTaken) return snapshot.restore();
      snapshot.clear();
      const next = other ?? seed;
      return next ? fill(next) : undefined;
    });
}
