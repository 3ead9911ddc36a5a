import { afterAll, beforeAll, expect, test } from 'vitest';
import { measure } from '../../bench/driver/measure.ts';
import { readOptions } from '../../bench/driver/options.ts';
import { type RunningTarget, startTarget } from '../../bench/driver/target.ts';
import { startUpstream, type Upstream } from '../../bench/driver/upstream.ts';
import { FLOOR, TRIVIUM } from '../../bench/targets.ts';

let upstream: Upstream;
let floor: RunningTarget;

beforeAll(async () => {
  upstream = await startUpstream({ clients: 50 });
  floor = await startTarget(FLOOR, upstream);
});

afterAll(async () => {
  await floor.stop();
  await upstream.stop();
});

test('a window tells the speed, and the upstream calls of one operation', async () => {
  const figures = await measure(floor, upstream, {
    workload: 'W7',
    connections: 1,
    seconds: 0.05,
    warmUpSeconds: 0.01,
  });

  expect(figures.rps).toBeGreaterThan(0);
  expect(figures.p99Ms).toBeGreaterThanOrEqual(figures.p50Ms);
  // Four lists, the posts, and the clients of 20 of them.
  expect(figures.calls).toBe(25);
});

test('a wrong answer is not timed', async () => {
  const { query } = floor.workload('W2');
  const check = () => floor.workload('W5').check({ forumPosts: [] });
  const wrong = { ...floor, workload: () => ({ query, check }) };

  await expect(measure(wrong, upstream, { workload: 'W2', seconds: 0.05 })).rejects.toThrow('has not 100 entries');
});

test('a target that does not start tells what it printed', async () => {
  const broken = { ...FLOOR, args: ['-e', 'console.error("no such gateway"); process.exit(3)'] };

  await expect(startTarget(broken, upstream)).rejects.toThrow('no such gateway');
});

test('a choice of targets, of workloads or of latency measures the table alone and saves nothing', () => {
  const chosen = readOptions(['--targets', 'floor', '--workloads', 'W1,W2', '--latency', '20']);

  expect(chosen).toMatchObject({ targets: [FLOOR], workloads: ['W1', 'W2'], latencyMs: 20, saved: false });
  expect(chosen.parts).toEqual(['table']);
  expect(readOptions([])).toMatchObject({ rounds: 3, seconds: 4, latencyMs: 0, saved: true });
});

test('--wan measures one user over one network alone, and saves nothing', () => {
  const chosen = readOptions(['--wan', '--targets', 'trivium', '--rtt', '5', '--mbit', '1000', '--rounds', '1']);

  expect(chosen).toMatchObject({ targets: [TRIVIUM], parts: ['wan'], rounds: 1, saved: false });
  expect(chosen.links).toEqual([{ rttMs: 5, mbit: 1000 }]);
  const { links, targets, rounds } = readOptions(['--wan']);
  expect({ links, rounds }).toEqual({ links: [{ rttMs: 40, mbit: 50 }], rounds: 3 });
  expect(targets.map(({ name }) => name)).toEqual(['trivium', 'mercurius', 'apollo']);
});

test.each([
  [['--targets', 'nobody'], '--targets knows no nobody'],
  [['--workloads', 'W9'], '--workloads knows no W9'],
  [['--parts', 'lists', '--targets', 'floor'], '--parts goes with none of'],
  [['--seconds', 'long'], '--seconds is a number above zero'],
  [['--rtt', '5'], '--rtt and --mbit go with --wan'],
  [['--wan', '--workloads', 'W1'], '--workloads does not go with --wan'],
  [['--wan', '--targets', 'floor'], '--targets knows no floor'],
  [['--wan', '--mbit', '0'], '--mbit is a number above zero'],
  [['--what'], "Unknown option '--what'"],
])('%j is refused', (args, message) => {
  expect(() => readOptions(args)).toThrow(message);
});
