import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GraphiQLOptions } from 'graphql-yoga';
import type { Logger } from 'pino';
import { readCertificates } from '../certificates.ts';
import type { Config } from '../config.ts';
import type { CredentialHints } from '../credentials.ts';
import type { DemoCredentials } from './pages/home.ts';
import { keyedHash } from '../keyed-hash.ts';
import type { UpstreamChange } from '../http/transport/breaker.ts';
import { allCallObservers, type CallObserver } from '../http/transport/call-observer.ts';
import { Turns } from '../http/transport/turns.ts';
import { allOperationObservers, type OperationObserver } from '../operation-observer.ts';
import { startTracing } from '../opentelemetry/start.ts';
import type { SharedCounts } from '../rates/counts.ts';
import { servedSchema } from '../served-schema.ts';
import type { DefinitionWatch, Drift } from '../typed-flex/definition-watch.ts';
import type { TypedModel } from '../typed-flex/model.ts';
import { Upstreams } from '../upstreams.ts';
import { credentialFilter } from './anonymous.ts';
import { Connections } from './connections.ts';
import { DirectPosts } from './direct/direct-posts.ts';
import { createGraphqlServer } from './graphql-server.ts';
import { createHttpServer, isSecure } from './http-server.ts';
import { Overload } from './overload/overload.ts';
import { hasGraphiql } from './pages/graphiql.ts';
import { Pages } from './pages/pages.ts';
import { createDocumentCache } from './plugins/document-cache.ts';
import { apiReadiness, type ReadinessParts } from './readiness.ts';
import { logWarnings, renewCertificates } from './renewal.ts';
import { identify } from './request-id.ts';
import { errorBody } from './request.ts';
import { responseHeaders } from './response-headers.ts';
import { createRoutes } from './routes.ts';
import { createRateLimits, openAnswers, openDocuments, openStore } from './shared-state.ts';
import { Shutdown, type ShutdownOptions } from './shutdown.ts';
import type { SharedStore } from '../redis/shared-store.ts';
import { createLog, logsUncaught, standardError } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';

export interface GatewayOptions {
  /** Makes the tabs and headers that GraphiQL opens with, for the databases that have types. */
  readonly graphiql?: (model: TypedModel | undefined) => GraphiQLOptions;
  /** The credentials to show when the upstreams are the sandbox with its demo data. */
  readonly demo?: DemoCredentials;
  /** Complete the errors of missing and refused credentials. */
  readonly hints?: CredentialHints | undefined;
  /** Receives the log lines; by default they go to standard error. */
  readonly log?: Logger;
  /** The number of this process among several, for the log. */
  readonly worker?: number;
  /** Counts operations for several processes, for the limits of rates without Redis. */
  readonly counts?: SharedCounts;
  readonly observers?: readonly Observers[];
}

/** Observe the operations of a gateway and their calls to upstreams. */
export interface Observers {
  readonly operations?: OperationObserver | undefined;
  readonly calls?: CallObserver | undefined;
}

export interface Gateway {
  /** Base URL such as `http://127.0.0.1:4000`, https with TLS_CERT, without a trailing slash. */
  readonly url: string;
  /** Logs the stack of an error that nobody in the process handled. */
  readonly logUncaught: (stack: string) => void;
  /** Undefined unless METRICS_PORT is set. `cli` serves them, or sends them to the primary process. */
  readonly metrics: Metrics | undefined;
  /** Reads the files of certificates again, for connections from now on. With a bad file the old ones stay, and a line is logged. */
  readonly renewCertificates: () => void;
  /**
   * Begins the shutdown: `/ready` answers 503, and each response asks the client to close its connection. Resolves when
   * `close` loses no request, after a quarter of SHUTDOWN_TIMEOUT_MS at the latest.
   *
   * @param how with `isReplaced` another process serves the port already: `/ready` stays as it is, and no request is held
   */
  beginShutdown(how?: ShutdownOptions): Promise<void>;
  /**
   * Accepts no new connection and waits for the requests in flight. SHUTDOWN_TIMEOUT_MS after the begin of the shutdown it
   * answers the remaining ones with 503. Then it closes all connections.
   */
  close(): Promise<void>;
}

