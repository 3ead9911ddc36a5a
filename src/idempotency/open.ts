import type { Logger } from 'pino';
import type { SharedStore } from '../redis/shared-store.ts';
import { MemoryReceipts } from './memory-receipts.ts';
import type { Receipts } from './receipts.ts';
import { GRACE_MS, type ReceiptSettings, receiptsPlace } from './settings.ts';

/**
 * Opens the receipts of a gateway where IDEMPOTENCY says. The code for Redis is loaded only then.
 *
 * @param store undefined without REDIS_URL
 * @returns undefined where none are kept
 */
export async function openReceipts(
  settings: ReceiptSettings,
  store: SharedStore | undefined,
  log: Logger,
): Promise<Receipts | undefined> {
  const options = { ttlMs: settings.IDEMPOTENCY_TTL_MS, max: settings.IDEMPOTENCY_MAX_RECEIPTS };
  const place = receiptsPlace(settings);
  if (place === 'memory') return new MemoryReceipts(options);
  if (place === 'off' || !store) return undefined;
  const { RedisReceipts, warnOfLoss } = await import('./redis-receipts.ts');
  void warnOfLoss({ store, log });
  const longestLeaseMs = settings.OPERATION_TIMEOUT_MS + settings.UPSTREAM_TIMEOUT_MS + GRACE_MS;
  return new RedisReceipts({ ...options, store, log, longestLeaseMs });
}
