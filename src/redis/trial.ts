import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';

const KEYS = ['trivium:trial:1', 'trivium:trial:2']; // in different slots of a Redis Cluster

/** The commands of the gateway's scripts, over two keys: a user of Redis may lack the permission for any of them. */
const SCRIPT = `
for _, key in ipairs(KEYS) do for _, call in ipairs({
  {'DEL'}, {'HSET', 'a', 1}, {'HGET', 'a'}, {'HKEYS'}, {'HLEN'}, {'HDEL', 'a'}, {'RPUSH', 'a'}, {'LRANGE', 0, 1}, {'LREM', 1, 'a'},
  {'ZADD', 1, 'a'}, {'ZSCORE', 'a'}, {'ZCARD'}, {'ZCOUNT', 1, 1}, {'ZRANGE', 0, 1}, {'ZREVRANGE', 0, 1}, {'ZRANGEBYSCORE', 1, 1},
  {'ZREMRANGEBYRANK', 1, 1}, {'ZREMRANGEBYSCORE', 2, 2}, {'ZREM', 'a'}, {'SET', 1, 'PX', 9999}, {'GET'}, {'INCRBY', 1}, {'EXISTS'},
  {'PTTL'}, {'EXPIRE', 10}, {'PEXPIRE', 9999}
}) do redis.call(call[1], key, unpack(call, 2)) end end
return redis.call('TIME')`;
const SHA1 = createHash('sha1').update(SCRIPT).digest('hex');

/** Does all that the gateway needs of Redis. @throws the first error of Redis */
export async function tryRedis(redis: Redis): Promise<void> {
  const scripts = [redis.mset(...KEYS.flatMap((key) => [key, '1'])), redis.eval(SCRIPT, 2, ...KEYS)];
  await Promise.all([...scripts, redis.evalsha(SHA1, 2, ...KEYS), redis.mget(KEYS)]);
}
