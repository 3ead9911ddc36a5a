import type { Departure } from '../calls/transport/departure.ts';
import type { KeptName } from './receipts.ts';

type WrittenPlace = Pick<KeptName, 'key' | 'place'>;

/** Callers that wait for the end of a write. Each operation waits for one at a time. */
export class Waiters {
  readonly #waiters = new Map<string, Set<() => void>>();

  /** Resolves when those who wait for the write are woken, when the caller leaves, and after `ms` at the latest. */
  wait({ key, place }: WrittenPlace, ms: number, gone?: Departure): Promise<void> {
    const id = `${key} ${place}`;
    const waiters = this.#waiters.get(id) ?? new Set();
    this.#waiters.set(id, waiters);
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        gone?.remove(done);
        waiters.delete(done);
        if (waiters.size === 0) this.#waiters.delete(id);
        resolve();
      };
      gone?.add(done);
      const timer = setTimeout(done, ms);
      waiters.add(done);
    });
  }

  wake({ key, place }: WrittenPlace): void {
    if (this.#waiters.size === 0) return;
    for (const done of this.#waiters.get(`${key} ${place}`) ?? []) done();
  }

  wakeAll(): void {
    for (const waiters of this.#waiters.values()) for (const done of waiters) done();
  }
}
