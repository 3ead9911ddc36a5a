// For the examples: a proxy between an app and the gateway, which cuts connections.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** Before the gateway gets the request; or after it has answered: before the status, or in the middle of the body. */
export type Cut = 'before-request' | 'before-status' | 'mid-body';

export interface CuttingProxy {
  /** Stands for the address of the gateway's endpoint. */
  readonly url: string;
  /** The `Idempotency-Key` of each request so far, those that were cut too. */
  readonly keys: readonly (string | undefined)[];
  /** The headers of each request so far. */
  readonly requests: readonly Headers[];
  /** The next requests are cut, one each, in this order. One that is undefined is not. */
  cutNext(...cuts: readonly (Cut | undefined)[]): void;
  close(): Promise<void>;
}

/**
 * Starts a proxy on a free port; to be closed by whoever started it.
 *
 * @param isKeyed whether the gateway gets the header `Idempotency-Key`
 */
export async function startCuttingProxy(endpoint: string, isKeyed = true): Promise<CuttingProxy> {
  const keys: (string | undefined)[] = [];
  const requests: Headers[] = [];
  const waiting: (Cut | undefined)[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const headers = new Headers();
    for (const [name, value] of Object.entries(incoming.headersDistinct)) {
      if (!['host', 'connection', 'content-length', 'transfer-encoding'].includes(name))
        headers.set(name, value?.join(', ') ?? '');
    }
    requests.push(headers);
    keys.push(headers.get('idempotency-key') ?? undefined);
    if (!isKeyed) headers.delete('idempotency-key');
    const body = await buffer(incoming);
    const cut = waiting.shift();
    if (cut === 'before-request') return void outgoing.destroy();
    try {
      const answer = await fetch(endpoint, { method: 'POST', headers, body });
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (cut === 'before-status') return void outgoing.destroy();
      outgoing.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? '',
        'content-length': bytes.length,
      });
      if (cut === undefined) outgoing.end(bytes);
      else outgoing.write(bytes.subarray(0, bytes.length / 2), () => outgoing.destroy());
    } catch {
      outgoing.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    keys,
    requests,
    cutNext: (...cuts) => void waiting.push(...cuts),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
