/** One request that the sandbox received, and how it was answered. */
export interface RecordedCall {
  readonly method: string;
  /** The pattern of the path, null when none matched. */
  readonly route: string | null;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Null when none was sent, or one that could not be read. */
  readonly body: unknown;
  readonly status: number;
}

const kept = 10_000;

/** The last requests, oldest first. */
export class CallLog {
  #calls: RecordedCall[] = [];

  get calls(): readonly RecordedCall[] {
    return this.#calls;
  }

  add(call: RecordedCall): void {
    this.#calls.push(call);
    if (this.#calls.length > kept) this.#calls.shift();
  }

  forget(): void {
    this.#calls = [];
  }
}
