import { MiB, wholeNumber } from './setting.ts';

/** Kept answers may be older than what upstream would answer by so many milliseconds at most. */
const MAX_TTL_MS = 60_000;

const ttl = (api: string) =>
  wholeNumber(0, 0, MAX_TTL_MS, `How long answers of ${api} are kept in memory, in milliseconds; 0 keeps none.`);

/** The settings of the cache of answers, see docs/caching.md. */
export const cacheSettings = {
  ACCOUNT_CACHE_TTL_MS: ttl('the account API'),
  FLEX_CACHE_TTL_MS: ttl('the flex API'),
  CRM_CACHE_TTL_MS: ttl('the CRM'),
  FORUM_CACHE_TTL_MS: ttl('the forum'),
  ANSWER_CACHE_BYTES: wholeNumber(
    64 * MiB,
    1,
    1024 * MiB,
    'Memory for kept answers in bytes, divided among the workers, and among the APIs whose answers are kept.',
  ),
};
