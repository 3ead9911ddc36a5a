// Sends batches to a collector that hangs, and collects garbage before their deadlines: `node --expose-gc`. Prints what became of them.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type ReadableSpan, TracerProvider } from '@opentelemetry/sdk-trace';
import { Collector } from '../../src/opentelemetry/collector.ts';

const TIMEOUT_MS = 300;

const server = createServer(() => {}).listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
const port = typeof address === 'object' ? address?.port : undefined;

let failed = 0;
let dropped = 0;
const collector = new Collector({
  url: new URL(`http://127.0.0.1:${port}/v1/traces`),
  headers: [],
  protocol: 'http/json',
  timeoutMs: TIMEOUT_MS,
  maxSpans: 4,
  onDrop: (spans, reason) => {
    if (reason.startsWith('it did not answer')) failed += spans;
    else dropped += spans;
  },
  onSuccess: () => {},
});

const spans: ReadableSpan[] = [];
const collecting = { onStart: () => {}, onEnd: (span: ReadableSpan) => void spans.push(span) };
const idle = { forceFlush: async () => {}, shutdown: async () => {} };
const tracer = new TracerProvider({ spanProcessors: [{ ...collecting, ...idle }] }).getTracer('probe');
const span = (): ReadableSpan => {
  tracer.startSpan('operation').end();
  const [ended] = spans.splice(0);
  if (!ended) throw new Error('The span has not ended.');
  return ended;
};

let held = 0;
for (let round = 0; round < 2; round++) {
  const batches = [];
  for (let each = 0; each < 14; each++) {
    if (!collector.hold()) continue;
    held = Math.max(held, batches.length + 1);
    batches.push(new Promise((resolve) => collector.export([span()], resolve)));
  }
  const collect = setInterval(() => void globalThis.gc?.(), 20);
  await Promise.all(batches);
  clearInterval(collect);
}

process.stdout.write(JSON.stringify({ failed, held, refused: dropped }));
await collector.shutdown();
server.closeAllConnections();
server.close();
