import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { DEAD_ADDRESS } from '../support/stub-upstream.ts';
import { tlsUpstream } from '../support/tls-upstream.ts';
import { type TestCollector, testCollector } from './collector.ts';
import { overCrm, setVariables, tracedBy } from './support.ts';

// A collector that is away, slow or hostile delays no operation and no shutdown, and takes no memory.

const DROPPED = 'the collector takes no spans: they are dropped';

async function over(collector: Pick<TestCollector, 'url'>, settings: Partial<Config> = {}) {
  const { execute, logs, close } = await overCrm(tracedBy(collector, settings));
  return {
    close,
    /** Runs one operation. */
    run: async () => {
      const { data } = await execute('{ __typename }');
      expect(data).toEqual({ __typename: 'Query' });
    },
    /** The lines about the collector. */
    lines: () => logs.map((line) => JSON.parse(line)).filter(({ msg }) => String(msg).includes('collector')),
  };
}

const hangs: RequestListener = () => {};

test('the shutdown sends the spans that wait', async () => {
  const collector = await testCollector();
  const { run, close } = await over(collector, { OTEL_BSP_SCHEDULE_DELAY: 60_000 });
  await run();
  expect(collector.requests).toEqual([]);

  await close();

  expect(collector.spans()).toHaveLength(1);
});

test.each([
  ['is away', DEAD_ADDRESS, 'ECONNREFUSED'],
  ['has no known host', `http://${'x'.repeat(64)}.invalid`, 'ENOTFOUND'],
])(
  'a collector that %s is logged once a minute, with the number of spans that were dropped',
  async (_name, url, reason) => {
    setVariables({ OTEL_EXPORTER_OTLP_TIMEOUT: '700' });
    const { run, close, lines } = await over({ url });
    for (let batch = 0; batch < 3; batch += 1) {
      await run();
      await expect.poll(() => lines()).toHaveLength(1);
    }

    await close();

    expect(lines()).toMatchObject([
      { level: 40, msg: DROPPED, reason, dropped: 1 },
      { level: 40, msg: DROPPED, reason, dropped: 2 }, // at the end
    ]);
  },
);

test('a collector that shares no cipher with us is logged with the code of the failure', async () => {
  const { url } = await tlsUpstream({ ciphers: 'PSK', maxVersion: 'TLSv1.2' });
  const { run, close, lines } = await over({ url });
  await run();

  await close();

  expect(lines()).toMatchObject([{ msg: DROPPED, reason: 'EPROTO' }]);
});

test.each([
  ['answers 500', (_request, response) => void response.writeHead(500).end('canary'), 'it answers 500'],
  [
    'redirects',
    (_request, response) => void response.writeHead(307, { location: '/elsewhere' }).end(),
    'it answers 307',
  ],
] satisfies [string, RequestListener, string][])(
  'a collector that %s is asked once for each batch',
  async (_name, answer, reason) => {
    const collector = await testCollector(answer);
    const { run, lines } = await over(collector);
    for (const batches of [1, 2, 3]) {
      await run();
      await expect.poll(() => collector.requests.length).toBe(batches);
    }

    await expect.poll(() => lines()).toEqual([expect.objectContaining({ msg: DROPPED, reason })]);
    expect(collector.requests.map(({ path }) => path)).toEqual(['/v1/traces', '/v1/traces', '/v1/traces']);
    expect(JSON.stringify(lines())).not.toContain('canary');
  },
);

test('a collector that is busy is asked again', async () => {
  const collector = await testCollector((_request, response) => {
    if (collector.requests.length > 2) response.end();
    else response.writeHead(503, { 'retry-after': '0' }).end();
  });
  const { run, lines } = await over(collector);

  await run();

  await expect.poll(() => collector.requests.length).toBe(3);
  expect(new Set(collector.requests.map(({ body }) => body.toString('latin1'))).size).toBe(1);
  expect(lines()).toEqual([]);
});

test('a collector that works again is logged', async () => {
  const collector = await testCollector((_request, response) => {
    response.writeHead(collector.requests.length === 1 ? 500 : 200).end();
  });
  const { run, lines } = await over(collector);

  await run();
  await expect.poll(() => lines()).toHaveLength(1);
  await run();

  await expect.poll(() => lines()).toHaveLength(2);
  expect(lines()[1]).toMatchObject({ level: 30, msg: 'the collector takes spans again' });
});

test('a collector that hangs delays neither operations nor the shutdown', async () => {
  const collector = await testCollector(hangs);
  setVariables({ OTEL_EXPORTER_OTLP_TIMEOUT: '600000' });
  const { run, close, lines } = await over(collector, { SHUTDOWN_TIMEOUT_MS: 400 });
  await run();
  await expect.poll(() => collector.requests.length).toBe(1);

  await run();
  await close(); // an export would end after ten minutes

  expect(lines()).toMatchObject([{ msg: DROPPED, dropped: 2 }]);
});

test('of an endless answer 4 MB are read', async () => {
  let sent = 0;
  let cut: Promise<unknown> | undefined;
  const collector = await testCollector((_request, response) => {
    cut ??= once(response, 'close');
    const chunk = Buffer.alloc(64 * 1024);
    const write = () => {
      while (!response.destroyed && response.write(chunk)) sent += chunk.length;
    };
    response.on('drain', write);
    write();
  });
  const { run, lines } = await over(collector);

  await run();

  await expect.poll(() => cut).toBeDefined();
  await cut;
  expect(sent).toBeLessThan(32 * 1024 ** 2); // what the system holds included
  await expect.poll(lines).toHaveLength(1);
});

test('spans beyond the queue, those under way included, are dropped and counted', async () => {
  const collector = await testCollector(hangs);
  const settings = {
    OTEL_BSP_MAX_QUEUE_SIZE: 4,
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: 2,
    OTEL_BSP_SCHEDULE_DELAY: 60_000,
    SHUTDOWN_TIMEOUT_MS: 300,
  };
  const { run, close, lines } = await over(collector, settings);
  for (let operations = 0; operations < 12; operations += 1) await run();

  await close();

  expect(collector.spans()).toHaveLength(4);
  expect(lines().reduce((sum, { dropped }) => sum + dropped, 0)).toBe(12);
});

test('tracing goes on when a collector that has hung is back, after each of its batches has ended', async () => {
  let isBack = false;
  let taken = 0;
  const collector = await testCollector((_request, response) => {
    if (!isBack) return;
    taken += 1;
    response.end();
  });
  setVariables({ OTEL_EXPORTER_OTLP_TIMEOUT: '200' });
  const settings = { OTEL_BSP_MAX_QUEUE_SIZE: 2, OTEL_BSP_MAX_EXPORT_BATCH_SIZE: 1 };
  const { run, lines } = await over(collector, settings);
  for (let operations = 0; operations < 9; operations += 1) await run();
  await expect.poll(() => lines().length).toBeGreaterThan(0);
  isBack = true;

  await expect
    .poll(async () => {
      await run();
      return taken;
    })
    .toBeGreaterThan(2); // more than fit beside batches that never end
});
