import { logDurability } from './durability.ts';
import { RedisReceipts, type RedisReceiptsOptions } from './redis-receipts.ts';

/**
 * Opens receipts in Redis, and logs what a crash of it can lose.
 *
 * @returns as of `openReceipts`
 */
export function openRedisReceipts(options: RedisReceiptsOptions) {
  const receipts = new RedisReceipts(options);
  const closing = new AbortController();
  const logged = logDurability(options.store, options.log, closing.signal);
  const close = async () => {
    closing.abort();
    await Promise.all([receipts.close(), logged]);
  };
  return { receipts, figures: receipts.figures, close };
}
