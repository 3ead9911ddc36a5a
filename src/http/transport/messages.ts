import type { Body } from '../formats/format.ts';

/** The maximum size of a response, and the setting that holds it. */
export interface ByteLimit {
  readonly bytes: number;
  readonly setting: string;
}

/** A request to an upstream. */
export interface Outgoing {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Path below the base address, encoded, with the query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** True when the request changes nothing upstream; a search may be a POST. */
  readonly isRead: boolean;
  readonly limit: ByteLimit;
}

/** A complete response of an upstream. */
export interface Answer extends Body {
  readonly status: number;
  /** The `Retry-After` header, or an empty text. */
  readonly retryAfter: string;
  /** Each `Set-Cookie` header. */
  readonly setCookies: readonly string[];
  /** Milliseconds from sending the request on its connection to the head of the response. */
  readonly headMs: number;
  /** Milliseconds from sending the request on its connection to the end of the response. */
  readonly totalMs: number;
}
