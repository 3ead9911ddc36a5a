import { accountStaleness } from './account/stale.ts';
import { type ApiName, type ByApi, byApi } from '../config/apis.ts';
import { crmStaleness } from './crm/stale.ts';
import { flexStaleness } from './flex/stale.ts';
import { forumStaleness } from './forum/stale.ts';
import { CacheMemory, type CacheTimes, ResponseCache } from '../calls/cache/response-cache.ts';
import { Generations, type SharedGenerations } from '../calls/cache/generations.ts';
import { type CacheSettings, pageListMs, ttlsOf } from '../calls/cache/settings.ts';
import type { Staleness, Subject } from '../calls/cache/staleness.ts';

/** The tables of all slices, by API. */
export type Tables = ByApi<Staleness>;

/**
 * The subjects that each endpoint shows or changes.
 *
 * @internal exported for the tests
 */
export const tables: Tables = {
  account: accountStaleness,
  flex: flexStaleness,
  crm: crmStaleness,
  forum: forumStaleness,
};

interface ResponseCachesOptions {
  /** Generations that other processes share. Undefined when no other one writes. */
  readonly shared?: SharedGenerations | undefined;
  readonly tables?: Tables;
}

/** The generations that writes begin, and the kept answers of all APIs, for the life of the process. */
export class ResponseCaches {
  /** Those of APIs whose answers are kept, once `createCache` has made them. */
  readonly caches: Pick<ResponseCache<unknown>, 'counts' | 'clear'>[] = [];
  readonly generations: Generations;
  /** The subjects that the answers of each endpoint show, by API, method and template. Without those that are never kept. */
  readonly subjects: ByApi<ReadonlyMap<string, readonly string[]>>;
  readonly #times: ByApi<CacheTimes>;
  readonly #memory: CacheMemory | undefined;
  readonly #writes: ByApi<ReadonlyMap<string, readonly Subject[]>>;

  constructor(settings: CacheSettings, { shared, tables: given = tables }: ResponseCachesOptions = {}) {
    const { ANSWER_CACHE_BYTES: maxBytes, ANSWER_CACHE_IDLE_MS: idleMs } = settings;
    const ttls = ttlsOf(settings);
    const pageMs = pageListMs(settings);
    this.#times = byApi((name) => ({ ttlMs: ttls[name], pageMs, idleMs }));
    this.#memory = maxBytes > 0 ? new CacheMemory(maxBytes) : undefined;
    this.subjects = byApi((name) => keptReads(given[name].reads));
    this.generations = new Generations(shared);
    this.#writes = byApi((name) => new Map(Object.entries(given[name].writes)));
  }

  /** Creates the cache of an API. Undefined when no answers are kept. */
  createCache<Body>(api: ApiName): ResponseCache<Body> | undefined {
    if (!this.#memory) return undefined;
    const cache = new ResponseCache<Body>(this.#times[api], this.#memory);
    this.caches.push(cache);
    return cache;
  }

  /**
   * Begins a new generation of all that a write may change, at every API and for every credential.
   *
   * @param endpoint method and template
   * @returns a promise until it is so in all processes
   */
  forget(api: ApiName, endpoint: string): Promise<void> | undefined {
    // Every answer shows `access`, so that a write without a row makes all of them stale.
    const subjects = this.#writes[api].get(endpoint) ?? (['access'] satisfies Subject[]);
    return subjects.length > 0 ? this.generations.renew(subjects) : undefined;
  }

  /** Forgets all answers, and the caches themselves: others take their place. */
  clear(): void {
    for (const cache of this.caches.splice(0)) cache.clear();
  }

  /** Forgets all answers. */
  close(): void {
    this.clear();
    this.generations.shared?.close();
  }
}

/** The endpoints whose answers are kept, and what these show. */
function keptReads(reads: Staleness['reads']): ReadonlyMap<string, readonly Subject[]> {
  const kept = new Map<string, readonly Subject[]>();
  for (const [endpoint, subjects] of Object.entries(reads)) {
    if (subjects) kept.set(endpoint, ['access', ...subjects]);
  }
  return kept;
}
