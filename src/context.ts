import type { IncomingHttpHeaders } from 'node:http';
import type { UpstreamCall } from './http/errors.ts';
import type { WriteOutcome } from './http/session/writer.ts';
import type { CallBudget } from './http/transport/exchange.ts';

/**
 * What resolvers may use. One per operation: it holds the caller's credentials, so it is never shared or kept.
 *
 * Each API adds its data source to it, in the `source.ts` of its slice; `upstreams.ts` makes them.
 */
export interface Context {
  readonly budget: CallBudget;
  /** The settings MAX_NODES, MAX_ENTITIES and MAX_PAGE_SIZE. */
  readonly limits: { readonly nodes: number; readonly entities: number; readonly pageSize: number };
  /** Marks the response as `no-store`: it will hold a secret. */
  readonly forbidStoring: () => void;
}

/** The HTTP caller: headers, client address, and callbacks that set response headers. */
export interface Caller {
  readonly headers: IncomingHttpHeaders;
  /** The client address, from X-Forwarded-For as far as TRUST_PROXY trusts it. */
  readonly address: string;
  /** Marks the response as `no-store`. */
  readonly forbidStoring: () => void;
  /** Adds a `Set-Cookie` header to the response. */
  readonly setCookie: (header: string) => void;
  /** Aborted when the caller closes the connection before the response is complete. */
  readonly gone: AbortSignal;
  /** Told what became of a write that was sent before the caller left. */
  readonly onLateWrite: (call: UpstreamCall, outcome: WriteOutcome) => void;
}

/** What the plugins of the server get of an operation, beside what Yoga tells them of its request. */
export interface PluginContext {
  readonly operation: Context;
}
