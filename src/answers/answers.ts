import { accountStaleness } from '../account/stale.ts';
import type { Config } from '../config.ts';
import { crmStaleness } from '../crm/stale.ts';
import { flexStaleness } from '../flex/stale.ts';
import { forumStaleness } from '../forum/stale.ts';
import type { Format } from '../http/formats/format.ts';
import { json } from '../http/formats/json.ts';
import type { XmlElement } from '../http/formats/xml-document.ts';
import { xml } from '../http/formats/xml.ts';
import { AnswerCache } from '../http/session/answer-cache.ts';
import { Generations, type SharedGenerations } from '../http/session/generations.ts';
import type { Staleness, Subject } from '../subjects.ts';

/** The tables of all slices, by API. */
export interface Tables {
  readonly account: Staleness;
  readonly flex: Staleness;
  readonly crm: Staleness;
  readonly forum: Staleness;
}

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

export interface AnswersOptions {
  /** Generations that other processes share. Undefined when no other one writes. */
  readonly shared?: SharedGenerations | undefined;
  readonly tables?: Tables;
}

type ApiName = keyof Tables;

/** The longest time for which an answer is kept, in milliseconds. 0 when none is. */
export function longestTtl(config: Config): number {
  const { ACCOUNT_CACHE_TTL_MS, FLEX_CACHE_TTL_MS, CRM_CACHE_TTL_MS, FORUM_CACHE_TTL_MS } = config;
  return Math.max(ACCOUNT_CACHE_TTL_MS, FLEX_CACHE_TTL_MS, CRM_CACHE_TTL_MS, FORUM_CACHE_TTL_MS);
}

/** The generations that writes begin, and the kept answers of all APIs, for the life of the process. */
export class Answers {
  readonly account: AnswerCache<unknown> | undefined;
  readonly flex: AnswerCache<unknown> | undefined;
  readonly crm: AnswerCache<unknown> | undefined;
  readonly forum: AnswerCache<XmlElement> | undefined;
  readonly generations: Generations;
  /** The subjects that the answers of each endpoint show, by API, method and template. Without those that are never kept. */
  readonly subjects: Readonly<Record<ApiName, ReadonlyMap<string, readonly string[]>>>;
  readonly #writes: Readonly<Record<ApiName, ReadonlyMap<string, readonly Subject[]>>>;

  constructor(config: Config, options: AnswersOptions = {}) {
    const { shared, tables: given = tables } = options;
    const ttls = [
      config.ACCOUNT_CACHE_TTL_MS,
      config.FLEX_CACHE_TTL_MS,
      config.CRM_CACHE_TTL_MS,
      config.FORUM_CACHE_TTL_MS,
    ];
    const maxBytes = Math.max(1, Math.floor(config.ANSWER_CACHE_BYTES / ttls.filter((ttlMs) => ttlMs > 0).length));
    this.subjects = {
      account: keptReads(given.account.reads),
      flex: keptReads(given.flex.reads),
      crm: keptReads(given.crm.reads),
      forum: keptReads(given.forum.reads),
    };
    const cache = <Body>(ttlMs: number, { memoryOf }: Format<Body>) =>
      ttlMs > 0 ? new AnswerCache<Body>({ ttlMs, maxBytes, memoryOf }) : undefined;
    this.account = cache(config.ACCOUNT_CACHE_TTL_MS, json);
    this.flex = cache(config.FLEX_CACHE_TTL_MS, json);
    this.crm = cache(config.CRM_CACHE_TTL_MS, json);
    this.forum = cache(config.FORUM_CACHE_TTL_MS, xml);
    this.generations = new Generations(shared);
    this.#writes = {
      account: new Map(Object.entries(given.account.writes)),
      flex: new Map(Object.entries(given.flex.writes)),
      crm: new Map(Object.entries(given.crm.writes)),
      forum: new Map(Object.entries(given.forum.writes)),
    };
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
