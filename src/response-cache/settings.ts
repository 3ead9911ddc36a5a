import { apiNames, apis, type ByApi, byApi, settingsByApi } from '../config/apis.ts';
import { MiB, type ValuesOf, wholeNumber } from '../config/setting.ts';

/** Kept answers may be older than what upstream would answer by so many milliseconds at most. */
const MAX_TTL_MS = 60_000;

const ttlSettings = settingsByApi({
  CACHE_TTL_MS: ({ words }) =>
    wholeNumber(0, 0, MAX_TTL_MS, `How long answers of ${words} are kept in memory, in milliseconds; 0 keeps none.`),
});

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
export function ttlsOf(settings: Ttls): ByApi<number> {
  return byApi((name) => settings[`${apis[name].prefix}_CACHE_TTL_MS`]);
}

/** The longest time for which an answer is kept, in milliseconds. 0 when none is. */
export function longestTtl(settings: Ttls): number {
  return Math.max(...Object.values(ttlsOf(settings)));
}

type WithProcesses = Ttls & { readonly WORKERS: number; readonly REDIS_URL: unknown };

/** A rule of the settings. @returns a message of one line when they break it */
export function workersNeedRedisToKeepAnswers(settings: WithProcesses): string | undefined {
  const ttls = ttlsOf(settings);
  const keeping = apiNames.find((name) => ttls[name] > 0);
  if (keeping === undefined || settings.WORKERS === 1 || settings.REDIS_URL !== undefined) return undefined;
  return `${apis[keeping].prefix}_CACHE_TTL_MS needs REDIS_URL where WORKERS is more than 1: a worker learns there what another one has written.`;
}
