import { createHash } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import { request as forward } from 'node:http';
import { gzipSync } from 'node:zlib';
import { stubUpstream } from './stub-upstream.ts';

// An API as a Rails application serves it: an entity tag on each answer, 304 for one that is known, gzip for who asks.

export interface RailsAnswer {
  readonly status?: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What was received, and how it was answered. */
export interface Served {
  /** Without the query, which holds a token. */
  readonly call: string;
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
}

interface RailsOptions {
  /** Headers that each answer has in the place of its entity tag. */
  readonly validators?: (etag: string) => Record<string, string>;
}

/** Answers a request with its entity tag, packed where that is asked for. */
function served(request: IncomingMessage, { status = 200, body, headers = {} }: RailsAnswer, options: RailsOptions) {
  const etag = `W/"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`;
  const validators = options.validators?.(etag) ?? { etag, 'cache-control': 'max-age=0, private, must-revalidate' };
  const all: Record<string, string> = { 'content-type': 'application/json', ...validators, ...headers };
  const { 'if-none-match': tag, 'if-modified-since': since } = request.headers;
  const isKnown =
    tag === undefined ? since !== undefined && since === validators['last-modified'] : tag === validators['etag'];
  if (status === 200 && request.method === 'GET' && isKnown) return { status: 304, headers: all, body: undefined };
  const isPacked = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '') && body.length > 500;
  if (!isPacked) return { status, headers: all, body: Buffer.from(body) };
  return { status, headers: { ...all, 'content-encoding': 'gzip' }, body: gzipSync(body) };
}

/** An upstream that answers as the test says, with validators and packed bodies. */
export async function railsUpstream(answer: (request: IncomingMessage) => RailsAnswer, options: RailsOptions = {}) {
  const log: Served[] = [];
  const { url } = await stubUpstream((request, response) => {
    const { status, headers, body } = served(request, answer(request), options);
    log.push({ call: `${request.method} ${request.url?.split('?', 1)[0]}`, status, headers: request.headers });
    response.writeHead(status, headers).end(body);
  });
  /** What a piece of work was served, as `200 GET /path`. */
  const during = async (work: () => Promise<unknown>): Promise<string[]> => {
    const before = log.length;
    await work();
    return log.slice(before).map(({ status, call }) => `${status} ${call}`);
  };
  return { url, log, during };
}

/** A proxy that gives the answers of another upstream validators, and packs them. */
export function asRails(target: string): RequestListener {
  return (request, response) => {
    const { host: _own, 'if-none-match': _condition, ...headers } = request.headers;
    const passed = forward(
      new URL(request.url ?? '/', target),
      { method: request.method ?? 'GET', headers },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const body = Buffer.concat(chunks).toString();
          const type = { 'content-type': answer.headers['content-type'] ?? 'application/json' };
          const made = served(request, { status: answer.statusCode ?? 0, body, headers: type }, {});
          response.writeHead(made.status, made.headers).end(made.body);
        });
      },
    );
    request.pipe(passed);
  };
}
