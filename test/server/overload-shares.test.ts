import { expect, onTestFinished, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { clientsUpTo, saysJson } from '../support/stub-crm.ts';
import { stubUpstream } from '../support/stub-upstream.ts';
import { openConnection, postOf } from './connection.ts';

const COUNT = '{ clients { totalCount } }';
const CONNECTIONS = 12;
const PER_CONNECTION = 32;

/** Keeps connections full of requests of one credential until the test ends. @returns how many were refused */
function flood(url: string) {
  const requests = postOf(COUNT).repeat(PER_CONNECTION);
  let refused = 0;
  for (let connection = 0; connection < CONNECTIONS; connection++) {
    const { socket } = openConnection(url);
    let answered = 0;
    socket.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      refused += text.split('HTTP/1.1 503 ').length - 1;
      answered += text.split('HTTP/1.1 ').length - 1;
      if (answered < PER_CONNECTION) return;
      answered -= PER_CONNECTION;
      socket.write(requests);
    });
    socket.write(requests);
    onTestFinished(() => void socket.destroy());
  }
  return { refused: () => refused };
}

test('a caller that floods does not take the share of one that asks for little', async () => {
  const upstream = await stubUpstream(saysJson(clientsUpTo(3)));
  const settings = {
    CRM_URL: new URL(upstream.url),
    CRM_SHARES_TOKEN: 'true',
    SHARE_READS: 'false',
    MAX_LAG_MS: 1,
  } as const;
  const { url } = await gatewayOver(upstream.url, settings);
  const flooding = flood(url);
  await expect.poll(flooding.refused).toBeGreaterThan(1_000); // by then the shares are known

  const ask = async () => {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer modest' };
    return (await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query: COUNT }) })).status;
  };
  const before = flooding.refused();
  const statuses: number[] = [];
  for (let request = 0; request < 20; request++) statuses.push(await ask());
  expect(flooding.refused()).toBeGreaterThan(before);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(18);
}, 20_000);
