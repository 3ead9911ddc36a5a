import type { Departure } from '../http/transport/departure.ts';

/** More waiters than this are not woken: they look again after `RARE_MS`. */
const MAX_WAITERS = 10_000;
const RARE_MS = 250;

/** Callers that wait for the end of a write, by the id of its receipt. */
export class Waiters {
  readonly #waiters = new Map<string, Set<() => void>>();
  #size = 0;

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  /** Resolves when the id is woken, when the caller leaves, and after `ms` at the latest. */
  wait(id: string, ms: number, gone?: Departure): Promise<void> {
    const isFull = this.#size >= MAX_WAITERS;
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        gone?.remove(done);
        if (!isFull) this.#remove(id, done);
        resolve();
      };
      gone?.add(done);
      const timer = setTimeout(done, isFull ? Math.min(ms, RARE_MS) : ms);
      if (!isFull) this.#add(id, done);
    });
  }

  wake(id: string): void {
    for (const done of this.#waiters.get(id) ?? []) done();
  }

  wakeAll(): void {
    for (const id of this.#waiters.keys()) this.wake(id);
  }

  #add(id: string, done: () => void): void {
    this.#size += 1;
    const waiters = this.#waiters.get(id);
    if (waiters) waiters.add(done);
    else this.#waiters.set(id, new Set([done]));
  }

  #remove(id: string, done: () => void): void {
    const waiters = this.#waiters.get(id);
    if (!waiters?.delete(done)) return;
    this.#size -= 1;
    if (waiters.size === 0) this.#waiters.delete(id);
  }
}
