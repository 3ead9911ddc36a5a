import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { clientsUpTo, saysJson } from '../support/stub-crm.ts';
import { DEAD_ADDRESS, stubUpstream } from '../support/stub-upstream.ts';
import { openConnection, postOf } from './connection.ts';

// Bounds on the connections of callers, and on the requests of one connection.

const HELLO = postOf('{ __typename }');
const HELLO_ANSWER = '{"data":{"__typename":"Query"}}';
const COUNT = postOf('{ clients { totalCount } }');

/** How many answers a text holds. */
const answersIn = (text: string) => text.split('HTTP/1.1 200 OK').length - 1;

test('a connection beyond MAX_CONNECTIONS is closed, and one is accepted again when another has ended', async () => {
  const { url, logs } = await gatewayOver(DEAD_ADDRESS, { MAX_CONNECTIONS: 2 });
  const [first, second] = [openConnection(url), openConnection(url)];
  for (const { socket } of [first, second]) socket.write(HELLO);
  for (const { text } of [first, second]) await expect.poll(text).toContain(HELLO_ANSWER);

  const third = openConnection(url);
  third.socket.write(HELLO);
  await third.closed;
  expect(third.text()).toBe('');
  await expect.poll(() => logs.filter((line) => line.includes('"refusedConnections":1'))).toHaveLength(1);

  first.socket.end();
  await first.closed;
  const fourth = openConnection(url);
  fourth.socket.write(HELLO);
  await expect.poll(fourth.text).toContain(HELLO_ANSWER);
  second.socket.write(HELLO);
  await expect.poll(() => answersIn(second.text())).toBe(2);
});

test('beyond MAX_PIPELINED requests of one connection those before are answered, and it is closed', async () => {
  const held: ServerResponse[] = [];
  const upstream = await stubUpstream((_request, response) => void held.push(response));
  const settings = { CRM_URL: new URL(upstream.url), SHARE_READS: 'false', MAX_PIPELINED: 4 } as const;
  const { url } = await gatewayOver(upstream.url, settings);
  const connection = openConnection(url);
  connection.socket.write(COUNT.repeat(400)); // more than one read of the gateway
  await expect.poll(() => held).toHaveLength(4);

  for (const response of held) saysJson(clientsUpTo(3))(response.req, response);

  await new Promise((resolve) => connection.socket.once('end', resolve));
  expect(answersIn(connection.text())).toBe(4);
  expect(connection.text().split('"totalCount":3')).toHaveLength(5);
  expect(upstream.received).toHaveLength(4);
});

test('of 5,000 pipelined requests whose answers nobody reads no more than MAX_PIPELINED run', async () => {
  const upstream = await stubUpstream(saysJson(clientsUpTo(3)));
  const settings = { CRM_URL: new URL(upstream.url), SHARE_READS: 'false', MAX_PIPELINED: 64 } as const;
  const { url } = await gatewayOver(upstream.url, settings);
  const connection = openConnection(url);
  connection.socket.pause();
  connection.socket.write(COUNT.repeat(5000));
  await expect.poll(() => upstream.received).toHaveLength(64);
  connection.socket.resume();
  await connection.closed;
  expect(answersIn(connection.text())).toBe(64);
  expect(upstream.received).toHaveLength(64);
});

test('a caller that pipelines within the bound is served again and again', async () => {
  const { url } = await gatewayOver(DEAD_ADDRESS, { MAX_PIPELINED: 4 });
  const connection = openConnection(url);
  for (const round of [1, 2, 3, 4, 5]) {
    connection.socket.write(HELLO.repeat(4));
    await expect.poll(() => answersIn(connection.text())).toBe(4 * round);
  }
});
