import { expect, test } from 'vitest';
import { startRedis } from './support.ts';

test('Redis starts, and ends with the signal', async () => {
  const { server } = await startRedis();
  await server.end('SIGTERM');
  expect(() => process.kill(server.pid, 0)).toThrow('ESRCH');
});
