import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { version } from '../../src/system.ts';
import { gatewayOver } from '../support/gateway.ts';
import { sendRaw } from '../server/wire.ts';
import { DEAD_ADDRESS } from '../support/stub-upstream.ts';
import { METERED, served } from './support.ts';

test('the process is measured: its event loop, CPU and memory', async () => {
  const { values } = await served(await gatewayOver(DEAD_ADDRESS, METERED));
  const measured = await values('trivium_event_loop', 'process_', 'nodejs_', 'trivium_build_info');

  expect(measured[`trivium_build_info{version="${version()}",node="${process.version}"}`]).toBe(1);
  expect(measured['process_start_time_seconds']).toBe(performance.timeOrigin / 1000);
  expect(measured['process_resident_memory_bytes']).toBeGreaterThan(
    measured['nodejs_heap_size_used_bytes'] ?? Infinity,
  );
  expect(measured['nodejs_heap_size_used_bytes']).toBeGreaterThan(2 ** 20);
  expect(measured['nodejs_external_memory_bytes']).toBeGreaterThan(2 ** 10);
  expect(measured['process_cpu_seconds_total']).toBeGreaterThan(0);
  expect(measured['trivium_event_loop_busy_seconds_total']).toBeGreaterThan(0);
});

test('the lag of the event loop, in real time, is that since the last scrape', async () => {
  const { values } = await served(await gatewayOver(DEAD_ADDRESS, METERED));
  const max = 'trivium_event_loop_lag_seconds{stat="max"}';
  const lag = async () => (await values(max))[max] ?? Number.NaN;
  const block = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
  await expect
    .poll(async () => {
      block();
      return lag();
    })
    .toBeGreaterThan(0.1); // a lag is that between two measurements
  await expect.poll(lag).toBeLessThan(0.1); // a busy machine may add a lag of its own
});

test('only GET /metrics is served, in the format of Prometheus', async () => {
  const { url } = await served(await gatewayOver(DEAD_ADDRESS, METERED));
  const found = await fetch(`${url}?x=1`);
  expect(found.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(await found.text()).toMatch(/^# HELP trivium_operations_total .*\n# TYPE trivium_operations_total counter\n/);
  for (const response of [await fetch(new URL('/', url)), await fetch(url, { method: 'POST' })]) {
    expect(response.status).toBe(404);
    expect(await response.text()).toBe('The metrics are at /metrics.\n');
  }
});

test('scrapes at the same time get one text', async () => {
  let reads = 0;
  const read = async () => {
    reads += 1;
    await setImmediate();
    return `# ${reads}\n`;
  };
  const { url } = await served({ metrics: read });
  const get = 'GET /metrics HTTP/1.1\r\nHost: localhost\r\n';
  const texts = await sendRaw(url, [`${get}\r\n`.repeat(9) + get.trimEnd(), 'Connection: close']);
  expect(texts.match(/^# 1$/gm)).toHaveLength(10);
  expect(await (await fetch(url)).text()).toBe('# 2\n');
});

test('a figure that is not kept has no value', async () => {
  const { values } = await served(await gatewayOver(DEAD_ADDRESS, METERED));
  expect(await values('trivium_redis_available')).toEqual({});
});

test('without METRICS_PORT nothing is measured', async () => {
  const { metrics } = await gatewayOver(DEAD_ADDRESS);
  expect(await metrics()).toBe('');
});
