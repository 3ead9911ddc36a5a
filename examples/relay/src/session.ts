/** The token of one user. Requests whose token was refused wait here until the user has given a new one. */
export class Session {
  #token: string;
  #waiting: (() => void)[] = [];
  readonly #listeners = new Set<() => void>();

  constructor(token: string) {
    this.#token = token;
  }

  get token(): string {
    return this.#token;
  }

  /** Whether requests wait for a new token. */
  readonly isRefused = (): boolean => this.#waiting.length > 0;

  /** Resolves when the token is another than `refused`: at once for a request that was sent before the last change. */
  async renewed(refused: string): Promise<void> {
    if (refused !== this.#token) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.#notify();
    });
  }

  /** Lets the requests that wait go on with a new token. */
  renew(token: string): void {
    this.#token = token;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const goOn of waiting) goOn();
    this.#notify();
  }

  /** Calls `listener` when `isRefused` may have changed; returns what ends that. */
  readonly listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
