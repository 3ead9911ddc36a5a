import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { gateway, gatewayOver, settingsFor, type TestGateway } from '../support/gateway.ts';
import { startRedis } from './support.ts';

// The cache of answers of several gateways that share a Redis.

const SECRET = 'a secret of at least 32 characters';
const DEALS = '{ deals(first: 10) { nodes { name } } }';
const create = (name: string) => `mutation { createDeal(input: { name: "${name}" }) { __typename } }`;

/** The settings of gateways that share a Redis, and keep answers of the CRM longer than a test takes. */
function keeping(url: string) {
  const { REDIS_URL, HASH_SECRET } = readConfig({ REDIS_URL: url, HASH_SECRET: SECRET });
  return { REDIS_URL, HASH_SECRET, CRM_CACHE_TTL_MS: 60_000, REDIS_TIMEOUT_MS: 5_000 };
}

async function stateOf({ url }: TestGateway): Promise<unknown> {
  return Object(await (await fetch(`${url}/ready`)).json()).redis;
}

test('a write through one gateway is seen at once through the other; without Redis nothing is kept, and with it again', async () => {
  const { url, port, server } = await startRedis();
  const one = await gateway(keeping(url));
  const { sandbox, admin } = one;
  const other = await gatewayOver(sandbox.urls.account, { ...settingsFor(sandbox), ...keeping(url) }, admin.token);
  /** The names of the deals, and how many calls reading them took. */
  const read = async (through: TestGateway) => {
    const before = sandbox.calls().length;
    const { data } = await through.execute(DEALS);
    const names = Object(data)
      .deals.nodes.map(({ name }: { name: string }) => name)
      .sort();
    return { names, calls: sandbox.calls().length - before };
  };
  const isKept = async (through: TestGateway, names: readonly string[]) => {
    await expect.poll(() => read(through)).toEqual({ names, calls: 0 }); // the first read finds no generations
  };

  await isKept(one, []);
  await isKept(other, []);
  await one.execute(create('first'));
  expect(await read(other)).toEqual({ names: ['first'], calls: 1 });
  expect(await read(other)).toEqual({ names: ['first'], calls: 0 });
  await other.execute(create('second'));
  expect(await read(one)).toEqual({ names: ['first', 'second'], calls: 1 });

  await server.end('SIGKILL');
  for (const through of [one, other, one, other]) {
    expect(await read(through)).toEqual({ names: ['first', 'second'], calls: 1 });
  }
  await one.execute(create('third'));
  expect(await read(other)).toEqual({ names: ['first', 'second', 'third'], calls: 1 });
  expect([await stateOf(one), await stateOf(other)]).toEqual(['away', 'away']);

  await startRedis(port);
  for (const through of [one, other]) {
    await expect.poll(() => stateOf(through)).toBe('ok');
    await isKept(through, ['first', 'second', 'third']);
  }
  await one.execute(create('zeroth'));
  expect(await read(other)).toEqual({ names: ['first', 'second', 'third', 'zeroth'], calls: 1 });
});
