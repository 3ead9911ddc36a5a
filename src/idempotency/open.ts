import type { Logger } from 'pino';
import type { SharedStore } from '../redis/shared-store.ts';
import type { ReceiptFigures } from './figures.ts';
import { MemoryReceipts } from './memory-receipts.ts';
import type { Receipts } from './receipts.ts';
import { GRACE_MS, type ReceiptSettings, receiptsPlace } from './settings.ts';

/** The receipts of a gateway, for the life of the process. */
export type OpenReceipts = KeptReceipts | NoReceipts;

interface KeptReceipts {
  readonly receipts: Receipts;
  /** Counts for the metrics. */
  readonly figures: ReceiptFigures;
  /** Ends waits, and tries once more to tell the ends that could not be told. The store has to be open still. */
  readonly close: () => Promise<void>;
}

interface NoReceipts {
  readonly receipts: undefined;
  readonly figures: undefined;
  readonly close: () => Promise<void>;
}

/**
 * Opens the receipts where IDEMPOTENCY says. The code for Redis is loaded only then.
 *
 * @param store undefined without REDIS_URL
 */
export async function openReceipts(
  settings: ReceiptSettings,
  store: SharedStore | undefined,
  log: Logger,
): Promise<OpenReceipts> {
  const options = { ttlMs: settings.IDEMPOTENCY_TTL_MS, max: settings.IDEMPOTENCY_MAX_RECEIPTS };
  const place = receiptsPlace(settings);
  if (place === 'redis' && store) {
    const { openRedisReceipts } = await import('./redis-receipts.ts');
    const longestLeaseMs = settings.OPERATION_TIMEOUT_MS + settings.UPSTREAM_TIMEOUT_MS + GRACE_MS;
    return openRedisReceipts({ ...options, store, log, longestLeaseMs });
  }
  if (place === 'memory') {
    const receipts = new MemoryReceipts(options);
    return { receipts, figures: receipts.figures, close: async () => receipts.close() };
  }
  return { receipts: undefined, figures: undefined, close: async () => {} };
}
