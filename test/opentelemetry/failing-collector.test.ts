import type { RequestListener, ServerResponse } from 'node:http';
import { setImmediate as nextTick } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Tracer } from '@opentelemetry/api';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startTracing } from '../../src/observe/opentelemetry/start.ts';
import { createLog } from '../../src/observe/log.ts';
import { testConfig } from '../support/gateway.ts';
import { testCollector } from './collector.ts';
import { setVariables, tracedBy } from './support.ts';

// A collector that fails costs spans, never memory. Sockets are real.

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

async function collected(): Promise<void> {
  for (let time = 0; time < 3; time++) {
    await nextTick(); // results of promises are released
    if (typeof collectGarbage === 'function') collectGarbage();
  }
}

const MAX_SPANS = 2_048;

/** Tracing with its log, and a count of its spans that are in memory. */
async function traced(url: string) {
  const tracers: Tracer[] = [];
  const getTracer = vi.spyOn(TracerProvider.prototype, 'getTracer');
  const lines: Record<string, unknown>[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) });
  setVariables({ OTEL_EXPORTER_OTLP_TIMEOUT: '50' }); // that of a socket is not simulated
  const tracing = await startTracing(testConfig({ ...tracedBy({ url }), OTEL_BSP_SCHEDULE_DELAY: 5_000 }), {}, log);
  tracers.push(...getTracer.mock.results.map(({ value }) => value));
  getTracer.mockRestore();
  onTestFinished(() => tracing?.shutdown(0));
  const spans: WeakRef<object>[] = [];
  const sum = () => lines.reduce((total, { dropped }) => total + Number(dropped ?? 0), 0);
  return {
    lines,
    close: async () => tracing?.shutdown(0),
    /** The number of dropped spans that the log has. */
    logged: sum,
    /** Starts and ends spans. */
    run: (count: number) => {
      for (const tracer of tracers) {
        for (let index = 0; index < count; index++) {
          const span = tracer.startSpan('query');
          span.end();
          spans.push(new WeakRef(span));
        }
      }
    },
    ended: () => spans.length,
    /** The number of spans that are in memory. */
    held: async () => {
      await collected();
      return spans.filter((span) => span.deref() !== undefined).length;
    },
  };
}

/** Simulates timers and clocks until the test ends. */
function simulatedTime() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  return async (seconds: number, each: () => void = () => {}) => {
    for (let second = 0; second < seconds; second++) {
      each();
      vi.advanceTimersByTime(1_000);
      await nextTick();
    }
  };
}

/** A collector that behaves like this until it is repaired. */
async function failing(answer: RequestListener) {
  let isRepaired = false;
  const open = new Set<ServerResponse>();
  const collector = await testCollector((request, response) => {
    open.add(response);
    if (isRepaired) response.end();
    else answer(request, response);
  });
  const repair = () => {
    isRepaired = true;
    for (const response of open) response.destroy();
  };
  return { ...collector, repair };
}

const drips: RequestListener = (_request, response) => {
  const drip = setInterval(() => response.write(' '), 500);
  response.once('close', () => clearInterval(drip));
};

test.each([
  ['hangs', 60, 60, () => {}],
  ['answers late', 60, 60, (_request, response) => void setTimeout(() => response.end(), 45_000)],
  ['sends a body without an end', 10, 60, drips],
  ['answers 503', 10, 60, (_request, response) => void response.writeHead(503, { 'retry-after': '0' }).end()],
] satisfies [string, number, number, RequestListener][])(
  'a collector that %s for %d minutes, with %d spans per second, holds no more than the queue has',
  async (_name, minutes, rate, answer) => {
    const collector = await failing(answer);
    const { run, held, ended, lines, logged, close } = await traced(collector.url);
    const pass = simulatedTime();

    await pass(minutes * 60, () => run(rate));

    expect(ended()).toBe(minutes * 60 * rate);
    expect(await held()).toBeLessThanOrEqual(MAX_SPANS);
    expect(lines.length).toBeGreaterThanOrEqual(minutes / 2);
    expect(logged()).toBeGreaterThan(0);
    expect(lines.length).toBeLessThanOrEqual(2 * (minutes + 1)); // those by which it works again included

    collector.repair();
    await pass(600);
    await expect.poll(held).toBe(0);
    const before = logged();
    run(10);
    await pass(60);
    await expect.poll(held).toBe(0);
    vi.useRealTimers();
    await close();
    expect(logged()).toBe(before);
  },
);
