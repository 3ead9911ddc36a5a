import type { DocumentNode } from 'graphql';
import type { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { addressesOf } from '../apis/apis.ts';
import { type Certificates, readCertificates } from '../calls/transport/certificates.ts';
import { type Config, ConfigError } from '../config.ts';
import type { CredentialHints } from '../operation/credentials.ts';
import { reportingOnce } from '../apis/flex/visitor.ts';
import type { UpstreamChange } from '../calls/transport/breaker.ts';
import { allCallObservers, type CallObserver } from '../calls/transport/call-observer.ts';
import { longestLeaseMs } from '../calls/preconditions/precondition.ts';
import { Turns } from '../calls/transport/turns.ts';
import { driftLog } from '../typed-flex/flex-schema.ts';
import { openReceipts } from '../idempotency/open.ts';
import type { Receipts } from '../idempotency/receipts.ts';
import type { Metrics } from '../observe/metrics/metrics.ts';
import { createMetrics } from '../observe/metrics/start.ts';
import { allOperationObservers, type OperationObserver } from '../operation/operation-observer.ts';
import { startTracing } from '../observe/opentelemetry/start.ts';
import { LocalTurns } from '../calls/preconditions/local-turns.ts';
import { keyedHash, openStore } from '../redis/redis.ts';
import type { SharedStore } from '../redis/shared-store.ts';
import { ResponseCaches } from '../apis/response-caches.ts';
import { trustsKept } from '../calls/cache/settings.ts';
import { type ServedSchema, servedSchema } from '../apis/served-schema.ts';
import { sharesReads, type UpstreamReport, Upstreams } from '../apis/upstreams.ts';
import { OperationCosts } from '../operation/cost/operation-costs.ts';
import type { OpenDocuments } from '../operation/documents/open.ts';
import { createDocumentCache } from '../operation/document-cache.ts';
import type { OperationParts } from '../operation/run-operation.ts';
import { responseHeaders } from './origins.ts';
import type { RateLimits, RateLimitsOptions } from './rate-limits/rate-limits.ts';
import type { ResponseHeaders } from './steps.ts';

export interface PartsOptions {
  /** Complete the errors of missing and refused credentials. */
  readonly hints?: CredentialHints | undefined;
  readonly observers?: readonly Observers[];
}

/** Observe the operations of a gateway and their calls to upstreams. */
export interface Observers {
  readonly operations?: OperationObserver | undefined;
  readonly calls?: CallObserver | undefined;
}

/** The parts of a gateway behind its HTTP server, for the life of the process. */
export interface GatewayParts {
  readonly config: Config;
  readonly log: Logger;
  readonly headersFor: ResponseHeaders;
  readonly served: ServedSchema;
  readonly certificates: Certificates;
  readonly upstreams: Upstreams;
  readonly turns: Turns;
  readonly operations: OperationParts;
  /** The documents that were parsed, by their text. */
  readonly documents: LRUCache<string, DocumentNode>;
  readonly store: SharedStore | undefined;
  /** The documents that requests name by an id. Undefined where no setting makes any known. */
  readonly persisted: OpenDocuments | undefined;
  readonly receipts: Receipts | undefined;
  readonly rateLimits: RateLimits | undefined;
  readonly metrics: Metrics | undefined;
  /**
   * The entries of the parts in the body of `/ready`, by key. It is asked at each request, is plain JSON, and holds no
   * address and no credential.
   */
  readonly readiness: () => object;
  /**
   * Closes the parts.
   *
   * @param msLeft how long the last spans may take to be sent, in milliseconds. It is asked when all else is closed
   */
  readonly close: (msLeft: () => number) => Promise<void>;
}

/**
 * Opens the parts of a gateway.
 *
 * @throws ConfigError for files of the settings, and a Redis, that cannot be used. Nothing stays open then
 */
export async function openParts(config: Config, log: Logger, options: PartsOptions): Promise<GatewayParts> {
  const served = await servedSchema(config);
  const certificates = readCertificates(config);
  logWarnings(log, certificates);
  const hash = keyedHash(config);
  const store = await openStore(config, hash, log);
  if (/^(?:CLUSTERDOWN|CROSSSLOT|MOVED)$/.test(store?.report.redisReason ?? '')) {
    await store?.close();
    throw new ConfigError('REDIS_URL names a Redis Cluster, which divides the keys of one script: see docs/scale.md.');
  }
  const tracing = await startTracing(config, addressesOf(config), log);
  const metrics = await createMetrics(config);
  const own = [tracing, metrics].filter((observer) => observer !== undefined);
  const observers = [...(options.observers ?? []), ...own];
  const observer = allOperationObservers(observers.map(({ operations }) => operations));
  const persisted = await openDocuments(config);
  const headersFor = responseHeaders(config);
  const rateLimits = await createRateLimits({ config, hash, log, observer, headersFor }, store);
  const turns = new Turns();
  const answers = await openAnswers(config, store);
  const receipts = await openReceipts(config, store, log);
  const recordTurns = store
    ? new (await import('../calls/preconditions/redis-turns.ts')).RedisTurns(
        store,
        longestLeaseMs(config.UPSTREAM_TIMEOUT_MS),
      )
    : new LocalTurns(hash);
  const definitions = served.watch?.(driftLog(log));
  const upstreams = new Upstreams(config, {
    answers,
    receipts,
    isFieldName: served.isFieldName,
    hints: options.hints,
    turns,
    recordTurns,
    certificates,
    onChange: (change) => {
      logUpstreamChange(log, change);
      metrics?.countBreakerChange(change);
    },
    observer: allCallObservers(observers.map(({ calls }) => calls)),
    startTrace: tracing?.startTrace,
    typedBase: served.typedBase,
    databaseWatch: definitions,
    onConnectFailure: ({ message, ...failure }) => log.warn(failure, message),
    onUnlistedCookie: reportingOnce((cookieName) => log.warn({ cookieName }, UNLISTED_COOKIE)),
  });
  const operations: OperationParts = {
    maxBytes: config.MAX_RESPONSE_BYTES,
    log,
    costs: new OperationCosts(config),
    observer,
    trusted: persisted?.documents,
  };
  const documents = createDocumentCache(config.DOCUMENT_CACHE_BYTES);
  const readiness = () => ({
    upstreams: apiReadiness(upstreams.reports()),
    ...store?.report,
    ...(definitions && { flexSchema: definitions.report() }),
  });
  const close = async (msLeft: () => number) => {
    answers?.close();
    await upstreams.close();
    await receipts?.close();
    await store?.close();
    await tracing?.shutdown(msLeft());
    metrics?.close();
  };
  const made = { config, log, headersFor, served, operations, documents, certificates, upstreams, turns };
  return { ...made, store, persisted, receipts, rateLimits, metrics, readiness, close };
}

const UNLISTED_COOKIE = 'a public method set a cookie that is not passed on: its name is not in FLEX_COOKIES';

function logUpstreamChange(log: Logger, { isOpen, ...change }: UpstreamChange): void {
  if (isOpen) log.warn({ ...change, state: 'open' }, 'upstream fails: it is not called for now');
  else log.info({ ...change, state: 'closed' }, 'upstream answers: it is called again');
}

/** Logs which certificates are not valid now. */
export function logWarnings(log: Logger, { warnings }: Certificates): void {
  for (const reason of warnings) log.warn({ reason }, 'a certificate is not valid now');
}

// Optional features: the code of each is loaded when its settings ask for it.

/** Undefined without RATE_LIMIT. */
async function createRateLimits(
  options: RateLimitsOptions,
  store: SharedStore | undefined,
): Promise<RateLimits | undefined> {
  if (options.config.RATE_LIMIT === 0 && options.config.RATE_LIMIT_ADDRESS === 0) return undefined;
  const { RateLimits } = await import('./rate-limits/rate-limits.ts');
  const shared = store && new (await import('./rate-limits/redis-counts.ts')).RedisCounts(store);
  return new RateLimits(options, shared);
}

/** Opens the documents that requests name by an id. Without a setting of theirs their code is not loaded. */
async function openDocuments(config: Config): Promise<OpenDocuments | undefined> {
  if (config.TRUSTED_DOCUMENTS.length === 0 && config.APQ_CACHE_BYTES === 0) return undefined;
  const documents = await import('../operation/documents/open.ts');
  return documents.openDocuments(config);
}

/** The response caches with their staleness tables, for kept answers and for shared reads. Undefined where there are neither. */
async function openAnswers(config: Config, store: SharedStore | undefined): Promise<ResponseCaches | undefined> {
  if (config.ANSWER_CACHE_BYTES === 0 && !sharesReads(config)) return undefined;
  const shared =
    store && trustsKept(config) && new (await import('../calls/cache/redis-generations.ts')).RedisGenerations(store);
  return new ResponseCaches(config, { shared: shared || undefined });
}

/** An API in the body of `/ready`. */
interface ApiReadiness {
  /** `open` while it is not called because it failed too often; `failing` when it failed at the last call. */
  readonly state: 'ok' | 'failing' | 'open';
  /** The end of the last calls of this process. A key is absent as long as no call has ended so. */
  readonly last: {
    /** `status` is a class such as `2xx`: an answer of 5xx is an answer, too. `ms` is the duration of the call. */
    readonly answered?: { readonly at: string; readonly status: string; readonly ms: number };
    /** No connection, or no complete answer in time. */
    readonly failed?: { readonly at: string };
  };
}

/** Each API that has an address, by its name. */
function apiReadiness(reports: readonly UpstreamReport[]): Readonly<Record<string, ApiReadiness>> {
  const entries = reports.flatMap(({ api, state, last }) => {
    if (!state || !last) return [];
    const { answeredAt, answerMs, answerStatus, failedAt } = last;
    const status = `${Math.floor(answerStatus / 100)}xx`;
    const answered = answeredAt > 0 && { answered: { at: isoTime(answeredAt), status, ms: Math.round(answerMs) } };
    const failed = failedAt > 0 && { failed: { at: isoTime(failedAt) } };
    const isFailing = failedAt > answeredAt || answerStatus >= 500;
    const shown = state === 'ok' && isFailing ? 'failing' : state;
    return [[api.name, { state: shown, last: { ...answered, ...failed } }] as const];
  });
  return Object.fromEntries(entries);
}

/** @param at as `performance.now()` told it */
function isoTime(at: number): string {
  return new Date(Date.now() - (performance.now() - at)).toISOString();
}
