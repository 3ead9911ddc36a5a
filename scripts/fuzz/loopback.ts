import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as it arrived. */
export interface Arrived {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** A server on a free port of the loopback. */
export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a server whose answers are bytes on the bare socket: HTTP forbids some of them. */
export async function listen(answer: (request: Arrived, socket: Socket) => void): Promise<Listening> {
  const server = createServer({ insecureHTTPParser: true, keepAliveTimeout: 0 }, (request) => {
    const { method = '', url = '', headers, rawHeaders, socket } = request;
    text(request).then(
      (body) => answer({ method, url, headers, rawHeaders, body }, socket),
      () => socket.destroy(),
    );
  });
  server.on('connection', (socket) => socket.on('error', () => {})); // the gateway may hang up at any time
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
