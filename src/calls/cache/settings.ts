import { apis, type ByApi, byApi, settingsByApi } from '../../config/apis.ts';
import { MiB, optionalWholeNumber, type ValuesOf, wholeNumber } from '../../config/setting.ts';

/** Kept answers may be older than what upstream would answer by so many milliseconds at most. */
const MAX_TTL_MS = 60_000;

const ttlSettings = settingsByApi({
  CACHE_TTL_MS: ({ words }) =>
    wholeNumber(0, 0, MAX_TTL_MS, `How long answers of ${words} are kept in memory, in milliseconds; 0 keeps none.`),
});

/** The settings of the cache of upstream answers, see docs/caching.md. */
export const cacheSettings = {
  ...ttlSettings,
  ANSWER_CACHE_BYTES: wholeNumber(64 * MiB, 0, 1024 * MiB, 'Memory for kept answers in bytes; 0 keeps none.'),
  ANSWER_CACHE_IDLE_MS: wholeNumber(
    300_000,
    1_000,
    3_600_000,
    'A kept answer that nobody asks for goes after so many milliseconds.',
  ),
  PAGE_LIST_MS: optionalWholeNumber(
    MAX_TTL_MS,
    'How old a list may be in which a page goes on, in milliseconds; by default 30000.',
  ),
};

type Ttls = ValuesOf<typeof ttlSettings>;

export type CacheSettings = ValuesOf<typeof cacheSettings>;

/** How long the answers of each API are kept, in milliseconds. 0 for those that are not. */
export function ttlsOf(settings: Ttls): ByApi<number> {
  return byApi((name) => settings[`${apis[name].prefix}_CACHE_TTL_MS`]);
}

/** The longest time for which an answer is kept, in milliseconds. 0 when none is. */
function longestTtl(settings: Ttls): number {
  return Math.max(...Object.values(ttlsOf(settings)));
}

const PAGE_LIST_MS = 30_000;

/** How old a list may be in which a page goes on, in milliseconds. 0 where no answers are kept. */
export function pageListMs({ PAGE_LIST_MS: given, ANSWER_CACHE_BYTES }: CacheSettings): number {
  return ANSWER_CACHE_BYTES === 0 ? 0 : (given ?? PAGE_LIST_MS);
}

/** Whether answers are used without asking upstream: then all processes have to know the writes of each other. */
export function trustsKept(settings: CacheSettings): boolean {
  return longestTtl(settings) > 0 || pageListMs(settings) > 0;
}

/** A rule of the settings. @returns a message of one line when they break it */
export function keptAnswersNeedMemory(settings: CacheSettings): string | undefined {
  if (settings.ANSWER_CACHE_BYTES > 0 || longestTtl(settings) === 0) return undefined;
  return 'ANSWER_CACHE_BYTES=0 keeps no answers: leave out the settings that end with _CACHE_TTL_MS.';
}
