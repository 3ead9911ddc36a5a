import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { jsonBodyFormat, maxBodyBytes } from './body.ts';
import type { CallLog } from './call-log.ts';
import type { Control } from './control/control.ts';
import type { Fault } from './control/faults.ts';
import { empty, HttpError, type HttpResponse, json } from './responses.ts';
import type { Router } from './router.ts';
import type { Store } from './store.ts';

/** A running HTTP server: one origin, for one API or several. */
export interface HttpServer {
  /** Base address without a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** Dependencies of the request handler. */
interface ServerOptions {
  readonly router: Router;
  readonly store: Store;
  readonly log: CallLog;
  /** The fault that a request to an endpoint meets. Default: none. */
  readonly faultAt?: (endpoint: string) => Fault | undefined;
  /** Answers the requests that are for the sandbox itself. Default: there are none. */
  readonly control?: Control;
}

/** An answer to send. */
interface Answer {
  /** Null cuts the connection. */
  readonly response: HttpResponse | null;
  readonly delayMs: number;
  /** Where the response is cut. Default: it is sent as a whole. */
  readonly cutAt?: Fault['applyThenCut'] | undefined;
}

/** A request without its body. */
interface Head {
  readonly method: string;
  readonly path: string;
  /** The text after the question mark. */
  readonly search: string;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly address: string;
}

/**
 * Starts an HTTP server. Each request is one transaction: an error response rolls it back, any other
 * response is sent after the commit.
 *
 * @param port 0 takes a free port
 * @throws Error with code EADDRINUSE when the port is taken
 */
export async function startHttpServer(options: ServerOptions, host: string, port: number): Promise<HttpServer> {
  const { control } = options;
  const server = createServer((incoming, outgoing) => {
    const head = headOf(incoming);
    const { method, path, headers } = head;
    const answer = control?.handles(method, path, headers)
      ? readBody(incoming, control.maxBodyBytes).then((body) => ({
          response: responseOrError(() => control.respond({ method, path, headers, body })),
          delayMs: 0,
        }))
      : readBody(incoming, maxBodyBytes).then((body) => handleRequest(options, head, body));
    answer.then(
      (answer) => sendAnswer(outgoing, answer),
      () => outgoing.destroy(), // the caller went away in the middle of its body
    );
  });
  server.listen(port, host);
  await once(server, 'listening');

  const address = server.address();
  const bound = address !== null && typeof address === 'object' ? address.port : port;
  return {
    url: `http://${nameOf(host)}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The host of an address to open. An address to listen on may stand for all addresses of the machine: it is none to call. */
function nameOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function headOf({ method = '', url = '', headers, socket }: IncomingMessage): Head {
  const [, path = '', search = ''] = /^([^?]*)(?:\?(.*))?$/s.exec(url) ?? [];
  return {
    method,
    path,
    search,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    address: socket.remoteAddress ?? '',
  };
}

/** Handles one request and logs it with the status of its response. */
function handleRequest(
  { router, store, log, faultAt }: ServerOptions,
  { method, path, search, headers, address }: Head,
  source: Uint8Array | null,
): Answer {
  const query = Object.fromEntries(new URLSearchParams(search));
  const met: { route: string | null; body: unknown; fault?: Fault | undefined } = { route: null, body: null };

  const response = responseOrError(() => {
    const match = router.match(method, path, query);
    met.route = match.path;
    met.fault = faultAt?.(`${match.method} ${match.path}`);
    if (met.fault?.cut) return empty();
    if (met.fault?.status !== undefined) return faultResponse(met.fault.status, match.bodyFormat === jsonBodyFormat);
    const full = responseOrError(() => {
      match.authenticate({ headers });
      if (source === null || source.length > match.bodyFormat.maxBytes) throw match.bodyFormat.payloadTooLarge();
      const sent = match.bodyFormat.parse(source, headers);
      met.body = sent ?? null;
      return store.transaction(() => match.handle({ params: match.params, query, headers, address, body: sent }));
    });
    return match.transform(match, full);
  });
  const { route, body, fault } = met;
  const status = fault?.cut ? null : response.status;
  log.add({ method, route, path, query, headers, body, status, ...(fault && { fault: true }) });
  return { response: fault?.cut ? null : response, delayMs: fault?.delayMs ?? 0, cutAt: fault?.applyThenCut };
}

/** The response of a fault. No document tells what its body is. */
function faultResponse(status: number, isJson: boolean): HttpResponse {
  if (isJson) return json({ error: 'fault' }, status);
  return { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: 'fault' };
}

function responseOrError(handle: () => HttpResponse): HttpResponse {
  try {
    return handle();
  } catch (error) {
    if (error instanceof HttpError) return error.response;
    console.error(error);
    return json({ error: 'internal' }, 500);
  }
}

/** Reads a body. A body that is too large is read to its end, so that the caller gets a response, and is returned as null. */
async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // No encoding is set, so the chunks are bytes.
  const bytes: AsyncIterable<Uint8Array> = incoming;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
  }
  return size <= maxBytes ? Buffer.concat(chunks) : null;
}

function sendAnswer(outgoing: ServerResponse, { response, delayMs, cutAt }: Answer): void {
  const send = () => {
    if (!response || cutAt === 'before-status') outgoing.destroy();
    else if (cutAt === 'mid-body') sendHalf(outgoing, response);
    else sendResponse(outgoing, response);
  };
  if (delayMs === 0) return send();
  const timer = setTimeout(send, delayMs);
  outgoing.once('close', () => clearTimeout(timer)); // the caller went away, or the sandbox is closed
}

/**
 * Sends the head and the first half of the body, then cuts the connection. The head has the length of the whole body. A
 * response without a body is cut before its status: its head would be the whole of it.
 */
function sendHalf(outgoing: ServerResponse, { status, headers, body }: HttpResponse): void {
  const bytes = Buffer.from(body);
  if (bytes.length === 0) return void outgoing.destroy();
  outgoing
    .writeHead(status, { ...headers, 'Content-Length': bytes.length })
    .write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => outgoing.destroy());
}

function sendResponse(outgoing: ServerResponse, { status, headers, body }: HttpResponse): void {
  outgoing
    .writeHead(status, { ...headers, ...(body !== '' && { 'Content-Length': Buffer.byteLength(body) }) })
    .end(body);
}
