/** Is told once when the caller closes the connection. */
export interface DepartureListener {
  readonly onDeparture: () => void;
}

/**
 * Tells whether the caller has closed the connection before the response was complete, and tells it to listeners when it
 * happens. An `AbortController` does the same, but each costs as much as sending a request.
 */
export class Departure {
  #happened = false;
  #listeners: Set<DepartureListener> | undefined;

  get happened(): boolean {
    return this.#happened;
  }

  /** Marks the caller as gone and calls each listener once. */
  happen(): void {
    if (this.#happened) return;
    this.#happened = true;
    const listeners = this.#listeners ?? [];
    this.#listeners = undefined;
    for (const listener of listeners) listener.onDeparture();
  }

  /** Adds a listener. It is not called for a departure that has happened already. */
  add(listener: DepartureListener): void {
    if (this.#happened) return;
    (this.#listeners ??= new Set()).add(listener);
  }

  remove(listener: DepartureListener): void {
    this.#listeners?.delete(listener);
  }
}
