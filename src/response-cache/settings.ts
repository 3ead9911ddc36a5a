import { MiB, type ValuesOf, wholeNumber } from '../config/setting.ts';

/** Kept answers may be older than what upstream would answer by so many milliseconds at most. */
const MAX_TTL_MS = 60_000;

const ttl = (api: string) =>
  wholeNumber(0, 0, MAX_TTL_MS, `How long answers of ${api} are kept in memory, in milliseconds; 0 keeps none.`);

const ttlSettings = {
  ACCOUNT_CACHE_TTL_MS: ttl('the account API'),
  FLEX_CACHE_TTL_MS: ttl('the flex API'),
  CRM_CACHE_TTL_MS: ttl('the CRM'),
  FORUM_CACHE_TTL_MS: ttl('the forum'),
};

/** The settings of the cache of upstream answers, see docs/caching.md. */
export const cacheSettings = {
  ...ttlSettings,
  ANSWER_CACHE_BYTES: wholeNumber(
    64 * MiB,
    1,
    1024 * MiB,
    'Memory for kept answers in bytes, divided among the workers, and among the APIs whose answers are kept.',
  ),
};

type Ttls = ValuesOf<typeof ttlSettings>;

export type CacheSettings = ValuesOf<typeof cacheSettings>;

/** How long the answers of each API are kept, in milliseconds. 0 for those that are not. */
export function ttlsOf(settings: Ttls) {
  return {
    account: settings.ACCOUNT_CACHE_TTL_MS,
    flex: settings.FLEX_CACHE_TTL_MS,
    crm: settings.CRM_CACHE_TTL_MS,
    forum: settings.FORUM_CACHE_TTL_MS,
  };
}

/** The longest time for which an answer is kept, in milliseconds. 0 when none is. */
export function longestTtl(settings: Ttls): number {
  return Math.max(...Object.values(ttlsOf(settings)));
}

type WithProcesses = Ttls & { readonly WORKERS: number; readonly REDIS_URL: unknown };

/** A rule of the settings. @returns a message of one line when they break it */
export function workersNeedRedisToKeepAnswers(settings: WithProcesses): string | undefined {
  const names = ['ACCOUNT_CACHE_TTL_MS', 'FLEX_CACHE_TTL_MS', 'CRM_CACHE_TTL_MS', 'FORUM_CACHE_TTL_MS'] as const;
  const keeping = names.find((name) => settings[name] > 0);
  if (keeping === undefined || settings.WORKERS === 1 || settings.REDIS_URL !== undefined) return undefined;
  return `${keeping} needs REDIS_URL where WORKERS is more than 1: a worker learns there what another one has written.`;
}
