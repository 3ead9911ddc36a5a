import type { UpstreamCall } from '../errors.ts';
import type { Asked } from '../formats/decode.ts';
import type { Pagination } from '../formats/rows.ts';
import type { KindOf } from '../formats/same-values.ts';
import type { HeldAnswer } from './transport/answer-memory.ts';
import type { Call } from './transport/call.ts';
import type { Answer, Deadlines, Outgoing } from './transport/messages.ts';
import type { Path } from './transport/path.ts';
import type { Generation } from './cache/generations.ts';

/** A GET request: its path with the query, its headers, and deadlines shorter than UPSTREAM_TIMEOUT_MS. */
export interface Get extends Deadlines {
  readonly path: Path;
  readonly headers?: Readonly<Record<string, string>>;
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

/** A response with a 2xx status, and its call. */
export interface Received<Body> {
  readonly answer: Answer;
  readonly call: UpstreamCall;
  /** The body that was sent. */
  readonly sent: unknown;
  readonly secrets: readonly string[];
  /** Undefined for a call that is not shared. */
  readonly shared: SharedRead<Body> | undefined;
  /** The kept answer that still holds, for a response with the status 304. */
  readonly kept: KeptAnswer<Body> | undefined;
  /** Whether this operation is the first to handle the response of a shared call; it updates breakers, pauses and measurements. */
  readonly isFirst: boolean;
}

/** A parsed response, and its call. */
export interface Parsed<Body> {
  readonly body: Body;
  readonly call: UpstreamCall;
  /** The memory of the body, estimated. */
  readonly memory: number;
  /** Undefined for a response that is not a list, or has no pagination metadata. */
  readonly pagination?: Pagination | undefined;
}

/** A call under way that identical reads may join, and its parsed response. */
export interface SharedRead<Body> {
  readonly call: Call;
  /** When it began. */
  readonly beganAt: number;
  /** The kept answer that the call asks about. */
  readonly kept: KeptAnswer<Body> | undefined;
  /** Whether an operation has handled the result. The one that started the call may have been aborted. */
  isJudged: boolean;
  /** The body, once somebody has begun to parse it: parsing empties the response. A promise for one that takes long. */
  parsed: { readonly body: Body | Promise<Body> } | undefined;
  /** The memory of the parsed body. Undefined until somebody parses it. */
  held?: HeldAnswer;
}

/** An answer that may be kept. */
export interface Keepable<Body> {
  readonly parsed: Parsed<Body>;
  /** The size of the response. */
  readonly bytes: number;
  /** That in which its call began. */
  readonly generation: Generation;
  /** When its call began, or the last call that told that it still holds. */
  readonly readAt: number;
  /** Undefined when upstream cannot be asked whether it still holds. */
  readonly validator: Validator | undefined;
}

/** An answer that is kept. */
export interface KeptAnswer<Body> extends Keepable<Body> {
  /** When it was asked for last. */
  usedAt: number;
  readonly memory: number;
}

/** The validator of an answer (RFC 9110, 8.8), which a conditional request sends back. */
export type Validator = { readonly etag: string } | { readonly lastModified: string };
