// The canned records as a Rails application behind nginx serves them, over a slow link: an entity tag on each answer, 304 for
// one that is known, gzip for who asks.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { client } from '../upstream/records.ts';
import { bodiesWith } from '../upstream/routes.ts';
import { Link, type LinkOptions } from './link.ts';

/** The upstream, in this process. */
export interface WanUpstream {
  readonly origin: string;
  readonly clients: number;
  /** Gives a client of the first page another name. @returns the name */
  readonly changeClient: () => string;
  /** Calls, and bytes of bodies, since the last `reset`. */
  readonly counts: () => Counts;
  readonly reset: () => void;
  readonly stop: () => Promise<void>;
}

interface Counts {
  readonly calls: number;
  readonly bytes: number;
}

/** A body in both of its forms. */
interface Answer {
  readonly plain: Buffer;
  /** Undefined for a short body. */
  readonly gzip: Buffer | undefined;
  readonly etag: string;
}

const CLIENTS = 2000;
const CLIENTS_ROUTE = 'GET /app/clients.json';
/** The client that changes is on the first page. */
const CHANGED_ID = 7;

/** A shorter body is not compressed, as in most configurations of nginx. Its level of compression is 1. */
const MIN_GZIP_BYTES = 1000;

/** Longer than any silence of a run. */
const KEEP_ALIVE_MS = 60_000;

function answerOf(text: string): Answer {
  const plain = Buffer.from(text);
  return {
    plain,
    gzip: plain.length < MIN_GZIP_BYTES ? undefined : gzipSync(plain, { level: 1 }),
    etag: `W/"${createHash('sha256').update(plain).digest('hex').slice(0, 32)}"`,
  };
}

/** Starts the upstream at a free port of the loopback interface. All bodies are compressed before the first request. */
export async function startWanUpstream(link: LinkOptions): Promise<WanUpstream> {
  const clients = Array.from({ length: CLIENTS }, (_none, index) => client(index + 1));
  const answers = new Map<string, Answer>();
  for (const [route, { text }] of bodiesWith({ clients: CLIENTS })) answers.set(route, answerOf(text));
  const way = new Link(link);
  let [calls, bytes, changes] = [0, 0, 0];

  async function serve(request: IncomingMessage, response: ServerResponse, isNewConnection: boolean): Promise<void> {
    calls++;
    await way.roundTrip(isNewConnection);
    const answer = answers.get(`${request.method} ${request.url?.split('?', 1)[0]}`);
    const { status, headers, body } = choose(answer, request.headers);
    response.writeHead(status, headers);
    bytes += body.length;
    await way.send(body, (piece) => response.write(piece));
    response.end();
  }

  const connections = new WeakSet();
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    const isNewConnection = !connections.has(request.socket);
    connections.add(request.socket);
    void serve(request, response, isNewConnection);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The upstream has no port.');

  return {
    origin: `http://127.0.0.1:${address.port}`,
    clients: CLIENTS,
    changeClient() {
      const name = `Changed ${++changes}`;
      const changed = { ...client(CHANGED_ID), name };
      clients[CHANGED_ID - 1] = changed;
      answers.set(CLIENTS_ROUTE, answerOf(JSON.stringify(clients)));
      answers.set(`GET /app/clients/${CHANGED_ID}.json`, answerOf(JSON.stringify(changed)));
      return name;
    },
    counts: () => ({ calls, bytes }),
    reset() {
      [calls, bytes] = [0, 0];
    },
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const NOTHING = Buffer.alloc(0);

/** The response to a request with these headers. Without an answer it is 404. */
function choose(answer: Answer | undefined, asked: IncomingMessage['headers']) {
  const type = { 'content-type': 'application/json; charset=utf-8' };
  if (!answer) return { status: 404, headers: type, body: Buffer.from('{"error":"not found"}') };
  const { plain, gzip, etag } = answer;
  const headers = { ...type, etag, 'cache-control': 'max-age=0, private, must-revalidate', vary: 'Accept-Encoding' };
  if (asked['if-none-match'] === etag) return { status: 304, headers, body: NOTHING };
  const packed = /\bgzip\b/.test(String(asked['accept-encoding'])) ? gzip : undefined;
  const encoding = packed ? { 'content-encoding': 'gzip' } : {};
  const body = packed ?? plain;
  return { status: 200, headers: { ...headers, ...encoding, 'content-length': body.length }, body };
}
