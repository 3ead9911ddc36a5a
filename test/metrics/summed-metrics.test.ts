import { expect, test } from 'vitest';
import { Metrics } from '../../src/metrics/metrics.ts';
import { SummedMetrics } from '../../src/metrics/summed-metrics.ts';
import { version } from '../../src/process/system.ts';
import { heldTimers } from '../support/deadlines.ts';
import { valuesIn } from './support.ts';

/** What a worker reports that has counted so many operations. */
async function reportAfter(operations: number) {
  const metrics = new Metrics();
  const none: never[] = [];
  metrics.readFrom({
    turns: { waiting: 1 },
    overload: { shed: operations },
    connections: { size: operations },
    upstreams: { figures: () => none },
    redis: { report: operations === 4 ? { redis: 'refusing', redisReason: 'NOPERM' } : { redis: 'ok' } },
    receipts: { current: async () => operations, begins: new Map([['NEW', operations]]) },
  });
  metrics.close();
  for (let count = 0; count < operations; count += 1) metrics.operations.refuse({ CODE: 1 });
  return metrics.report();
}

test('the figures of workers are summed up, and those of a worker that has ended stay counted', async () => {
  const summed = new SummedMetrics();
  const [first, second] = [await reportAfter(3), await reportAfter(4)];
  const one = summed.add(() => {
    one.receive(first);
    return true;
  });
  const two = summed.add(() => {
    two.receive(second);
    return true;
  });
  const figures = async () =>
    valuesIn(await summed.text(), [
      'trivium_operations_refused_total',
      'trivium_requests_',
      'trivium_connections',
      'trivium_worker',
      'trivium_build_info',
      'trivium_redis_available',
      'trivium_receipts',
    ]);
  const info = `trivium_build_info{version="${version()}",node="${process.version}"}`;

  expect(await figures()).toEqual({
    'trivium_operations_refused_total{code="CODE"}': 7,
    trivium_requests_waiting: 2,
    trivium_redis_available: 0,
    trivium_receipts: 4,
    'trivium_receipts_asked_total{state="new"}': 7,
    trivium_requests_shed_total: 7,
    trivium_connections: 7,
    trivium_workers: 2,
    trivium_worker_ends_total: 0,
    [info]: 1,
  });

  one.end();
  expect(await figures()).toEqual({
    'trivium_operations_refused_total{code="CODE"}': 7,
    trivium_requests_waiting: 1,
    trivium_redis_available: 0,
    trivium_receipts: 4,
    'trivium_receipts_asked_total{state="new"}': 7,
    trivium_requests_shed_total: 7,
    trivium_connections: 4,
    trivium_workers: 1,
    trivium_worker_ends_total: 1,
    [info]: 1,
  });

  two.end();
  expect(await figures()).toEqual({
    'trivium_operations_refused_total{code="CODE"}': 7,
    'trivium_receipts_asked_total{state="new"}': 7,
    trivium_requests_shed_total: 7,
    trivium_workers: 0,
    trivium_worker_ends_total: 2,
  });
});

test('a worker that cannot be asked, or does not answer, is summed up with its last report', async () => {
  const summed = new SummedMetrics();
  const report = await reportAfter(3);
  summed.add(() => false).receive(report);
  summed.add(() => true).receive(report); // it hangs: a second is waited for it
  const { open, come } = heldTimers((_reach, ms) => ms === 1_000);
  const text = summed.text();
  expect(open()).toBe(1);
  come(1_000);
  expect(valuesIn(await text, ['trivium_requests_shed_total'])).toEqual({ trivium_requests_shed_total: 6 });
});

test('the names of operations of workers that have ended are bounded, and no operation is lost', async () => {
  const summed = new SummedMetrics();
  for (let worker = 0; worker < 22; worker += 1) {
    const values = Array.from({ length: 50 }, (_none, number) => ({
      labels: { operation: `Name${worker}of${number}`, type: 'query', outcome: 'ok' },
      value: 1,
    }));
    const ending = summed.add(() => true);
    ending.receive([{ name: 'trivium_operations_total', help: 'x', type: 'counter', aggregator: 'sum', values }]);
    ending.end();
  }
  const counted = valuesIn(await summed.text(), ['trivium_operations_total']);
  expect(Object.keys(counted)).toHaveLength(1_001);
  expect(counted['trivium_operations_total{operation="other",type="query",outcome="ok"}']).toBe(100);
});
