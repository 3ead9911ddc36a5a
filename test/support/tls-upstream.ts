import { createServer, type ServerOptions } from 'node:https';
import { onTestFinished } from 'vitest';

/** An upstream over TLS, until the test ends, which answers each request with one token. */
export async function tlsUpstream(options: ServerOptions) {
  const received: string[] = [];
  const server = createServer(options, (request, response) => {
    received.push(`${request.method} ${request.url}`);
    response.setHeader('content-type', 'application/json').end('[{"id":1}]');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { url: `https://127.0.0.1:${port}`, received, server };
}
