import { redisAddress, secret, wholeNumber } from './setting.ts';

/** The settings of what several gateways share. */
export const redisSettings = {
  REDIS_URL: redisAddress(
    'Address of the Redis or Valkey that several gateways share; needs HASH_SECRET. See docs/scale.md.',
  ),
  REDIS_TIMEOUT_MS: wholeNumber(
    50,
    5,
    5_000,
    'How long an operation waits for an answer of Redis, in milliseconds; three late ones in a row make Redis away.',
  ),
  HASH_SECRET: secret(
    32,
    'Key of the hashes that stand for credentials and addresses in Redis, the same for all gateways that share it.',
  ),
};