/** Starts the gateway over the upstreams that the settings name. Resolves once it accepts connections. */
export async function createGateway(config: Config, options: GatewayOptions = {}): Promise<Gateway> {
  const processLog = options.log ?? createLog(config.LOG_LEVEL, await standardError(options.worker !== undefined));
  const log = options.worker === undefined ? processLog : processLog.child({ worker: options.worker });
  const served = await servedSchema(config);
  const certificates = readCertificates(config);
  logWarnings(log, certificates);
  const tracing = await startTracing(config, log);
  const metrics = config.METRICS_PORT === undefined ? undefined : await createMetrics();
  const own = [tracing, metrics].filter((observer) => observer !== undefined);
  const observers = [...(options.observers ?? []), ...own];
  const observer = allOperationObservers(observers.map(({ operations }) => operations));
  const hash = keyedHash(config);
  const store = await openStore(config, hash, log);
  const persisted = await openDocuments(config, store).catch(async (error: unknown) => {
    await Promise.all([store?.close(), tracing?.shutdown(0)]);
    throw error;
  });
  const rateLimits = await createRateLimits(config, { hash, store, counts: options.counts, log, observer });
  const turns = new Turns();
  const answers = await openAnswers(config, store);
  const definitions = served.typed?.watch((drift, databases) => logDrift(log, drift, databases));
  const upstreams = new Upstreams(config, {
    answers,
    fieldNames: served.fieldNames,
    hints: options.hints,
    turns,
    certificates,
    onChange: (change) => {
      logUpstreamChange(log, change);
      metrics?.countBreakerChange(change);
    },
    observer: allCallObservers(observers.map(({ calls }) => calls)),
    startTrace: tracing?.startTrace,
    typedBase: served.typedBase,
    databaseWatch: definitions,
    onTlsFailure: (failure) => log.warn(failure, 'no TLS connection to an upstream'),
  });
  const documents = createDocumentCache(config.DOCUMENT_CACHE_BYTES);
  const yoga = createGraphqlServer({ served, upstreams, config, log, documents, observer, persisted });
  const directPosts = new DirectPosts({ yoga, upstreams, config, log, documents, observer, persisted });
  const headersFor = responseHeaders(config);
  const { demo, graphiql } = options;
  const ready = readinessParts({ worker: options.worker, upstreams, store, definitions });
  const pages = hasGraphiql(config) ? new Pages({ served, config, upstreams, demo, graphiql, log }) : undefined;

  const dropCredentials = credentialFilter(config);
  const server = createHttpServer(config, certificates.own, (request, response) => {
    if (!openConnections.letsIn(request, response)) return;
    identify(request);
    dropCredentials(request);
    shutdown.onRequest(response, () => route(request, response));
  });
  const openConnections = new Connections(server, config, log);
  const overload = new Overload(server, turns, config, log);
  const shutdown = new Shutdown(server, config.SHUTDOWN_TIMEOUT_MS);
  const answering = { yoga, directPosts, pages, ready, headersFor };
  const route = createRoutes({ ...answering, rateLimits, overload, shutdown, config, log, metrics });

  metrics?.readFrom({ turns, overload, connections: openConnections, upstreams, redis: store });
  try {
    persisted?.check(yoga.getEnveloped({}));
    await listening(server, config);
  } catch (error) {
    await Promise.all([upstreams.close(), store?.close(), tracing?.shutdown(0)]);
    throw error;
  }
  return {
    url: urlOf(server),
    logUncaught: logsUncaught(log),
    metrics,
    renewCertificates: () => {
      if (server.listening) renewCertificates(config, server, upstreams, log);
    },
    beginShutdown: (how) => shutdown.begin(how),
    close: async () => {
      await shutdown.drain(UNFINISHED, headersFor);
      answers?.close();
      await Promise.all([upstreams.close(), store?.close()]);
      await tracing?.shutdown(shutdown.msLeft);
      metrics?.close();
    },
  };
}

async function createMetrics(): Promise<Metrics> {
  const { Metrics } = await import('../metrics/metrics.ts');
  return new Metrics();
}

/** The response to a request that was not answered before the gateway had to end. */
const UNFINISHED = errorBody(
  'The gateway is shutting down and could not finish this request in time. A write in it may have been applied.',
  { code: 'SHUTTING_DOWN' },
);

function logUpstreamChange(log: Logger, { isOpen, ...change }: UpstreamChange): void {
  if (isOpen) log.warn({ ...change, state: 'open' }, 'upstream fails: it is not called for now');
  else log.info({ ...change, state: 'closed' }, 'upstream answers: it is called again');
}

interface TellingParts {
  readonly worker: number | undefined;
  readonly upstreams: Upstreams;
  readonly store: SharedStore | undefined;
  readonly definitions: DefinitionWatch | undefined;
}

function readinessParts({ worker, upstreams, store, definitions }: TellingParts): ReadinessParts {
  return {
    ...(worker !== undefined && { worker: () => worker }),
    upstreams: () => apiReadiness(upstreams.reports()),
    ...(store && { redis: () => store.state }),
    ...(definitions && { flexSchema: () => definitions.report() }),
  };
}

/** @param databases their keys in the snapshot: no text of a caller */
function logDrift(log: Logger, drift: Drift, databases: readonly string[]): void {
  const seen = {
    changed: 'a database has another definition than in FLEX_SCHEMA, whose types stay until the next start',
    missing: 'a caller does not have a database of FLEX_SCHEMA: it is gone, or of another account',
  };
  log.warn({ databases }, seen[drift]);
}

async function listening(server: Server, { HOST, PORT }: Config): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(PORT, HOST, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function urlOf(server: Server): string {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no address.');
  const scheme = isSecure(server) ? 'https' : 'http';
  return `${scheme}://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}
