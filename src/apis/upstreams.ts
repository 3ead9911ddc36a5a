import { ListEnds } from './flex/public-source.ts';
import { addressesOf, type Apis, createApis } from './apis.ts';
import { type Certificates, readCertificates, type UpstreamContexts } from '../calls/transport/certificates.ts';
import { apiNames, apis as rows } from '../config/apis.ts';
import type { Config } from '../config.ts';
import type { Caller, Context, Limits } from '../operation/context.ts';
import type { ListChoices } from '../calls/read-cost.ts';
import type { RecordTurns } from '../calls/preconditions/record-turns.ts';
import type { CacheCounts } from '../calls/cache/response-cache.ts';
import type { Api } from '../calls/transport/api.ts';
import type { LastCalls } from '../calls/transport/call.ts';
import type { CallObserver } from '../calls/transport/call-observer.ts';
import { AnswerMemory } from '../calls/transport/answer-memory.ts';
import { Turns } from '../calls/transport/turns.ts';
import { LocalTurns } from '../calls/preconditions/local-turns.ts';
import type { UpstreamEvents } from '../calls/transport/upstream.ts';
import { keyedHash } from '../redis/redis.ts';
import { trustsKept } from '../calls/cache/settings.ts';
import { ReceiptNames } from '../idempotency/receipt-names.ts';
import { OperationContext, type OptionalServices, type Shared } from './operation-context.ts';

export interface UpstreamsOptions extends OptionalServices, Partial<UpstreamEvents> {
  /** Whether a field of the schema has a name: see `createRedactor`. */
  readonly isFieldName?: (name: string) => boolean;
  /** Of writes that must find their record unchanged. By default those of this process. */
  readonly recordTurns?: RecordTurns | undefined;
  /** Divide the work on responses. */
  readonly turns?: Turns;
  /** Observes the calls to all of them. */
  readonly observer?: CallObserver | undefined;
  /** Is given the name of each cookie of a public method that FLEX_COOKIES lacks. */
  readonly onUnlistedCookie?: (name: string) => void;
  /** For connections over TLS; by default those of the settings are read. */
  readonly certificates?: Certificates;
}

/** An API as this process has seen it. */
export interface UpstreamReport {
  readonly api: Api;
  /** Its base address; undefined when it has none, and `state` and `last` then, too. */
  readonly url: URL | undefined;
  readonly state: 'ok' | 'open' | undefined;
  readonly last: Readonly<LastCalls> | undefined;
}

/** Counts of the calls to an API. */
export interface UpstreamFigures {
  readonly api: string;
  /** Whether it is not called because it failed too often. */
  readonly isOpen: boolean;
  /** Calls that wait for a connection. */
  readonly waiting: number;
  /** Reads that joined the call of another operation, until now. */
  readonly sharedReads: number;
  /** Whether reads ask for packed answers. */
  readonly asksForPacked: boolean;
  readonly choices: readonly ListChoices[];
  /** Undefined when its answers are not kept. */
  readonly answers: CacheCounts | undefined;
}

/** The upstream APIs, for the life of the process. Creates the contexts of operations. */
export class Upstreams {
  readonly #createApis: () => Apis;
  #shared: Shared;

  constructor(config: Config, options: UpstreamsOptions = {}) {
    const { isFieldName = () => false, hints, turns = new Turns(), observer, startTrace } = options;
    const { onChange = () => {}, onConnectFailure = () => {}, onUnlistedCookie = () => {} } = options;
    const { certificates = readCertificates(config) } = options;
    const memory = new AnswerMemory(config.MAX_ANSWER_MEMORY_BYTES);
    this.#createApis = () =>
      createApis(config, {
        turns,
        memory,
        isFieldName,
        hints,
        events: { onChange, onConnectFailure },
        observer,
        contexts: certificates.upstreams,
        answers: options.answers,
        sharesReads: sharesReads(config),
      });
    this.#shared = {
      config,
      apis: this.#createApis(),
      answers: options.answers,
      receipts: options.receipts,
      memory,
      turns: options.recordTurns ?? new LocalTurns(keyedHash(config)),
      limits: limitsOf(config),
      crmSharesToken: sharesToken(config),
      hints,
      startTrace,
      typedBase: options.typedBase,
      databaseWatch: options.databaseWatch,
      receiptNames: new ReceiptNames(keyedHash(config)),
      onUnlistedCookie,
      listEnds: new ListEnds(),
    };
  }

  /** Creates the context of one operation. */
  context(caller: Caller): Context {
    return new OperationContext(this.#shared, caller);
  }

  /** Each API that the schema shows, with its setting, its state, and the end of its last calls. Calls nothing. */
  reports(): readonly UpstreamReport[] {
    const { config, apis } = this.#shared;
    const urls = addressesOf(config);
    const shown = apiNames.filter((name) => config.PUBLIC !== 'true' || rows[name].isPublic);
    return shown.map((name) => {
      const { api, state, last } = apis[name].upstream;
      return { api, url: urls[name], state, last };
    });
  }

  /** The counts of each API that has an address. */
  figures(): readonly UpstreamFigures[] {
    const { apis } = this.#shared;
    return apiNames
      .filter((name) => apis[name].upstream.hasAddress)
      .map((name) => {
        const { upstream, readCost, calls, cache } = apis[name];
        return {
          api: name,
          isOpen: upstream.state === 'open',
          waiting: upstream.waiting,
          sharedReads: calls?.joined ?? 0,
          asksForPacked: upstream.compression.isOn,
          choices: readCost.choices(),
          answers: cache?.counts,
        };
      });
  }

  /** Makes connections with these certificates from now on. No call is lost. */
  renew(contexts: UpstreamContexts): void {
    for (const name of apiNames) this.#shared.apis[name].upstream.renew(contexts[name]);
  }

  /**
   * Cancels all calls and starts again with nothing learned: no cached response, breaker, pause, or cost of a read. Receipts of
   * writes are not found any more, unless HASH_SECRET names them for several processes.
   */
  async reset(): Promise<void> {
    await this.close();
    this.#shared.answers?.clear();
    this.#shared = {
      ...this.#shared,
      apis: this.#createApis(),
      receiptNames: new ReceiptNames(keyedHash(this.#shared.config)),
      listEnds: new ListEnds(),
    };
  }

  /** Closes all connections and cancels the calls on them. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.#shared.apis).map(({ upstream }) => upstream.close()));
  }
}

function limitsOf(config: Config): Limits {
  return {
    nodes: config.MAX_NODES,
    entities: config.MAX_ENTITIES,
    pageSize: config.MAX_PAGE_SIZE,
    bulkItems: config.MAX_BULK,
    bulkMs: config.BULK_TIMEOUT_MS,
  };
}

/**
 * Whether identical reads share calls: where this process knows all writes through gateways. Redis tells it of those of other
 * processes, which is read for kept answers only.
 */
export function sharesReads(config: Config): boolean {
  return config.SHARE_READS !== 'false' && (!config.REDIS_URL || trustsKept(config));
}

/** Whether the bearer token is sent to the CRM: when it has the origin of ACCOUNT_URL, or CRM_SHARES_TOKEN is true. */
export function sharesToken({ ACCOUNT_URL, CRM_URL, CRM_SHARES_TOKEN }: Config): boolean {
  return CRM_SHARES_TOKEN === 'true' || (ACCOUNT_URL !== undefined && ACCOUNT_URL.origin === CRM_URL?.origin);
}
