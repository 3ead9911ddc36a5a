import { createServer, type ServerOptions } from 'node:https';
import { portOf } from './stub-upstream.ts';

/** An upstream over TLS, until the test ends, which answers each request with one token. */
export async function tlsUpstream(options: ServerOptions) {
  const received: string[] = [];
  const server = createServer(options, (request, response) => {
    received.push(`${request.method} ${request.url}`);
    response.setHeader('content-type', 'application/json').end('[{"id":1}]');
  });
  return { url: `https://127.0.0.1:${await portOf(server)}`, received, server };
}
