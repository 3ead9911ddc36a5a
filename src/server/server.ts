import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { GraphiQLOptions } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { Upstreams } from '../upstreams.ts';
import { Connections, connectionLimits } from './connections.ts';
import { crossSiteCheck } from './cross-site.ts';
import { DirectPosts } from './direct/direct-posts.ts';
import { createGraphqlServer, ENDPOINT } from './graphql-server.ts';
import { createDocumentCache } from './plugins/document-cache.ts';
import { errorBody, refusedRequest } from './request.ts';
import { responseHeaders } from './response-headers.ts';
import { createLog, standardError } from '../log.ts';

export interface GatewayOptions {
  /** Tabs and headers that GraphiQL opens with. */
  readonly graphiql?: GraphiQLOptions;
  /** Receives the log lines; by default they go to standard error. */
  readonly log?: Logger;
  /** The number of this process among several, for the log. */
  readonly worker?: number;
}

export interface Gateway {
  /** Base URL such as `http://127.0.0.1:4000`, without a trailing slash. */
  readonly url: string;
  /** Accepts no new request, waits up to SHUTDOWN_TIMEOUT_MS for those in flight, then closes all connections. */
  close(): Promise<void>;
}

/** Starts the gateway over the upstreams that the settings name. Resolves once it accepts connections. */
export async function createGateway(config: Config, options: GatewayOptions = {}): Promise<Gateway> {
  const processLog = options.log ?? createLog(config.LOG_LEVEL, standardError(options.worker !== undefined));
  const log = options.worker === undefined ? processLog : processLog.child({ worker: options.worker });
  const upstreams = new Upstreams(config);
  const documents = createDocumentCache(config.DOCUMENT_CACHE_BYTES);
  const yoga = createGraphqlServer({ upstreams, config, log, documents, graphiql: options.graphiql });
  const directPosts = new DirectPosts({ yoga, upstreams, config, log, documents });
  const headersFor = responseHeaders(config);
  const checkCrossSite = crossSiteCheck(config);

  let closing = false;
  // Duplicate headers are joined, so that two credentials are malformed. By default Node would drop the second one.
  const server = createServer({ joinDuplicateHeaders: true, ...connectionLimits(config) }, (request, response) => {
    if (!openConnections.letsIn(request, response)) return;
    // While the server closes, a kept-alive connection would delay the shutdown.
    response.on('close', () => closing && server.closeIdleConnections());
    const path = pathOf(request.url);
    if (path === '/health' || path === '/ready') return sendJson(response, 200, { status: 'ok' });
    if (path !== ENDPOINT) return sendJson(response, 404, errorBody('There is nothing here: GraphQL is at /graphql.'));
    const crossSite = checkCrossSite(request);
    if (!crossSite && directPosts.serves(request)) return directPosts.serve(request, response);
    const refused = crossSite ?? refusedRequest(request);
    if (refused) return sendJson(response, refused.status, refused.body, headersFor(request.headers.origin));
    if (request.method === 'POST') request.headers['content-type'] = 'application/json'; // Yoga compares it exactly
    return yoga(request, response);
  });

  const openConnections = new Connections(server, config, log);
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

/** The path of a request target, without its query. */
function pathOf(target = ''): string {
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}

function sendJson(response: ServerResponse, status: number, body: object, headers: readonly string[] = []): void {
  response.writeHead(status, ['content-type', 'application/json; charset=utf-8', ...headers]).end(JSON.stringify(body));
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
