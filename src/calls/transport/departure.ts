/**
 * Tells whether the caller has closed the connection before the response was complete, and calls listeners when it
 * happens. An `AbortController` does the same, but each costs as much as sending a request.
 */
export class Departure {
  #happened = false;
  #listeners: Set<() => void> | undefined;

  get happened(): boolean {
    return this.#happened;
  }

  /** Marks the caller as gone and calls each listener once. */
  happen(): void {
    if (this.#happened) return;
    this.#happened = true;
    const listeners = this.#listeners ?? [];
    this.#listeners = undefined;
    for (const listener of listeners) listener();
  }

  /** Adds a listener. It is not called for a departure that has happened already. */
  add(listener: () => void): void {
    if (this.#happened) return;
    (this.#listeners ??= new Set()).add(listener);
  }

  remove(listener: () => void): void {
    this.#listeners?.delete(listener);
  }
}
