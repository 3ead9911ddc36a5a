import { expect, test } from 'vitest';
import { UpstreamTimeoutError } from '../../src/errors.ts';
import { Departure } from '../../src/calls/transport/departure.ts';
import { Upstreams } from '../../src/apis/upstreams.ts';
import { dice } from '../support/dice.ts';
import { testConfig } from '../support/gateway.ts';
import { SimulatedTime, SimulatedUpstream } from './simulation.ts';

// Random writes with random deadlines and aborts, over few connections to an upstream that stalls, in simulated time.

const WRITES = 2_500;
/** Twice the rate that the upstream can process. */
const EVERY_MS = 25;

test.each([1, 2, 3])('a write is UNKNOWN only if it was sent, and REFUSED only if it was not: %i', async (seed) => {
  const { roll } = dice(seed);
  const time = new SimulatedTime();
  const upstream = new SimulatedUpstream(time, { workers: 4, ms: 200 }, () => '{"id":1}');
  const config = { CRM_URL: new URL('http://crm.test'), UPSTREAM_CONNECTIONS: 6, UPSTREAM_QUEUE: 50 };
  const upstreams = new Upstreams(testConfig(config));
  const sent = new Set<string>();
  upstream.onReceive = (body) => {
    const [name] = /write-\d+/.exec(String(body)) ?? [];
    if (name !== undefined) sent.add(name);
  };
  upstream.connectMs = () => (roll(4) === 0 ? 1 + roll(3_000) : 0);

  const told: { outcome: string; wasSent: boolean; isLate: boolean }[] = [];
  const write = async (number: number) => {
    const name = `write-${number}`;
    const gone = new Departure();
    const context = upstreams.context({
      headers: { 'x-crm-token': `token-${number % 5}` },
      address: '',
      timeoutMs: 50 + roll(8_000),
      setCookie: () => {},
      onSecret: () => {},
      gone,
      onLateWrite: () => {},
    });
    if (roll(10) === 0) time.at(time.now + roll(4_000), () => gone.happen());
    const error: unknown = await context.crm.createContact({ name }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    const isLate = error instanceof UpstreamTimeoutError;
    told.push({ outcome: context.writes.outcome, wasSent: sent.has(name), isLate });
  };
  const running: Promise<void>[] = [];
  for (let number = 0; number < WRITES; number += 1) time.at(number * EVERY_MS, () => void running.push(write(number)));
  for (let at = 3_000; at < WRITES * EVERY_MS; at += 9_000) {
    time.at(at, () => (upstream.trouble = 'stalls'));
    time.at(at + 1_000 + roll(5_000), () => upstream.recover());
  }
  await time.comes(WRITES * EVERY_MS + 60_000);
  await Promise.all(running);
  await upstreams.close();

  expect(told).toHaveLength(WRITES);
  const countOf = (outcome: string, wasSent: boolean) =>
    told.filter((each) => each.outcome === outcome && each.wasSent === wasSent).length;
  expect({
    unknown: countOf('UNKNOWN', false),
    refused: countOf('REFUSED', true),
    applied: countOf('APPLIED', false),
  }).toEqual({
    unknown: 0,
    refused: 0,
    applied: 0,
  });
  for (const outcome of ['UNKNOWN', 'APPLIED']) expect(countOf(outcome, true), outcome).toBeGreaterThan(20);
  expect(told.filter(({ wasSent, isLate }) => !wasSent && isLate).length).toBeGreaterThan(100);
});
