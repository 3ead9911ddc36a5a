import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { gatewayOver } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';
import { keyed } from './support.ts';

// Nobody uses up the room of others: docs/scale.md, "Receipts of writes".

const CREATE = 'mutation { createContact(input: { name: "Ada" }) { __typename ... on Contact { id } } }';
const FULL = 'IDEMPOTENCY_LIMIT_EXCEEDED';

/** A gateway over a CRM that carries out writes of valid tokens. It answers 500 to invented ones, whose outcome is unknown then, or refuses them when told to. */
async function roomOf(max: number, settings: Partial<Config> = {}) {
  let ids = 0;
  const refusals: (() => void)[] = [];
  let invented: 'fails' | 'holds' = 'fails';
  const upstream = await stubUpstream((request, response) => {
    void text(request).then((body) => {
      if (!body.includes('invented')) return void response.writeHead(201).end(JSON.stringify({ id: (ids += 1) }));
      if (invented === 'fails') return void response.writeHead(500).end('{}');
      refusals.push(() => void response.writeHead(401).end('{}'));
    });
  });
  const { url } = await gatewayOver(upstream.url, {
    CRM_URL: new URL(upstream.url),
    CRM_SHARES_TOKEN: 'true',
    IDEMPOTENCY_MAX_RECEIPTS: max,
    TRUST_PROXY: 1,
    ...settings,
  });
  /** @returns the code of the error, or the outcome that is reported */
  const write = async (token: string, key: string, address: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await keyed(url, token)(key, { 'x-forwarded-for': address, ...headers })(CREATE);
    const code = answer.errors[0]?.extensions['code'];
    return String(code ?? JSON.stringify(answer.extensions?.['idempotency']));
  };
  const hold = () => (invented = 'holds');
  return { write, hold, refusals };
}

const FIRST = '{"createContact":"FIRST"}';
const ATTACKER = '192.0.2.1';

test('500 users write beside an attacker at another address, and none is refused', async () => {
  const { write } = await roomOf(5_000);
  const attack = async (count: number) =>
    Promise.all(Array.from({ length: count }, (_none, token) => write(`invented-${token}`, 'k', ATTACKER)));
  const attacked = await attack(300);
  expect(attacked.filter((code) => code !== FULL)).toHaveLength(250);
  const users = Array.from({ length: 500 }, (_none, user) => user);
  const writing = async () => {
    const results = [];
    for (let user = users.pop(); user !== undefined; user = users.pop())
      for (const key of user % 10 === 0 ? ['1', '2'] : ['1'])
        results.push(await write(`user-${user}`, key, '192.0.2.2'));
    return results;
  };
  const [, ...written] = await Promise.all([attack(100), ...Array.from({ length: 20 }, writing)]);
  expect(new Set(written.flat())).toEqual(new Set([FIRST]));
});

test('a write that upstream refuses after the deadline of its operation frees its place', async () => {
  const { write, hold, refusals } = await roomOf(100);
  hold();
  const short = { 'x-trivium-timeout-ms': '100' };
  const codes = await Promise.all(
    Array.from({ length: 20 }, (_none, token) => write(`invented-${token}`, 'k', ATTACKER, short)),
  );
  expect(codes.filter((code) => code === FULL)).toHaveLength(15);
  expect(await write('user', 'k', '192.0.2.2')).toBe(FIRST);
  expect(await write('other', 'k', ATTACKER)).toBe(FULL);
  for (const refuse of refusals) refuse();
  await expect.poll(() => write('other', 'k', ATTACKER)).toBe(FIRST);
});

test('many tokens of one user leave room for the first write of others', async () => {
  const { write } = await roomOf(100);
  for (let token = 0; token < 10; token++) {
    let count = 0;
    while ((await write(`token-${token}`, `${count}`, ATTACKER)) === FIRST) count += 1;
    expect(count).toBe(token === 0 ? 80 : 1);
  }
  for (let user = 0; user < 11; user++) expect(await write(`user-${user}`, 'k', '192.0.2.2')).toBe(FIRST);
});

test('as many users as there are receipts have one each', async () => {
  const { write } = await roomOf(100);
  for (let user = 0; user < 100; user++) expect(await write(`user-${user}`, 'k', ATTACKER), `user-${user}`).toBe(FIRST);
  expect(await write('one-more', 'k', ATTACKER)).toBe(FULL);
});

test('one /64 of IPv6 is one address', async () => {
  const { write } = await roomOf(100);
  const codes = [];
  for (let at = 0; at < 8; at++) codes.push(await write(`invented-${at}`, 'k', `2001:db8::${at + 1}`));
  expect(codes.filter((code) => code === FULL)).toHaveLength(3);
  expect(await write('invented', 'k', '2001:db8:0:1::1')).not.toBe(FULL);
});
