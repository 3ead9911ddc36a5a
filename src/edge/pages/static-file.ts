import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { acceptedEncoding } from '../../operation/accept.ts';

/** A file may be kept by a cache for a year, because its path holds the hash of its content; or it is revalidated each time. */
const CACHE_CONTROL = { forever: 'public, max-age=31536000, immutable', revalidated: 'no-cache' };

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Brotli's best quality takes 20 times as long for 10 % less. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const compress = {
  br: (text: string) => compressBrotli(text, QUALITY),
  gzip: (text: string) => compressGzip(text),
};

type Encoding = keyof typeof compress;

/** A text that is the same for each caller. Compressed when a caller first asks for that, on another thread, and then kept. */
export class StaticFile {
  /** The first 16 hexadecimal digits of the SHA-256 of the text. */
  readonly hash: string;
  readonly #text: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #compressed: { [encoding in Encoding]?: Promise<Buffer> } = {};

  constructor(text: string, contentType: string, caching: keyof typeof CACHE_CONTROL) {
    this.#text = text;
    this.hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
    this.#headers = {
      'content-type': contentType,
      'cache-control': CACHE_CONTROL[caching],
      etag: `W/"${this.hash}"`, // weak: each encoding has the same
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': "default-src 'none'", // of a worker, and of a text that is opened as a page
    };
  }

  /** Answers a GET or HEAD request. A promise where the text has to be compressed first. */
  answer(request: IncomingMessage, response: ServerResponse): void | Promise<void> {
    const { 'if-none-match': known = '', 'accept-encoding': accepted = '' } = request.headers;
    if (names(known, `W/"${this.hash}"`)) {
      response.writeHead(304, this.#headers).end();
      return;
    }
    const encoding = acceptedEncoding(String(accepted), ['br', 'gzip'] satisfies Encoding[]);
    if (encoding === undefined) return this.#send(request, response, Buffer.from(this.#text));
    const send = (body: Buffer) => this.#send(request, response, body, encoding);
    return this.#compress(encoding).then(send);
  }

  #send({ method }: IncomingMessage, response: ServerResponse, body: Buffer, encoding?: Encoding): void {
    if (response.headersSent) return; // the gateway had to end meanwhile, and has answered so
    response.writeHead(200, {
      ...this.#headers,
      ...(encoding && { 'content-encoding': encoding }),
      'content-length': body.length,
    });
    response.end(method === 'HEAD' ? undefined : body);
  }

  #compress(encoding: Encoding): Promise<Buffer> {
    return (this.#compressed[encoding] ??= compress[encoding](this.#text));
  }
}

/** Whether an If-None-Match header names an entity tag, strong or weak. */
function names(header: string, tag: string): boolean {
  return header.split(',').some((entry) => [tag, tag.slice('W/'.length), '*'].includes(entry.trim()));
}
