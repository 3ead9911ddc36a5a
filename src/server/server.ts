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
import { useOperationLog } from './plugins/operation-log.ts';
import { useErrorLimit, usePublicErrors } from './plugins/public-errors.ts';
import { callerOf, errorOf, refusedRequest } from './request.ts';
import { createLog } from '../log.ts';
import { schema, subgraph } from '../schema.ts';

/** What Yoga's hooks get of a request: node's own objects. */
interface ServerContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

export interface GatewayOptions {
  /** Tabs and headers that GraphiQL opens with. */
  readonly graphiql?: GraphiQLOptions;
  /** Where log lines go; by default to standard error. */
  readonly log?: Logger;
}

export interface Gateway {
  /** `http://127.0.0.1:4000`, without a trailing slash. */
  readonly url: string;
  /** Takes no new request, waits for those in flight as long as SHUTDOWN_TIMEOUT_MS, then ends. */
  close(): Promise<void>;
}

const ENDPOINT = '/graphql';

/** Starts the gateway over the upstreams that the settings name. Resolves once it accepts connections. */
export async function createGateway(config: Config, options: GatewayOptions = {}): Promise<Gateway> {
  const log = options.log ?? createLog(config.LOG_LEVEL, pino.destination(2));
  const upstreams = new Upstreams(config);
  const yoga = createGraphqlServer(upstreams, config, log, options.graphiql);

  let closing = false;
  // A header that comes twice is joined, and thereby malformed where one is meant: node would drop the second credential.
  const server = createServer({ joinDuplicateHeaders: true }, (request, response) => {
    // Without this a connection that is kept alive would hold up the end.
    response.once('close', () => closing && server.closeIdleConnections());
    const [path] = request.url?.split('?', 1) ?? [];
    if (path === '/health' || path === '/ready') return answer(response, 200, { status: 'ok' });
    if (path !== ENDPOINT) return answer(response, 404, errorOf('There is nothing here: GraphQL is at /graphql.'));
    const refused = refusedRequest(request);
    if (refused) return answer(response, refused.status, refused.body);
    if (request.method === 'POST') request.headers['content-type'] = 'application/json'; // Yoga minds case and spaces
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
      // To node a connection is not idle before its first request: one that a client keeps in reserve would hold up the end.
      for (const connection of connections) if (connection.bytesRead === 0) connection.destroy();
      await drained(server, config.SHUTDOWN_TIMEOUT_MS);
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
      usePublicErrors(log),
      useOperationLog(log),
      useErrorLimit(),
      useStreamingHeaders,
    ],
    maskedErrors: { maskError: (error) => publicError(error, reportUnexpected(log)) },
    logging: false, // one line an operation is written by our own plugin
    graphiql: withGraphiql && { title: 'trivium', ...graphiql },
    renderGraphiQL: graphiqlPage,
    // Yoga answers `null` to an origin that is not listed, and so lets in every page whose origin is just that.
    cors: ({ headers }) =>
      config.CORS_ORIGINS.includes(headers.get('origin') ?? '') && {
        origin: [...config.CORS_ORIGINS],
        methods: ['GET', 'POST'],
        credentials: config.FLEX_COOKIES.length > 0,
      },
    parserAndValidationCache: {
      documentCache: createDocumentCache(config.DOCUMENT_CACHE_BYTES),
      // Else the second of two equal documents that are refused would pass by the log.
      errorCache: { get: () => undefined, set: () => undefined },
    },
    maxRequestBodySize: config.MAX_REQUEST_BYTES,
    multipart: false,
    landingPage: false,
  });
}

/**
 * Gives resolvers the context of their operation alone. Plugins extend theirs by assignment, which would make every data
 * source of the operation: it makes each when it is first asked for.
 */
export function useOperationContext(): Plugin<PluginContext> {
  return {
    onExecute: ({ executeFn, setExecuteFn }) => {
      setExecuteFn((args) => executeFn({ ...args, contextValue: args.contextValue.operation }));
    },
  };
}

/** What Yoga says of an answer in parts, and should not. */
const useStreamingHeaders: Plugin<object, ServerContext> = {
  onResponse: ({ response: { headers }, serverContext: { res } }) => {
    // An event stream may be stored, `no-cache`: where that was forbidden, it stays so.
    if (res.hasHeader('cache-control')) headers.delete('cache-control');
    // Chunks on a connection that stays are for node to say: HTTP/1.0 has neither, and a caller may want it closed.
    for (const ofTheConnection of ['connection', 'transfer-encoding']) headers.delete(ofTheConnection);
  },
};

function answer(response: ServerResponse, status: number, body: object): void {
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

/** Ends when every request in flight has been answered, or by cutting off those that take longer than `timeoutMs`. */
async function drained(server: Server, timeoutMs: number): Promise<void> {
  const cutOff = setTimeout(() => server.closeAllConnections(), timeoutMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(cutOff);
}
