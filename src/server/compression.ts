import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { constants, createGzip, type Gzip, gzipSync } from 'node:zlib';
import type { Logger } from 'pino';
import { acceptedEncoding } from './accept.ts';
import { reportUnexpected } from './errors/public-error.ts';
import type { WatchedResponse } from './http-server.ts';
import { requestIdOf } from './request.ts';
import type { Step } from './steps.ts';

/** Bodies are compressed from this length on, in bytes: shorter ones fit a packet anyway. */
const MIN_BYTES = 1024;

/** Bodies up to this length are compressed in place: in a fraction of a millisecond, which is less than a turn to another thread. */
const MAX_IN_PLACE_BYTES = 64 * 1024;

/** Measured for JSON: half the time of zlib's default, 6, for 8 % more bytes. */
const LEVEL = 4;

/** A large body: bytes that wait for a caller are handed over in pieces of this size. */
const CHUNK_BYTES = 64 * 1024;

/** A response in parts is open for as long as upstream takes. So its window is small: 64 kB of memory, in place of 256. */
const OF_PARTS = { windowBits: 13, memLevel: 6 };

const COMPRESSIBLE = /^(?:text\/|multipart\/mixed|application\/(?:json|graphql-response\+json))/i;

/**
 * Creates the step that compresses bodies by gzip, for callers that accept it. Of a request with a cookie nothing is compressed: a page of
 * another site can make a browser send it, and learn from the lengths of answers what is in them (BREACH). Nor is a response
 * with a text that is given out once, such as a raw token.
 *
 * @see docs/security.md
 */
export function compressResponses(log: Logger): Step {
  return (request, response, next) => {
    const { method, headers } = request;
    const accepted = headers['accept-encoding'];
    if (accepted !== undefined && headers.cookie === undefined && method !== 'HEAD') {
      const report = reportUnexpected(log, requestIdOf(headers));
      if (acceptedEncoding(String(accepted), ['gzip'])) new CompressedBody(response, report).takeOver();
    }
    return next(request, response);
  };
}

/** The head of a response that is not sent yet, and what was written to its body. */
interface Held {
  readonly status: number;
  readonly headers: readonly string[];
  readonly pieces: (string | Uint8Array)[];
}

/** Stands between those who answer and the response: each of its heads says whether its body is compressed, and how. */
class CompressedBody {
  readonly #response: WatchedResponse;
  readonly #report: (defect: unknown) => void;
  readonly #plain: Pick<ServerResponse, 'writeHead' | 'write' | 'end'>;
  /** A body that is compressed in place once it is whole. */
  #held: Held | undefined;
  /** Compresses a long body, or one of parts, on another thread. */
  #gzip: Gzip | undefined;
  #isInParts = false;

