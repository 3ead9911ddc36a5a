import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { OperationObserver } from '../operation-observer.ts';
import type { SharedCounts } from '../rates/rates.ts';
import type { KeyedHash, SharedStore } from '../redis/shared-store.ts';
import { ResponseCaches } from '../response-cache/response-caches.ts';
import { longestTtl } from '../response-cache/settings.ts';
import type { OpenDocuments } from './documents/open.ts';
import { sharesReads } from '../upstreams.ts';
import type { RateLimits } from './rate-limits/rate-limits.ts';

interface RateLimitParts {
  readonly hash: KeyedHash;
  readonly store: SharedStore | undefined;
  /** Used without a store. */
  readonly counts: SharedCounts | undefined;
  readonly observer: OperationObserver | undefined;
  readonly log: Logger;
}

/** Undefined without RATE_LIMIT. */
export async function createRateLimits(
  config: Config,
  { store, counts, ...parts }: RateLimitParts,
): Promise<RateLimits | undefined> {
  if (config.RATE_LIMIT === 0 && config.RATE_LIMIT_ADDRESS === 0) return undefined;
  const { RateLimits } = await import('./rate-limits/rate-limits.ts');
  const shared = store ? new (await import('../rates/redis-counts.ts')).RedisCounts(store) : counts;
  return new RateLimits({ config, shared, ...parts });
}

/** Opens the documents that requests name by an id. Without a setting of theirs their code is not loaded. */
export async function openDocuments(
  config: Config,
  store: SharedStore | undefined,
): Promise<OpenDocuments | undefined> {
  if (config.TRUSTED_DOCUMENTS.length === 0 && config.APQ_CACHE_BYTES === 0) return undefined;
  const opening = await import('./documents/open.ts');
  return opening.openDocuments(config, store);
}

/** What writes make stale, for answers that are kept, and for reads that share calls. Undefined where there are neither. */
export async function openAnswers(config: Config, store: SharedStore | undefined): Promise<ResponseCaches | undefined> {
  if (longestTtl(config) === 0) return sharesReads(config) ? new ResponseCaches(config) : undefined;
  const shared = store && new (await import('../response-cache/redis-generations.ts')).RedisGenerations(store);
  return new ResponseCaches(config, { shared });
}
