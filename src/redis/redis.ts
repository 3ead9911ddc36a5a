import { createHmac, randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { redisAddress, secret, type ValuesOf, wholeNumber } from '../config/setting.ts';
import type { KeyedHash, SharedStore } from './shared-store.ts';

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

type RedisSettings = ValuesOf<typeof redisSettings>;

/** A rule of the settings. @returns a message of one line when they break it */
export function redisNeedsSecret(settings: Pick<RedisSettings, 'REDIS_URL' | 'HASH_SECRET'>): string | undefined {
  if (settings.REDIS_URL === undefined || settings.HASH_SECRET !== undefined) return undefined;
  return 'REDIS_URL needs HASH_SECRET: a text of at least 32 characters, the same for all gateways that share the Redis.';
}

/** Creates the hash with HASH_SECRET as its key; without the setting, with a random one of this process. */
export function keyedHash({ HASH_SECRET }: Pick<RedisSettings, 'HASH_SECRET'>): KeyedHash {
  const key = HASH_SECRET?.reveal() ?? randomBytes(32);
  return (text) => createHmac('sha256', key).update(text).digest('base64url').slice(0, 22);
}

/**
 * Opens the store that the gateway shares with others. The client of Redis is loaded only then.
 *
 * @returns undefined without REDIS_URL
 */
export async function openStore(
  settings: RedisSettings,
  hash: KeyedHash,
  log: Logger,
): Promise<SharedStore | undefined> {
  if (!settings.REDIS_URL) return undefined;
  const { SharedStore } = await import('./shared-store.ts');
  return SharedStore.open({ address: settings.REDIS_URL.reveal(), hash, log, timeoutMs: settings.REDIS_TIMEOUT_MS });
}
