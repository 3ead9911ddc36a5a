import { expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { DEAD_ADDRESS } from '../support/stub-upstream.ts';
import { openConnection, postOf } from './connection.ts';

// Kept connections without a request are closed after a setting.

const HELLO = postOf('{ __typename }');
const ANSWER = '{"data":{"__typename":"Query"}}';

test('an idle connection is closed after KEEP_ALIVE_TIMEOUT_MS, and one in use is not', async () => {
  const { url } = await gatewayOver(DEAD_ADDRESS, { KEEP_ALIVE_TIMEOUT_MS: 600 });
  const idle = openConnection(url);
  const used = openConnection(url);
  idle.socket.write(HELLO);
  const uses = setInterval(() => used.socket.write(HELLO), 30);

  await idle.closed;
  clearInterval(uses);
  expect(used.socket.readyState).toBe('open');
  expect(used.text()).toContain(ANSWER);
  const whole = idle.text();
  expect(whole).toContain(ANSWER);

  await used.closed;
});

test('an answer tells how long its connection is kept: a load balancer has to close it earlier', async () => {
  const { url } = await gatewayOver(DEAD_ADDRESS);
  const connection = openConnection(url);
  connection.socket.write(HELLO);
  await expect.poll(connection.text).toContain(ANSWER);
  expect(connection.text()).toContain('\r\nKeep-Alive: timeout=65\r\n');
});
