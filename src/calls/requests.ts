import type { UpstreamCall } from '../errors.ts';
import type { Asked, UpstreamRecord } from '../formats/decode.ts';
import type { Pagination } from '../formats/rows.ts';
import type { KindOf } from '../formats/same-values.ts';
import type { Deadlines, Outgoing } from './transport/messages.ts';
import type { Path } from './transport/path.ts';

export type Headers = Readonly<Record<string, string>>;

/** A GET request: its path with the query, its headers, and deadlines shorter than UPSTREAM_TIMEOUT_MS. */
export interface Get extends Deadlines {
  readonly path: Path;
  readonly headers?: Headers;
  /** The key of such a record in the API's document, such as `client`. The record in the response may be inside it. */
  readonly recordKey?: string | undefined;
  /** The id of the row that a page of a list goes on from. Undefined for any other read. */
  readonly continues?: string | undefined;
  /** Whether the request has a limit or a page number, so that its response is not expected to have all rows. */
  readonly isPart?: boolean;
  /** The id or code of the record in the path or in the body. A response with another record is no answer. */
  readonly asked?: Asked | undefined;
}

/** A request that may have a body. */
export interface Write extends Get {
  /** Encoded in the format of the API; undefined sends no body. */
  readonly body?: unknown;
  /** The key of an object of any fields within the record, see `SentWrite`. */
  readonly dataKey?: string | undefined;
  /** How its fields are compared with what a record shows. As texts unless given. */
  readonly kindOf?: KindOf;
  /** Whether the write takes no `Idempotency-Key`: it needs nobody's credential. */
  readonly takesNoKey?: boolean;
  /** See `Outgoing`. */
  readonly onSent?: () => void;
  /** See `Outgoing`. */
  readonly onLate?: (error: Error) => void;
  /** Secrets in the request, besides the caller's credentials. They are removed from every text of upstream. */
  readonly secrets?: readonly string[];
}

export type Method = Outgoing['method'];

/** A parsed response, and its call. */
export interface Parsed<Body> {
  readonly body: Body;
  readonly call: UpstreamCall;
  /** The memory of the body, estimated. */
  readonly memory: number;
  /** Undefined for a response that is not a list, or has no pagination metadata. */
  readonly pagination?: Pagination | undefined;
}

/** The condition of a caller for the record that a write changes. */
export interface IfUnchanged {
  /** When it was last changed, as the caller has read it: an instant in ISO 8601. */
  readonly updatedAt: string;
  /** Makes what the error of a conflict shows of the record. */
  readonly shown: (current: UpstreamRecord) => object;
  /** Whether the write was made of the record as it is. Undefined for a write that was made of input alone. */
  readonly isBase?: ((current: UpstreamRecord) => boolean) | undefined;
}

/** The condition for sending a write, and the read that tells whether it holds. */
export interface Precondition extends IfUnchanged {
  /**
   * Reads the record by a call of its own: no earlier read may answer it.
   *
   * @throws NotFoundError when there is no such record
   */
  readonly read: () => Promise<UpstreamRecord>;
}
