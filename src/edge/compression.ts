import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { constants, createGzip, type Gzip } from 'node:zlib';
import type { Logger } from 'pino';
import { acceptedEncoding } from '../operation/accept.ts';
import { reportUnexpected } from '../operation/errors/public-error.ts';
import type { WatchedResponse } from './http-server.ts';
import { requestIdOf } from '../operation/server-context.ts';
import type { Step } from './steps.ts';

/** Bodies are compressed from this length on, in bytes: shorter ones fit a packet anyway. */
const MIN_BYTES = 1024;

/**
 * The bytes of whole bodies that wait to be compressed, of all answers together. Those beyond it are sent as they are: to compress
 * megabytes takes longer than to make and to send them.
 */
const MAX_WAITING_BYTES = 32 * 1024 ** 2;

/**
 * Level 4 takes half the time of the default, 6, for 8 % more bytes of JSON. A response in parts is open for as long as upstream takes,
 * so the window is half the default one: 128 kB of memory in place of 256, for as many bytes of JSON.
 */
const GZIP = { level: 4, windowBits: 14, memLevel: 7 };

const COMPRESSIBLE = /^(?:text\/|multipart\/mixed|application\/(?:json|graphql-response\+json))/i;

/**
 * Creates the step that compresses bodies by gzip, for callers that accept it. Of a request with a cookie nothing is compressed: a page of
 * another site can make a browser send it, and learn from the lengths of answers what is in them (BREACH). Nor is a response
 * with a text that is given out once, such as a raw token.
 *
 * @param log gets the defects that are met when nobody waits for the response any more
 * @see docs/security.md
 */
export function compressResponses(log: Logger): Step {
  let waiting = 0;
  return (request, response, next) => {
    const { method, headers } = request;
    if (headers['accept-encoding'] !== undefined && headers.cookie === undefined && method !== 'HEAD') {
      const plain = response.writeHead.bind(response);
      const writeHead = (status: number, given: OutgoingHttpHeaders | readonly string[] = []) => {
        const headers = Symbol.iterator in given ? given : flatHeaders(given);
        const length = valueOf(headers, 'content-length'); // undefined for a body in parts
        const bytes = Number(length ?? 0);
        const isShort = length !== undefined && bytes <= MIN_BYTES;
        if (isShort || waiting + bytes > MAX_WAITING_BYTES || !isCompressed(response, status, headers))
          return plain(status, [...headers]);
        const gzip = compressBody(response, log);
        waiting += bytes;
        gzip.once('close', () => (waiting -= bytes)); // at its end, too
        if (length === undefined) response.compressor = gzip;
        return plain(status, compressedHeaders(headers));
      };
      Object.assign(response, { writeHead });
    }
    return next(request, response);
  };
}

function isCompressed({ req, holdsSecret }: WatchedResponse, status: number, headers: readonly string[]): boolean {
  if (status === 204 || status === 304 || holdsSecret) return false;
  if (!acceptedEncoding(String(req.headers['accept-encoding']), ['gzip'])) return false;
  return (
    valueOf(headers, 'content-encoding') === undefined && COMPRESSIBLE.test(valueOf(headers, 'content-type') ?? '')
  );
}

/**
 * Compresses what is written from now on, on another thread: nothing holds the event loop. Each piece is sent when it is compressed,
 * whether the caller reads or not: what waits for the caller is shorter then, and counts in MAX_UNREAD_BYTES. So do parts that
 * are not compressed yet; of whole bodies they do not, as the caller waits for them.
 */
function compressBody(response: WatchedResponse, log: Logger): Gzip {
  const plain = { write: response.write.bind(response), end: response.end.bind(response) };
  const gzip = createGzip(GZIP);
  const fail = (error: unknown) => {
    reportUnexpected(log, requestIdOf(response.req.headers))(error);
    response.destroy();
  };
  const handOver = (send: () => void) => {
    try {
      send();
    } catch (error) {
      fail(error); // nobody else handles it
    }
  };
  gzip.on('data', (bytes: Buffer) => handOver(() => plain.write(bytes)));
  gzip.on('end', () => handOver(() => plain.end()));
  gzip.on('error', fail);
  response.once('close', () => gzip.destroy());
  Object.assign(response, {
    write: (piece: string | Uint8Array) => {
      response.onBytes?.();
      const written = gzip.write(piece);
      gzip.flush(constants.Z_SYNC_FLUSH); // the caller may wait for this part
      response.onBytes?.();
      return written;
    },
    end: (piece?: string | Uint8Array): ServerResponse => {
      gzip.end(piece);
      return response;
    },
  });
  return gzip;
}

/** Headers as a flat [name, value, …] array. */
function flatHeaders(headers: OutgoingHttpHeaders): readonly string[] {
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
