import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { maxBodyBytes } from './body.ts';
import type { CallLog } from './call-log.ts';
import { HttpError, type HttpResponse, json } from './responses.ts';
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
}

/**
 * Starts an HTTP server. Each request is one transaction: an error response rolls it back, any other
 * response is sent after the commit.
 *
 * @param port 0 takes a free port
 * @throws Error with code EADDRINUSE when the port is taken
 */
export async function startHttpServer(options: ServerOptions, host: string, port: number): Promise<HttpServer> {
  const server = createServer((incoming, outgoing) => {
    readBody(incoming).then(
      (body) => sendResponse(outgoing, handleRequest(options, incoming, body)),
      () => outgoing.destroy(), // the caller went away in the middle of its body
    );
  });
  server.listen(port, host);
  await once(server, 'listening');

  const address = server.address();
  const bound = address !== null && typeof address === 'object' ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Handles one request and logs it with the status of its response. */
function handleRequest(
  { router, store, log }: ServerOptions,
  incoming: IncomingMessage,
  source: Uint8Array | null,
): HttpResponse {
  const { method = '', url = '' } = incoming;
  const [, path = '', search = ''] = /^([^?]*)(?:\?(.*))?$/s.exec(url) ?? [];
  const query = Object.fromEntries(new URLSearchParams(search));
  const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
  let route: string | null = null;
  let body: unknown = null;

  const response = responseOrError(() => {
    const match = router.match(method, path, query);
    route = match.path;
    const full = responseOrError(() => {
      match.authenticate({ headers });
      if (source === null || source.length > match.bodyFormat.maxBytes) throw match.bodyFormat.payloadTooLarge();
      const sent = match.bodyFormat.parse(source, headers);
      body = sent ?? null;
      const address = incoming.socket.remoteAddress ?? '';
      return store.transaction(() => match.handle({ params: match.params, query, headers, address, body: sent }));
    });
    return match.transform(match, full);
  });
  log.add({ method, route, path, query, headers, body, status: response.status });
  return response;
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
async function readBody(incoming: IncomingMessage): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // No encoding is set, so the chunks are bytes.
  const bytes: AsyncIterable<Uint8Array> = incoming;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size <= maxBodyBytes) chunks.push(chunk);
  }
  return size <= maxBodyBytes ? Buffer.concat(chunks) : null;
}

function sendResponse(outgoing: ServerResponse, { status, headers, body }: HttpResponse): void {
  outgoing
    .writeHead(status, { ...headers, ...(body !== '' && { 'Content-Length': Buffer.byteLength(body) }) })
    .end(body);
}
