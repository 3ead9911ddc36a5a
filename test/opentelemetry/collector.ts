import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';

const value = z.union([
  z.object({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
  z.object({ intValue: z.union([z.number(), z.string()]) }).transform(({ intValue }) => Number(intValue)),
  z.object({ doubleValue: z.number() }).transform(({ doubleValue }) => doubleValue),
]);

const attributes = z
  .array(z.object({ key: z.string(), value }))
  .transform((list) => new Map(list.map(({ key, value }) => [key, value])));

const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT'];

const span = z
  .object({
    traceId: z.string(),
    spanId: z.string(),
    parentSpanId: z.string().optional(),
    traceState: z.string().optional(),
    name: z.string(),
    kind: z.number().transform((kind) => KINDS[kind]),
    startTimeUnixNano: z.string().transform(Number),
    endTimeUnixNano: z.string().transform(Number),
    attributes,
    status: z.object({ code: z.number(), message: z.string().optional() }),
  })
  .loose();

const batch = z.object({
  resourceSpans: z.array(
    z.object({ resource: z.object({ attributes }), scopeSpans: z.array(z.object({ spans: z.array(span) })) }),
  ),
});

export type ReceivedSpan = z.output<typeof span>;

export interface TestCollector {
  readonly url: string;
  /** Each request: its path, its headers and its body. */
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[];
  /** All spans so far, sent as JSON. */
  spans(): ReceivedSpan[];
  /** The attributes of the processes that sent them. */
  resources(): ReadonlyMap<string, unknown>[];
  /** Waits for so many spans. */
  received(count: number): Promise<ReceivedSpan[]>;
}

/** A collector of OTLP over HTTP, until the test ends. By default it takes all spans. */
export async function testCollector(
  answer: RequestListener = (_request, response) => void response.end('{}'),
): Promise<TestCollector> {
  const requests: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (request, response) => {
    requests.push({ path: request.url ?? '', headers: request.headers, body: await text(request) });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const batches = () =>
    requests
      .filter(({ headers }) => headers['content-type'] === 'application/json')
      .flatMap(({ body }) => batch.parse(JSON.parse(body)).resourceSpans);
  const spans = () => batches().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    requests,
    spans,
    resources: () => batches().map(({ resource }) => resource.attributes),
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
