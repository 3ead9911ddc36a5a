import type { SentWrite } from '../formats/written.ts';
import type { Evidence } from './keyed-step.ts';
import type { Precondition } from './requests.ts';
import type { WriteState } from './write-ledger.ts';

/** The result of a read after a write: the result of the write, or a sentence about what was found. */
export type Finding<T> = { readonly result: T } | { readonly notice: string };

/** What the result of a write is made of. */
export interface WriteParts<Body, T> {
  readonly judged: SentWrite;
  /** Undefined for a write without a condition. */
  readonly precondition?: Precondition | undefined;
  /** The fields of a new record, by upstream's names. Undefined for any other write. */
  readonly created?: object | undefined;
  /** The read that may prove an earlier attempt under the same key. Undefined where no read can. */
  readonly evidence: () => Evidence | undefined;
  /** Makes the result of a response that accepts the write. @param body undefined when there is none, or none that can be read */
  readonly read: (body: Body | undefined) => Promise<T>;
  /** Reads what became of a write without a response. Undefined where no read can tell. */
  readonly confirm?: (() => Promise<Finding<T>>) | undefined;
  /** Makes the result of a write that was carried out before, under the same key. */
  readonly replay: (id: string | undefined) => T;
  /** The id of the record that the result stands for. */
  idOf(result: T): string | undefined;
}

/** One write of an operation, and its result once it was carried out. */
export class WriteAttempt<Body, T = unknown> {
  readonly parts: WriteParts<Body, T>;
  readonly state: WriteState;
  /** That of the response that accepts the write. Undefined when there is none, or none that can be read. */
  body: Body | undefined;
  #result: { readonly result: T } | undefined;

  constructor(parts: WriteParts<Body, T>, state: WriteState) {
    this.parts = parts;
    this.state = state;
  }

  /** The result of a write whose way has ended without an error. */
  get result(): T {
    if (!this.#result) throw new Error('The write has no result.');
    return this.#result.result;
  }

  /** The id of the record that was written, where it is known. */
  get id(): string | undefined {
    return this.parts.idOf(this.result);
  }

  /** Makes the result of the response. */
  async accept(): Promise<void> {
    this.#result = { result: await this.parts.read(this.body) };
  }

  /** Makes the result of what an earlier attempt has carried out. */
  replay(id: string | undefined): void {
    this.#result = { result: this.parts.replay(id) };
  }

  /**
   * Reads what became of a write without a response.
   *
   * @returns whether it was carried out, or a sentence about what was found; undefined when no read tells
   */
  async confirm(): Promise<boolean | string | undefined> {
    const finding = await this.parts.confirm?.().catch(() => undefined); // the failure of the write is the one to report
    if (!finding || 'notice' in finding) return finding?.notice;
    this.#result = finding;
    return true;
  }
}
