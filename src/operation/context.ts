import type { IncomingHttpHeaders } from 'node:http';
import type { Notices } from '../graph/notices.ts';
import type { UpstreamCall, WriteOutcome } from '../errors.ts';
import type { WriteLedger } from '../calls/write-ledger.ts';
import type { KeyedWrites } from '../idempotency/keyed-writes.ts';
import type { Departure } from '../calls/transport/departure.ts';
import type { CallBudget } from '../calls/transport/call-budget.ts';
import type { OperationTrace } from '../calls/transport/call-trace.ts';

/**
 * The GraphQL context of one operation. It holds the caller's credentials, so it is never shared or stored.
 *
 * Each slice adds its data source to this interface, in its `source.ts`. `apis/operation-context.ts` creates the data sources.
 */
export interface Context {
  /** For the log. It may be a text of the caller, so it is not sent upstream. */
  readonly requestId: string;
  readonly budget: CallBudget;
  /** The outcomes of the operation's writes. */
  readonly writes: WriteLedger;
  /** Its writes under the `Idempotency-Key` of the caller. Undefined without one. */
  readonly keyed: KeyedWrites | undefined;
  /** Is told of cursors that are given out: a page may follow. */
  readonly pages: { onCursor(): void };
  /** Statements beside the data: errors of fields that have a value all the same, and keys that upstream did not send. */
  readonly notices: Notices;
  /** `notices`, once a field has stated something, or when the caller asks for the keys that upstream did not send. */
  readonly statedNotices: Notices | undefined;
  /** Happens when the caller closes the connection before the response is complete. */
  readonly gone: Departure;
  readonly limits: Limits;
  /** Knows the fields that call upstreams. Undefined unless `extensions.trace` shows them, or OpenTelemetry records them. */
  readonly trace: OperationTrace | undefined;
  /** Whether errors leave out what only an operator can act upon: NODE_ENV is production. */
  readonly hidesAdvice: boolean;
  /** Whether the response has `extensions.trace`: the caller asks for it, and TRACE allows it. */
  readonly showsTrace: boolean;
  /** Values that the fields of the operation share, such as loaders, keyed by the type or rule that owns them. */
  readonly shared: Map<object, unknown>;
  /** Gives each later read of the operation a call of its own. Called before the operation writes anything. */
  forbidSharing(): void;
}

/** The settings MAX_NODES, MAX_ENTITIES, MAX_PAGE_SIZE, MAX_BULK and BULK_TIMEOUT_MS. */
export interface Limits {
  readonly nodes: number;
  readonly entities: number;
  readonly pageSize: number;
  readonly bulkItems: number;
  readonly bulkMs: number;
}

/** The HTTP caller: headers, client address, and callbacks that set response headers. */
export interface Caller {
  readonly headers: IncomingHttpHeaders;
  /** For the log. Undefined for a caller that sends no requests by HTTP. */
  readonly requestId?: string | undefined;
  /** The client's IP address: from X-Forwarded-For when TRUST_PROXY is set and the header has one, else the socket's. */
  readonly address: string;
  /** The network of the address: the /64 of an IPv6 address, else the address. Undefined for a caller that sends no requests by HTTP. */
  readonly network?: string;
  /** Time for the upstream calls of the operation in milliseconds, when the caller asks for less than the setting. */
  readonly timeoutMs?: number | undefined;
  /** The key under which the caller sends writes. */
  readonly idempotencyKey?: string | undefined;
  /** Adds a `Set-Cookie` header to the response. */
  setCookie(header: string): void;
  /** Called before a write whose response may hold a text that is given out once, such as a raw token. */
  onSecret(): void;
  /** Happens when the caller closes the connection before the response is complete. */
  readonly gone: Departure;
  /** Called with the outcome of a write that ends after the caller left or was answered. */
  onLateWrite(call: UpstreamCall, outcome: WriteOutcome): void;
}

/** The context of the server's plugins, besides Yoga's own: the context of the operation, and how to answer. */
export interface PluginContext {
  readonly operation: Context;
  /** Whether the caller asks for `extensions.cost`. */
  readonly wantsCost: boolean;
}
