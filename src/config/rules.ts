// What settings demand of each other. Each rule takes the checked settings, and returns a message of one line when they break it.

function redisNeedsSecret(config: { readonly REDIS_URL: unknown; readonly HASH_SECRET: unknown }): string | undefined {
  if (config.REDIS_URL === undefined || config.HASH_SECRET !== undefined) return undefined;
  return 'REDIS_URL needs HASH_SECRET: a text of at least 32 characters, the same for all gateways that share the Redis.';
}

export const rules = [redisNeedsSecret];
