import type { UpstreamCall, WriteOutcome } from '../errors.ts';
import type { KindOf } from '../formats/same-values.ts';
import type { Rows } from '../formats/rows.ts';
import type { LastCalls } from './transport/call.ts';
import type { IdentifiedRecord } from './written-record.ts';

/**
 * The step of a write under an `Idempotency-Key`: before it is sent, it is asked whether it was sent before. A promise is returned
 * only where one has to wait.
 */
export interface KeyedStep {
  /**
   * Begins a write under the key, or tells how an earlier attempt ended. Waits while one is under way.
   *
   * @throws GatewayError for a write that must not be sent now. The ledger of the operation has its outcome
   */
  begin(write: KeyedWrite): Begun | Promise<Begun>;

  /** Notes that the operation ends before the write that was begun last. */
  late(): void;
}

/** The write may be sent, and its end has to be told; or it was carried out before. */
export type Begun = KeyedAttempt | EarlierWrite;

/** An attempt of a write that may be sent. */
export interface KeyedAttempt {
  /**
   * Tells how the attempt ended. Never throws or rejects.
   *
   * @param id that of the record that was written, where it is known
   */
  end(outcome: WriteOutcome, id: string | undefined): void | Promise<void>;
}

/** A write that was carried out by an earlier attempt. */
export interface EarlierWrite {
  readonly end: undefined;
  /** The id of its record, where it is known. */
  readonly id: string | undefined;
}

/** A write that is about to be sent. */
export interface KeyedWrite {
  readonly call: UpstreamCall;
  /** The path of its request, encoded, with the query. */
  readonly path: string;
  /** The credential with which it is sent. Undefined for a write that takes no key. */
  readonly credential: string | undefined;
  /** The API: the longest time of one of its calls in milliseconds, and its last answer. */
  readonly upstream: { readonly timeoutMs: number; readonly last: Readonly<LastCalls> | undefined };
  /** The fields of a new record, by upstream's names. Undefined for any other write. */
  readonly created: object | undefined;
  /** How these fields are compared. */
  readonly kindOf: KindOf | undefined;
  /** The read that may prove an earlier attempt whose outcome is UNKNOWN. Undefined where no read can. */
  readonly evidence: Evidence | undefined;
}

/** A read that may prove a write. It takes two seconds at most. */
export type Evidence =
  /** Reads the record that was changed, or that should be gone. */
  | { readonly record: () => Promise<Proof> }
  /**
   * Reads the records among which a new one has to be: a complete list, or those that have its unique code. `by` is the field, by
   * upstream's name, in which two creations have to agree if one record may show both.
   */
  | { readonly among: () => Promise<Rows<IdentifiedRecord>>; readonly by: string };

/** The id of the record that proves the write, or a sentence about what was found. */
export type Proof = { readonly id: string } | { readonly notice: string };
