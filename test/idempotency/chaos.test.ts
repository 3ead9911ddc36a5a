import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { type FaultProxyOptions, startFaultProxy } from '../../scripts/chaos/writes/fault-proxy.ts';
import { type Caller, carryOutAll, intentsFor } from '../../scripts/chaos/writes/intents.ts';
import { Carried, judge, tallyOf } from '../../scripts/chaos/writes/verdict.ts';
import { dice } from '../support/dice.ts';
import { gatewayOver, settingsFor } from '../support/gateway.ts';
import { freshSandbox } from '../support/sandbox.ts';

// A small share of the part `writes` of `npm run chaos`: one process, a caller that uses fetch, and neither Redis nor an end of the
// gateway. Of four requests one is cut, between the caller and the gateway and between the gateway and upstream.

const TOKEN = 'demo-admin';
const COUNT = { creations: 20, updates: 20 };
const TARGETS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/** Each takes two seconds on an idle machine. */

async function trial(seed: number, { keyed }: { keyed: boolean }) {
  const { roll } = dice(seed);
  const { sandbox } = await freshSandbox({ demo: true });
  const cutting = async (options: Pick<FaultProxyOptions, 'ports' | 'without'>) => {
    const proxy = await startFaultProxy({ ...options, roll, oneOf: 4 });
    onTestFinished(() => proxy.close());
    return proxy;
  };
  const upstream = await cutting({ ports: () => [Number(new URL(sandbox.urls.crm).port)] });
  const url = new URL(`http://127.0.0.1:${upstream.port}`);
  const gateway = await gatewayOver(url.href, { ...settingsFor(sandbox), CRM_URL: url, ACCOUNT_URL: url });
  const front = await cutting({
    ports: () => [Number(new URL(gateway.url).port)],
    ...(!keyed && { without: ['idempotency-key'] }),
  });
  const carried = new Carried(sandbox);
  const callers = Array.from({ length: 8 }, () => fetchCaller(`http://127.0.0.1:${front.port}/graphql`));
  const told = await carryOutAll(intentsFor(COUNT, TARGETS), callers);
  return judge(told, carried, sandbox, TOKEN);
}

/** Sends a mutation with one key until it is answered with another outcome than UNKNOWN, six times at most. */
function fetchCaller(url: string): Caller {
  return async (query, variables) => {
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${TOKEN}`,
      'idempotency-key': randomUUID(),
    };
    const body = JSON.stringify({ query, variables });
    let last: unknown = null;
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await delay(attempt * 20);
      try {
        const { data, errors = [] } = answerShape.parse(
          await (await fetch(url, { method: 'POST', headers, body })).json(),
        );
        last = { data, errors };
        if (!JSON.stringify(errors).includes('"UNKNOWN"')) return last;
      } catch {
        // The connection was cut: what was told before it still stands.
      }
    }
    return last;
  };
}

const answerShape = z.object({ data: z.unknown(), errors: z.array(z.unknown()).optional() });

test('writes with a key whose connections are cut at random places are carried out at most once, and as told', async () => {
  const { told, twice, lost, untold, refusedYetApplied } = await trial(1, { keyed: true });
  expect({ twice, lost, untold, refusedYetApplied }).toEqual({
    twice: [],
    lost: [],
    untold: [],
    refusedYetApplied: [],
  });
  const applied = told.filter(({ outcome }) => outcome === 'APPLIED');
  expect(told, tallyOf(told)).toHaveLength(COUNT.creations + COUNT.updates);
  expect(applied.length, tallyOf(told)).toBeGreaterThan(told.length / 2);
});

test('without keys the same writes are carried out twice', async () => {
  const { twice } = await trial(1, { keyed: false });
  expect(twice.length).toBeGreaterThan(0);
});
