import { accountStaleness } from '../account/stale.ts';
import { crmStaleness } from '../crm/stale.ts';
import { flexStaleness } from '../flex/stale.ts';
import { forumStaleness } from '../forum/stale.ts';
import type { Format } from '../http/formats/format.ts';
import { json } from '../http/formats/json.ts';
import type { XmlElement } from '../http/formats/xml-document.ts';
import { xml } from '../http/formats/xml.ts';
import { AnswerCache } from '../http/session/answer-cache.ts';
import { Generations, type SharedGenerations } from '../http/session/generations.ts';
import { type CacheSettings, ttlsOf } from './settings.ts';
import type { Staleness, Subject } from './staleness.ts';

type ApiName = keyof ReturnType<typeof ttlsOf>;

type ByApi<T> = Readonly<Record<ApiName, T>>;

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
  readonly account: AnswerCache<unknown> | undefined;
  readonly flex: AnswerCache<unknown> | undefined;
  readonly crm: AnswerCache<unknown> | undefined;
  readonly forum: AnswerCache<XmlElement> | undefined;
  readonly generations: Generations;
  /** The subjects that the answers of each endpoint show, by API, method and template. Without those that are never kept. */
  readonly subjects: ByApi<ReadonlyMap<string, readonly string[]>>;
  readonly #writes: ByApi<ReadonlyMap<string, readonly Subject[]>>;

  constructor(settings: CacheSettings, { shared, tables: given = tables }: ResponseCachesOptions = {}) {
    const ttls = ttlsOf(settings);
    const keeping = Object.values(ttls).filter((ttlMs) => ttlMs > 0).length;
    const maxBytes = Math.max(1, Math.floor(settings.ANSWER_CACHE_BYTES / keeping));
    this.subjects = ofEach(given, ({ reads }) => keptReads(reads));
    const cache = <Body>(api: ApiName, { memoryOf }: Format<Body>) =>
      ttls[api] > 0 ? new AnswerCache<Body>({ ttlMs: ttls[api], maxBytes, memoryOf }) : undefined;
    this.account = cache('account', json);
    this.flex = cache('flex', json);
    this.crm = cache('crm', json);
    this.forum = cache('forum', xml);
    this.generations = new Generations(shared);
    this.#writes = ofEach(given, ({ writes }) => new Map(Object.entries(writes)));
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

  /** Forgets all answers. */
  close(): void {
    for (const cache of [this.account, this.flex, this.crm, this.forum]) cache?.clear();
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

function ofEach<T>({ account, flex, crm, forum }: Tables, make: (table: Staleness) => T): ByApi<T> {
  return { account: make(account), flex: make(flex), crm: make(crm), forum: make(forum) };
}
