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

/** The level of zlib. For JSON it takes half the time of the default, 6, for 8 % more bytes. */
const LEVEL = 4;

/**
 * The bytes of whole bodies that wait to be compressed, of all answers together. Those beyond it are sent as they are: to compress
 * megabytes takes longer than to send them.
 */
const MAX_WAITING_BYTES = 32 * 1024 * 1024;

/** The size of the compressed pieces. */
const CHUNK_BYTES = 64 * 1024;

/** A response in parts is open for as long as upstream takes. So its window is small: 128 kB of memory with its piece, in place of 320. */
const OF_PARTS = { windowBits: 13, memLevel: 6 };

/** Counts the bytes that wait to be compressed. */
interface Waiting {
  bytes: number;
}

const COMPRESSIBLE = /^(?:text\/|multipart\/mixed|application\/(?:json|graphql-response\+json))/i;

/**
 * Creates the step that compresses bodies by gzip, for callers that accept it. Of a request with a cookie nothing is compressed: a page of
 * another site can make a browser send it, and learn from the lengths of answers what is in them (BREACH). Nor is a response
 * with a text that is given out once, such as a raw token.
 *
 * @see docs/security.md
 */
export function compressResponses(log: Logger): Step {
  const waiting: Waiting = { bytes: 0 };
  return (request, response, next) => {
    const { method, headers } = request;
    if (headers['accept-encoding'] !== undefined && headers.cookie === undefined && method !== 'HEAD')
      new CompressedBody(response, waiting, log).takeOver();
    return next(request, response);
  };
}

/** The head of a response that is not sent yet, and what was written to its body. */
interface Held {
  readonly status: number;
  readonly headers: readonly string[];
  readonly pieces: (string | Uint8Array)[];
}

/**
 * Compresses the body of one response, in the place of its methods: each head says whether that is done, and how. Most bodies are short,
 * and only their heads pass here.
 */
class CompressedBody {
  readonly #response: WatchedResponse;
  readonly #waiting: Waiting;
  readonly #log: Logger;
  readonly #plain: Pick<ServerResponse, 'writeHead' | 'write' | 'end'>;
  /** A body that is compressed in place once it is whole. */
  #held: Held | undefined;
  /** Compresses a long body, or one of parts, on another thread. */
  #gzip: Gzip | undefined;
  #isInParts = false;

  /** @param log gets the defects that are met when nobody waits for the response any more */
  constructor(response: WatchedResponse, waiting: Waiting, log: Logger) {
    this.#response = response;
    this.#waiting = waiting;
    this.#log = log;
    this.#plain = {
      writeHead: response.writeHead.bind(response),
      write: response.write.bind(response),
      end: response.end.bind(response),
    };
  }

  takeOver(): void {
    Object.assign(this.#response, { writeHead: this.#writeHead.bind(this) });
  }

  #writeHead(status: number, given: OutgoingHttpHeaders | readonly string[] = []): ServerResponse {
    this.#held = undefined; // at the end of the gateway 503 takes its place, and what still comes of it is dropped
    const headers = flatHeaders(given);
    const length = valueOf(headers, 'content-length');
    const bytes = Number(length ?? Infinity);
    this.#isInParts = length === undefined;
    const waiting = this.#waiting.bytes + (this.#isInParts ? 0 : bytes);
    if (bytes <= MIN_BYTES || waiting > MAX_WAITING_BYTES || !this.#isCompressed(status, headers))
      return this.#plain.writeHead(status, [...headers]);
    Object.assign(this.#response, { write: this.#write.bind(this), end: this.#end.bind(this) });
    if (bytes <= MAX_IN_PLACE_BYTES) {
      this.#held = { status, headers, pieces: [] };
      return this.#response;
    }
    const response = this.#plain.writeHead(status, compressedHeaders(headers));
    this.#compressInBackground(this.#isInParts ? 0 : bytes);
    return response;
  }

  #write(piece: string | Uint8Array): boolean {
    if (this.#held) return this.#held.pieces.push(piece) > 0;
    if (!this.#gzip) return this.#response.writableEnded || this.#plain.write(piece);
    if (this.#gzip.destroyed) return false;
    const written = this.#feed(this.#gzip, piece);
    if (this.#isInParts) this.#gzip.flush(constants.Z_SYNC_FLUSH); // the caller waits for this part
    return written;
  }

  #end(piece?: string | Uint8Array, then?: () => void): ServerResponse {
    if (this.#gzip) {
      if (piece !== undefined) this.#feed(this.#gzip, piece);
      this.#gzip.end();
    } else if (this.#held) {
      const { status, headers, pieces } = this.#held;
      this.#held = undefined;
      if (piece !== undefined) pieces.push(piece);
      const body = gzipSync(Buffer.concat(pieces.map((each) => Buffer.from(each))), { level: LEVEL });
      this.#plain.writeHead(status, [...compressedHeaders(headers), 'content-length', String(body.length)]);
      this.#plain.end(body);
    } else if (!this.#response.writableEnded) this.#plain.end(piece, then);
    return this.#response;
  }

  #isCompressed(status: number, headers: readonly string[]): boolean {
    if (status === 204 || status === 304 || this.#response.holdsSecret) return false;
    if (!acceptedEncoding(String(this.#response.req.headers['accept-encoding']), ['gzip'])) return false;
    return (
      valueOf(headers, 'content-encoding') === undefined && COMPRESSIBLE.test(valueOf(headers, 'content-type') ?? '')
    );
  }

  /**
   * Compresses what comes on another thread, and hands it over at once, whether the caller reads or not: what waits for it is shorter
   * then, and counts in MAX_UNREAD_BYTES. So do parts that are not compressed yet; of whole bodies they do not, as the caller
   * waits for them.
   *
   * @param bytes of a whole body, 0 for one in parts
   */
  #compressInBackground(bytes: number): void {
    const gzip = createGzip({ level: LEVEL, chunkSize: CHUNK_BYTES, ...(this.#isInParts && OF_PARTS) });
    gzip.on('data', (bytes: Buffer) => this.#handOver(() => this.#plain.write(bytes)));
    gzip.on('end', () => this.#handOver(() => this.#plain.end()));
    gzip.on('error', (error) => this.#fail(error));
    gzip.once('close', () => (this.#waiting.bytes -= bytes)); // at its end, too
    this.#waiting.bytes += bytes;
    this.#response.once('close', () => gzip.destroy());
    if (this.#isInParts) this.#response.compressor = gzip;
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
    reportUnexpected(this.#log, requestIdOf(this.#response.req.headers))(error);
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
function flatHeaders(headers: OutgoingHttpHeaders | readonly string[]): readonly string[] {
  if (Symbol.iterator in headers) return headers;
  return Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [name, String(value)]));
}

/** The value of a header. @param name in lower case */
function valueOf(headers: readonly string[], name: string): string | undefined {
  for (let at = 0; at < headers.length; at += 2) if (headers[at]?.toLowerCase() === name) return headers[at + 1];
  return undefined;
}

/** The headers of a compressed body, but for its length. Of two headers of a name Node may keep one, so there is one `Vary`. */
function compressedHeaders(headers: readonly string[]): string[] {
  const vary = [valueOf(headers, 'vary'), 'Accept-Encoding'].filter((names) => names !== undefined);
  const kept = headers.filter((_text, at) => !REPLACED.has(headers[at - (at % 2)]?.toLowerCase() ?? ''));
  return [...kept, 'content-encoding', 'gzip', 'vary', vary.join(', ')];
}

const REPLACED: ReadonlySet<string> = new Set(['content-length', 'content-encoding', 'vary']);
