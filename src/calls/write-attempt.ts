import type { SentWrite } from '../formats/written.ts';
import type { Evidence } from './keyed-step.ts';
import type { Precondition } from './requests.ts';
import type { WriteState } from './write-ledger.ts';
import type { IdentifiedRecord } from './written-record.ts';

/** The result of a write that was carried out. A part that is not known is undefined. */
export interface Written<Body> {
  /** The id of its record. */
  readonly id?: string | undefined;
  readonly record?: IdentifiedRecord;
  /** The response. Undefined when there is none, or none that can be read. */
  readonly body?: Body | undefined;
}

/** The result of reading back a write: that of the write, or a sentence about the record that was found. */
export type Finding = Omit<Written<never>, 'body'> | { readonly notice: string };

/** One write of an operation, with the functions that make its result and read it back. */
export interface WriteAttempt<Body> {
  readonly state: WriteState;
  readonly judged: SentWrite;
  /** Undefined for a write without a condition. */
  readonly precondition?: Precondition | undefined;
  /** The fields of a new record, by upstream's names. Undefined for any other write. */
  readonly created?: object | undefined;
  /** The read that may prove an earlier attempt under the same key. Undefined where no read can. */
  readonly evidence?: () => Evidence | undefined;
  /** Makes the result of a response that accepts the write. */
  readonly read: (body: Body | undefined) => Written<Body> | Promise<Written<Body>>;
  /** Reads the record back after a write without a response. Undefined where no read can tell. */
  readonly confirm?: (() => Promise<Finding>) | undefined;
}
