import { once } from 'node:events';
import { expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { clientsUpTo, saysJson } from '../support/stub-crm.ts';
import { stubUpstream } from '../support/stub-upstream.ts';
import { openConnection, postOf } from './connection.ts';

// Over real HTTP, with a limit that every crowd exceeds.

const COUNT = postOf('{ clients { totalCount } }', ['Origin: https://app.example']);
const CONNECTIONS = 12;
const PER_CONNECTION = 32;

/** Holds the event loop, which the gateway shares, until the kernel has what was written. */
function block() {
  const end = performance.now() + 30;
  while (performance.now() < end);
}

async function crowded(settings: { MAX_WAIT_MS: number }) {
  const upstream = await stubUpstream(saysJson(clientsUpTo(3)));
  const over = await gatewayOver(upstream.url, {
    CRM_URL: new URL(upstream.url),
    CRM_SHARES_TOKEN: 'true',
    CORS_ORIGINS: ['https://app.example'],
    SHARE_READS: 'false',
    METRICS_PORT: 0,
    ...settings,
  });
  const all: ReturnType<typeof openConnection>[] = [];
  /** Sends many requests at the same moment. */
  const crowd = async () => {
    const connections = Array.from({ length: CONNECTIONS }, () => openConnection(over.url));
    await Promise.all(connections.map(({ socket }) => once(socket, 'connect')));
    for (const { socket } of connections) socket.write(COUNT.repeat(PER_CONNECTION));
    all.push(...connections);
    block(); // so that all of them are there when the gateway looks
  };
  const texts = () => all.map(({ text }) => text()).join('');
  const count = (text: string) => texts().split(text).length - 1;
  const answered = async () => {
    await expect.poll(() => count('HTTP/1.1 ')).toBe(all.length * PER_CONNECTION);
  };
  return { ...over, crowd, texts, count, answered, sent: () => all.length * PER_CONNECTION };
}

/** Sends crowds until the gateway refuses some of their requests. */
async function flood() {
  const over = await crowded({ MAX_WAIT_MS: 1 });
  const isRefusing = () => over.logs.some((line) => line.includes('requests are refused'));
  for (let left = 20; left > 0 && !isRefusing(); left--) await over.crowd();
  expect(isRefusing()).toBe(true);
  const health = await fetch(`${over.url}/health`);
  const ready = await fetch(`${over.url}/ready`);
  await over.answered();
  return { ...over, health, ready };
}

test('under overload requests are refused with 503, and those that began are answered', async () => {
  const { texts, count, sent, health, ready, metrics } = await flood();

  expect(count('HTTP/1.1 503 ')).toBeGreaterThan(0);
  expect(count('HTTP/1.1 200 OK')).toBe(sent() - count('HTTP/1.1 503 '));
  expect(count('"totalCount":3')).toBe(count('HTTP/1.1 200 OK'));
  expect(count('\r\nRetry-After: 1\r\n')).toBe(count('HTTP/1.1 503 '));
  const refusal = /HTTP\/1\.1 503 [^{]*\{.*?\}\}\]\}/.exec(texts())?.[0] ?? '';
  expect(refusal).toContain('\r\nCache-Control: private, no-store\r\n');
  expect(refusal).toContain('\r\nAccess-Control-Allow-Origin: https://app.example\r\n');
  expect(JSON.parse(refusal.slice(refusal.indexOf('{')))).toEqual({
    errors: [
      {
        message: 'The gateway is overloaded and did not run this request. Send it again later.',
        extensions: { code: 'OVERLOADED', retryAfter: 1, outcome: 'REFUSED' },
      },
    ],
  });
  expect([health.status, ready.status]).toEqual([200, 200]);
  const refused = count('HTTP/1.1 503 ');
  await expect.poll(metrics).toContain(`\ntrivium_requests_total{status="503"} ${refused}\n`);
  expect(await metrics()).toContain(`\ntrivium_requests_shed_total ${refused}\n`);
});

test('the log tells when an overload begins and ends, and requests are served again', async () => {
  const { logs, execute, count } = await flood();

  await expect.poll(() => logs.filter((line) => line.includes('no longer overloaded'))).toHaveLength(1);
  const counted = logs.flatMap((line) => /"refused":(\d+)/.exec(line)?.[1] ?? []);
  expect(counted.map(Number).reduce((sum, refused) => sum + refused, 0)).toBe(count('HTTP/1.1 503 '));
  expect((await execute('{ __typename }')).status).toBe(200);
});

test('MAX_WAIT_MS=0 refuses nothing', async () => {
  const { crowd, count, answered, sent } = await crowded({ MAX_WAIT_MS: 0 });
  for (let left = 3; left > 0; left--) await crowd();
  await answered();
  expect(count('HTTP/1.1 200 OK')).toBe(sent());
});

test('a burst is served whole, again and again', async () => {
  const { crowd, count, answered, sent } = await crowded({ MAX_WAIT_MS: 600_000 });
  for (let left = 3; left > 0; left--) {
    await crowd();
    await answered();
  }
  expect(count('HTTP/1.1 200 OK')).toBe(sent());
});
