import type { Departure } from '../http/transport/departure.ts';

/** Callers that wait for the end of a write, by the id of its receipt. Each operation waits for one at a time. */
export class Waiters {
  readonly #waiters = new Map<string, Set<() => void>>();

  get isEmpty(): boolean {
    return this.#waiters.size === 0;
  }

  /** Resolves when the id is woken, when the caller leaves, and after `ms` at the latest. */
  wait(id: string, ms: number, gone?: Departure): Promise<void> {
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

  wake(id: string): void {
    for (const done of this.#waiters.get(id) ?? []) done();
  }

  wakeAll(): void {
    for (const id of this.#waiters.keys()) this.wake(id);
  }
}
