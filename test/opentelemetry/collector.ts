import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished } from 'vitest';
import { readBatch, type ReceivedSpan } from './protobuf.ts';

export interface TestCollector {
  readonly url: string;
  /** Each request: its path, its headers and its body. */
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: Buffer }[];
  /** All spans so far. */
  spans(): ReceivedSpan[];
  /** The attributes of the processes that sent them. */
  resources(): ReadonlyMap<string, unknown>[];
  /** Waits for so many spans. */
  received(count: number): Promise<ReceivedSpan[]>;
}

/** A collector of OTLP over HTTP, until the test ends. By default it takes all spans. @param tls serves HTTPS */
export async function testCollector(
  answer: RequestListener = (_request, response) => void response.end(),
  tls?: ServerOptions,
): Promise<TestCollector> {
  const requests: { path: string; headers: IncomingHttpHeaders; body: Buffer }[] = [];
  const take: RequestListener = async (request, response) => {
    requests.push({ path: request.url ?? '', headers: request.headers, body: await buffer(request) });
    answer(request, response);
  };
  const server = tls ? createSecureServer(tls, take) : createServer(take);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const batches = () => requests.flatMap(({ body }) => readBatch(body));
  const spans = () => batches().flatMap((each) => each.spans);
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${portOf(server.address())}`,
    requests,
    spans,
    resources: () => batches().map(({ resource }) => resource),
    received: async (count) => {
      await expect.poll(() => spans().length).toBeGreaterThanOrEqual(count);
      return spans();
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The collector has no port.');
  return address.port;
}
