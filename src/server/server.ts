import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createYoga, type GraphiQLOptions, type Plugin, type YogaServerInstance } from 'graphql-yoga';
import { pino, type Logger } from 'pino';
import type { Config } from '../config.ts';
import type { PluginContext } from '../context.ts';
import { Upstreams } from '../upstreams.ts';
import { graphiqlPage } from './graphiql.ts';
import { createDocumentCache } from './plugins/document-cache.ts';
import { publicError, reportUnexpected } from './errors/public-error.ts';
import { useIncrementalDelivery } from './incremental/incremental-delivery.ts';
import { useLimits } from './plugins/limits.ts';
import { useNotices, useOutcomes } from './plugins/notices.ts';
import { useOperationLog } from './plugins/operation-log.ts';
import { useErrorLimit, usePublicErrors } from './plugins/public-errors.ts';
import { callerOf, errorBody, refusedRequest } from './request.ts';
import { createLog } from '../log.ts';
import { schema, subgraph } from '../schema.ts';

/** The context that Yoga passes to its hooks: Node's request and response. */
interface ServerContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

export interface GatewayOptions {
  /** Tabs and headers that GraphiQL opens with. */
  readonly graphiql?: GraphiQLOptions;
  /** Receives the log lines; by default they go to standard error. */
  readonly log?: Logger;
}

export interface Gateway {
  /** Base URL such as `http://127.0.0.1:4000`, without a trailing slash. */
  readonly url: string;
  /** Accepts no new request, waits up to SHUTDOWN_TIMEOUT_MS for those in flight, then closes all connections. */
  close(): Promise<void>;
}

const ENDPOINT = '/graphql';

/** Starts the gateway over the upstreams that the settings name. Resolves once it accepts connections. */
export async function createGateway(config: Config, options: GatewayOptions = {}): Promise<Gateway> {
  const log = options.log ?? createLog(config.LOG_LEVEL, pino.destination(2));
  const upstreams = new Upstreams(config);
  const yoga = createGraphqlServer(upstreams, config, log, options.graphiql);

  let closing = false;
  // Duplicate headers are joined, so that two credentials are malformed. By default Node would drop the second one.
  const server = createServer({ joinDuplicateHeaders: true }, (request, response) => {
    // While the server closes, a kept-alive connection would delay the shutdown.
    response.once('close', () => closing && server.closeIdleConnections());
    const [path] = request.url?.split('?', 1) ?? [];
    if (path === '/health' || path === '/ready') return sendJson(response, 200, { status: 'ok' });
    if (path !== ENDPOINT) return sendJson(response, 404, errorBody('There is nothing here: GraphQL is at /graphql.'));
    const refused = refusedRequest(request);
    if (refused) return sendJson(response, refused.status, refused.body);
    if (request.method === 'POST') request.headers['content-type'] = 'application/json'; // Yoga compares it exactly
    return yoga(request, response);
  });

  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });

  await listening(server, config).catch(async (error: unknown) => {
    await upstreams.close();
    throw error;
  });
  return {
    url: urlOf(server),
    close: async () => {
      closing = true;
      // Node does not count a connection without any request as idle. A client that opened one would delay the shutdown.
      for (const connection of connections) if (connection.bytesRead === 0) connection.destroy();
      await drain(server, config.SHUTDOWN_TIMEOUT_MS);
      await upstreams.close();
    },
  };
}

function createGraphqlServer(
  upstreams: Upstreams,
  config: Config,
  log: Logger,
  graphiql: GraphiQLOptions | undefined,
): YogaServerInstance<ServerContext, PluginContext> {
  const withGraphiql = config.GRAPHIQL === 'auto' ? config.NODE_ENV !== 'production' : config.GRAPHIQL === 'true';
  return createYoga<ServerContext, PluginContext>({
    schema: config.SUBGRAPH === 'true' ? subgraph().schema : schema,
    graphqlEndpoint: ENDPOINT,
    context: ({ req, res }) => ({ operation: upstreams.context(callerOf(req, res, config, log)) }),
    plugins: [
      useLimits(config),
      useIncrementalDelivery(),
      useOperationContext(),
      useNotices(),
      usePublicErrors(log),
      useOutcomes(),
      useOperationLog(log),
      useErrorLimit(),
      useStreamingHeaders,
    ],
    maskedErrors: { maskError: (error) => publicError(error, reportUnexpected(log)) },
    logging: false, // `useOperationLog` writes one line per operation
    graphiql: withGraphiql && { title: 'trivium', ...graphiql },
    renderGraphiQL: graphiqlPage,
    // For an origin that is not listed Yoga would allow `null`, which is the origin of sandboxed pages. So CORS is off for it.
    cors: ({ headers }) =>
      config.CORS_ORIGINS.includes(headers.get('origin') ?? '') && {
        origin: [...config.CORS_ORIGINS],
        methods: ['GET', 'POST'],
        credentials: config.FLEX_COOKIES.length > 0,
      },
    parserAndValidationCache: {
      documentCache: createDocumentCache(config.DOCUMENT_CACHE_BYTES),
      // No cache of errors: with one, the hooks that log a refused document would not run for its repetition.
      errorCache: { get: () => undefined, set: () => undefined },
    },
    maxRequestBodySize: config.MAX_REQUEST_BYTES,
    multipart: false,
    landingPage: false,
  });
}

/**
 * Passes only the context of the operation to resolvers. Yoga's plugins extend their own context by assignment, which would
 * read every getter of the operation's context, and so create every data source.
 *
 * @internal exported for the tests
 */
export function useOperationContext(): Plugin<PluginContext> {
  return {
    onExecute: ({ executeFn, setExecuteFn }) => {
      setExecuteFn((args) => executeFn({ ...args, contextValue: args.contextValue.operation }));
    },
  };
}

/** Removes headers that Yoga sets on a response in parts. */
const useStreamingHeaders: Plugin<object, ServerContext> = {
  onResponse: ({ response: { headers }, serverContext: { res } }) => {
    // Yoga sends `no-cache` with an event stream, which allows caches to store it. A `no-store` set before has to stay.
    if (res.hasHeader('cache-control')) headers.delete('cache-control');
    // Node sets these headers itself: HTTP/1.0 has neither chunks nor keep-alive, and a caller may send `connection: close`.
    for (const ofTheConnection of ['connection', 'transfer-encoding']) headers.delete(ofTheConnection);
  },
};

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
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
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}

/** Closes the server. Resolves when all requests in flight are answered; cuts off those that take longer than `timeoutMs`. */
async function drain(server: Server, timeoutMs: number): Promise<void> {
  const cutOffTimer = setTimeout(() => server.closeAllConnections(), timeoutMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(cutOffTimer);
}
