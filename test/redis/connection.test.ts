import { expect, test } from 'vitest';
import { Connection } from '../../src/redis/connection.ts';
import { settingsOf, stubRedis } from './stub-redis.ts';

test('a connection whose answer does not end is given up after 16 MiB', async () => {
  const redis = await stubRedis(([name], socket) => {
    if (name !== 'get') return '+OK\r\n';
    socket.write('$4000000000\r\n');
    for (let sent = 0; sent < 18; sent++) socket.write(Buffer.alloc(1024 ** 2, 'a'));
    return undefined;
  });
  const address = settingsOf(redis).REDIS_URL?.reveal();
  if (!address) throw new Error('There is no address.');
  const connection = await Connection.open(address);
  await expect(connection.redis.get('key')).rejects.toThrow('closed');
  expect(await connection.ended).toMatchObject({ code: 'TOO_LARGE' });
});