  /** @param report called with a defect that is met when nobody waits for the response any more */
  constructor(response: WatchedResponse, report: (defect: unknown) => void) {
    this.#response = response;
    this.#report = report;
    this.#plain = {
      writeHead: response.writeHead.bind(response),
      write: response.write.bind(response),
      end: response.end.bind(response),
    };
  }

  takeOver(): void {
    const { writeHead, write, end } = this;
    Object.assign(this.#response, { writeHead, write, end });
  }

  readonly writeHead = (status: number, given: OutgoingHttpHeaders | readonly string[] = []): ServerResponse => {
    this.#held = undefined; // at the end of the gateway, an answer that is not sent yet gets another one
    const headers = flat(given);
    const length = valueOf(headers, 'content-length');
    const isInParts = length === undefined;
    if (!this.#isCompressed(status, headers) || Number(length) <= MIN_BYTES)
      return this.#plain.writeHead(status, [...headers]);
    if (!isInParts && Number(length) <= MAX_IN_PLACE_BYTES) {
      this.#held = { status, headers, pieces: [] };
      return this.#response;
    }
    this.#isInParts = isInParts;
    this.#compressInBackground();
    return this.#plain.writeHead(status, packed(headers));
  };

  readonly write = (piece: string | Uint8Array): boolean => {
    if (this.#held) return this.#held.pieces.push(piece) > 0;
    if (!this.#gzip) return this.#response.writableEnded || this.#plain.write(piece);
    if (this.#gzip.destroyed) return false;
    const written = this.#feed(this.#gzip, piece);
    if (this.#isInParts) this.#gzip.flush(constants.Z_SYNC_FLUSH); // the caller waits for this part
    return written;
  };

  readonly end = (piece?: string | Uint8Array, then?: () => void): ServerResponse => {
    if (this.#gzip) {
      if (piece !== undefined) this.#feed(this.#gzip, piece);
      this.#gzip.end();
    } else if (this.#held) {
      const { status, headers, pieces } = this.#held;
      this.#held = undefined;
      if (piece !== undefined) pieces.push(piece);
      const body = gzipSync(Buffer.concat(pieces.map((each) => Buffer.from(each))), { level: LEVEL });
      this.#plain.writeHead(status, [...packed(headers), 'content-length', String(body.length)]);
      this.#plain.end(body);
    } else this.#plain.end(piece, then);
    return this.#response;
  };

  #isCompressed(status: number, headers: readonly string[]): boolean {
    if (status === 204 || status === 304 || this.#response.holdsSecret) return false;
    const isPlain = /^(?:none|identity)?$/.test(valueOf(headers, 'content-encoding') ?? ''); // Yoga says `none` of events
    return isPlain && COMPRESSIBLE.test(valueOf(headers, 'content-type') ?? '');
  }

  /**
   * Compresses what comes on another thread, and hands it over at once, whether the caller reads or not: what waits for it is shorter
   * then. Both what waits and what is not compressed yet count in MAX_UNREAD_BYTES.
   */
  #compressInBackground(): void {
    const gzip = createGzip({ level: LEVEL, chunkSize: CHUNK_BYTES, ...(this.#isInParts && OF_PARTS) });
    gzip.on('data', (bytes: Buffer) => this.#handOver(() => this.#plain.write(bytes)));
    gzip.on('end', () => this.#handOver(() => this.#plain.end()));
    gzip.on('error', (error) => this.#fail(error));
    this.#response.once('close', () => gzip.destroy());
    this.#response.uncompressed = gzip;
    this.#gzip = gzip;
  }

  #handOver(send: () => void): void {
    try {
      send();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#report(error);
    this.#response.destroy();
  }

  #feed(gzip: Gzip, piece: string | Uint8Array): boolean {
    this.#response.onBytes?.();
    const written = gzip.write(piece);
    this.#response.onBytes?.();
    return written;
  }
}

/** Headers as a flat [name, value, …] array. */
function flat(headers: OutgoingHttpHeaders | readonly string[]): readonly string[] {
  if (isList(headers)) return headers;
  return Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [name, String(value)]));
}

function isList(headers: OutgoingHttpHeaders | readonly string[]): headers is readonly string[] {
  return Array.isArray(headers);
}

/** The value of a header. @param name in lower case */
function valueOf(headers: readonly string[], name: string): string | undefined {
  const at = headers.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === name);
  return at === -1 ? undefined : headers[at + 1];
}

/** The headers of a compressed body, but for its length. Of two headers of a name Node may keep one, so there is one `Vary`. */
function packed(headers: readonly string[]): string[] {
  const vary = [valueOf(headers, 'vary'), 'Accept-Encoding'].filter((names) => names !== undefined);
  const kept = headers.filter((_text, at) => !REPLACED.has(headers[at - (at % 2)]?.toLowerCase() ?? ''));
  return [...kept, 'content-encoding', 'gzip', 'vary', vary.join(', ')];
}

const REPLACED: ReadonlySet<string> = new Set(['content-length', 'content-encoding', 'vary']);
