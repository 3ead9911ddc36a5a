import type { Server } from 'node:http';
import { type GraphQLSchema, isInterfaceType } from 'graphql';
import type { Logger } from 'pino';
import { hasCertificates, readCertificates } from '../calls/transport/certificates.ts';
import { type Config, ConfigError } from '../config.ts';
import type { WriteOutcome } from '../errors.ts';
import { Connections } from './connections.ts';
import { introspectionSizes } from '../operation/cost/document-cost.ts';
import type { Pipeline } from '../operation/documents/check.ts';
import { FastPath } from './fast-path.ts';
import { createGraphqlServer } from './graphql-server.ts';
import { type GatewayParts, logWarnings, openParts, type PartsOptions } from './gateway-parts.ts';
import { createHttpServer, isSecure, renewServer } from './http-server.ts';
import { Overload } from './overload/overload.ts';
import { hasGraphiql } from './pages/graphiql.ts';
import { Pages, type PagesOptions } from './pages/pages.ts';
import { Shutdown } from './shutdown.ts';
import { errorBody } from './steps.ts';
import { createPipeline } from './pipeline.ts';
import { createLog, logsUncaught, standardError } from '../observe/log.ts';
import { listen } from '../system.ts';
import type { Metrics } from '../observe/metrics/metrics.ts';

export interface GatewayOptions extends PartsOptions, PagesOptions {
  /** Receives the log lines; by default they go to standard error. */
  readonly log?: Logger;
}

export interface Gateway {
  /** Base URL such as `http://127.0.0.1:4000`, https with TLS_CERT, without a trailing slash. */
  readonly url: string;
  /** Logs the stack of an error that nobody in the process handled. */
  readonly logUncaught: (stack: string) => void;
  /** Undefined unless METRICS_PORT is set. `cli` serves them. */
  readonly metrics: Metrics | undefined;
  /**
   * Reads the files of certificates again, for connections from now on, and the manifests of trusted documents, for requests
   * from now on. With a bad file the old ones stay. A line is logged for each of the two.
   */
  readonly renew: () => Promise<void>;
  /**
   * Cancels all calls to upstreams and forgets what was learned from them and their receipts, so that one gateway can serve many
   * tests. Counts of rates stay.
   */
  reset(): Promise<void>;
  /**
   * Begins the shutdown: `/ready` answers 503, and each response asks the client to close its connection. Resolves when
   * `close` loses no request, after a quarter of SHUTDOWN_TIMEOUT_MS at the latest.
   */
  beginShutdown(): Promise<void>;
  /**
   * Accepts no new connection and waits for the requests in flight. SHUTDOWN_TIMEOUT_MS after the begin of the shutdown it
   * answers the remaining ones with 503. Then it closes all connections.
   */
  close(): Promise<void>;
}

/** Starts the gateway over the upstreams that the settings name. Resolves once it accepts connections. */
export async function createGateway(config: Config, options: GatewayOptions = {}): Promise<Gateway> {
  const log = options.log ?? createLog(config.LOG_LEVEL, await standardError());
  const parts = await openParts(config, log, options);
  const { upstreams, turns, store, metrics } = parts;
  const yoga = createGraphqlServer(parts);
  const server = createHttpServer(config, parts.certificates.own);
  const connections = new Connections(server, config, log);
  const shutdown = new Shutdown(server, connections, config.SHUTDOWN_TIMEOUT_MS);
  const overload = new Overload(server, shutdown, parts);
  const answer = createPipeline(parts, {
    connections,
    shutdown,
    pages: hasGraphiql(config) ? new Pages(parts, options) : undefined,
    overload,
    fastPath: new FastPath(parts, yoga),
    yoga,
  });
  server.on('request', answer);

  metrics?.readFrom({ turns, overload, connections, upstreams, redis: store, receipts: parts.receipts });
  const pipeline = yoga.getEnveloped({});
  let url: string;
  try {
    readTypes(pipeline.schema);
    await parts.persisted?.read(pipeline);
    url = await listen(
      server,
      { port: config.PORT, host: config.HOST, backlog: BACKLOG },
      isSecure(server) ? 'https' : 'http',
    );
  } catch (error) {
    await parts.close(() => 0);
    throw error;
  }
  return {
    url,
    logUncaught: logsUncaught(log),
    metrics,
    renew: createRenewal(server, parts, pipeline),
    reset: () => upstreams.reset(),
    beginShutdown: () => shutdown.begin(),
    close: async () => {
      await shutdown.drain(unfinished, parts.headersFor);
      await parts.close(() => shutdown.msLeft);
    },
  };
}

/**
 * Reads what depends on all types of the schema, before the first operation needs it: with typed databases that takes up to half a
 * second.
 */
function readTypes(schema: GraphQLSchema): void {
  introspectionSizes(schema);
  const query = schema.getQueryType();
  for (const type of Object.values(schema.getTypeMap()))
    if (query && isInterfaceType(type)) schema.isSubType(type, query);
}

/** The response to a request that was not answered before the gateway had to end. */
const unfinished = (outcome: WriteOutcome) =>
  errorBody(
    'The gateway is shutting down and could not finish this request in time. A write in it may have been applied.',
    { code: 'SHUTTING_DOWN', outcome },
  );

/** Creates the function that reads the files of certificates and of trusted documents again, at one call after the other. */
function createRenewal(server: Server, parts: GatewayParts, pipeline: Pipeline): Gateway['renew'] {
  const { config, log, persisted } = parts;
  const renew = async () => {
    if (!server.listening) return;
    if (hasCertificates(config)) await readAgain('certificates', log, () => renewCertificates(server, parts));
    if (config.TRUSTED_DOCUMENTS.length > 0) await readAgain('trusted documents', log, () => persisted?.read(pipeline));
  };
  let last = Promise.resolve();
  return () => (last = last.then(renew));
}

function renewCertificates(server: Server, { config, log, upstreams }: GatewayParts): void {
  const certificates = readCertificates(config);
  renewServer(server, certificates.own);
  upstreams.renew(certificates.upstreams);
  logWarnings(log, certificates);
}

/** Reads files of the settings again. With a bad file the old ones stay. */
async function readAgain(files: string, log: Logger, read: () => unknown): Promise<void> {
  try {
    await read();
    log.info(`${files} were read again`);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    log.error({ reason: error.message }, `${files} cannot be read again: the old ones stay`);
  }
}

/** The number of connections that may wait to be accepted, where the kernel allows it: Linux keeps `net.core.somaxconn`, 4096 by default. */
const BACKLOG = 4096;
