import type { GatewayError, UpstreamCall } from '../../errors.ts';
import type { Body } from '../../formats/format.ts';

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
  /** Checked again after the wait for a connection, before the request is sent. */
  readonly guard?: CallGuard | undefined;
  /** Called when the request is handed to a connection. From then on upstream may have received it. */
  readonly onSent?: (() => void) | undefined;
  /** Called with an error when the waiter's own deadline passes after the request was sent. The wait goes on then. */
  readonly onLate?: ((error: GatewayError) => void) | undefined;
}

/** Rejects calls before the end of an upstream `Retry-After`. */
export interface CallGuard {
  /** Returns the error of a call that must not be sent now; undefined for any other call. */
  readonly refusal: (call: UpstreamCall) => GatewayError | undefined;
}

/** The deadlines of one waiter, in milliseconds. */
export interface Deadlines {
  /** Counts from now; applies when it is shorter than the deadline of the call. */
  readonly timeoutMs?: number | undefined;
  /** Counts from sending the request; the wait for a connection does not count. */
  readonly capMs?: number | undefined;
}

/** A complete response of an upstream. */
export interface Answer extends Body, ResponseHead {
  readonly status: number;
  /** The size of the body as it was transferred. Undefined for one that was not packed. */
  readonly packedBytes: number | undefined;
  /** Milliseconds from sending the request on its connection to the head of the response. */
  readonly headMs: number;
  /** Milliseconds from sending the request on its connection to the end of the response. */
  readonly totalMs: number;
}

/** The headers of a response that the gateway reads. Each is an empty text where there is none. */
export interface ResponseHead {
  readonly contentType: string;
  readonly contentEncoding: string;
  readonly contentLength: string;
  readonly retryAfter: string;
  readonly etag: string;
  readonly lastModified: string;
  readonly date: string;
  readonly cacheControl: string;
  readonly keepAlive: string;
  readonly link: string;
  readonly contentRange: string;
  /** `X-Total-Count` or `X-Total`. */
  readonly totalCount: string;
  /** Each `Set-Cookie` header. */
  readonly setCookies: readonly string[];
}

type Field = Exclude<keyof ResponseHead, 'setCookies'>;

const FIELDS: ReadonlyMap<string, Field> = new Map([
  ['content-type', 'contentType'],
  ['content-encoding', 'contentEncoding'],
  ['content-length', 'contentLength'],
  ['retry-after', 'retryAfter'],
  ['etag', 'etag'],
  ['last-modified', 'lastModified'],
  ['date', 'date'],
  ['cache-control', 'cacheControl'],
  ['keep-alive', 'keepAlive'],
  ['link', 'link'],
  ['content-range', 'contentRange'],
  ['x-total-count', 'totalCount'],
  ['x-total', 'totalCount'],
]);

const SET_COOKIE = 'set-cookie';

/** Most other headers are told by the length of their names alone. */
const LENGTHS: ReadonlySet<number> = new Set([...FIELDS.keys(), SET_COOKIE].map(({ length }) => length));

/** Headers that are lists, whose lines are one list (RFC 9110, 5.3). Of any other one the first line counts. */
const LISTS: ReadonlySet<Field> = new Set(['contentEncoding', 'cacheControl', 'keepAlive', 'link']);

/** Reads the headers of a response. @param headers names and values in turns, as undici gives them */
export function responseHead(headers: readonly Buffer[]): ResponseHead {
  const setCookies: string[] = [];
  const head = {
    contentType: '',
    contentEncoding: '',
    contentLength: '',
    retryAfter: '',
    etag: '',
    lastModified: '',
    date: '',
    cacheControl: '',
    keepAlive: '',
    link: '',
    contentRange: '',
    totalCount: '',
    setCookies,
  };
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const key = headers[at];
    if (!key || !LENGTHS.has(key.length)) continue;
    const name = key.toString('latin1').toLowerCase();
    const field = FIELDS.get(name);
    if (!field && name !== SET_COOKIE) continue;
    const value = headers[at + 1]?.toString('latin1') ?? '';
    if (!field) setCookies.push(value);
    else if (head[field] === '') head[field] = value;
    else if (LISTS.has(field)) head[field] += `, ${value}`;
  }
  return head;
}

/** How a body may be packed. */
export type Coding = 'gzip' | 'deflate';

const CODINGS: ReadonlyMap<string, Coding> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
]);

/** The coding of a body by its `Content-Encoding`. Undefined for none, for several, and for an unknown one. */
export function codingOf(contentEncoding: string): Coding | undefined {
  return CODINGS.get(contentEncoding.trim().toLowerCase());
}
