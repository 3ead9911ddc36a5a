import type { IncomingMessage, ServerResponse } from 'node:http';
import { createYoga, type GraphiQLOptions, type YogaServerInstance } from 'graphql-yoga';
import type { DocumentNode } from 'graphql';
import type { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { PluginContext } from '../context.ts';
import { schema, subgraph } from '../schema.ts';
import type { Upstreams } from '../upstreams.ts';
import { OperationCosts, wantsCost } from './cost/operation-costs.ts';
import { corsOptions } from './cors.ts';
import { publicError, reportUnexpected } from './errors/public-error.ts';
import { GraphiqlPage, hasGraphiql } from './graphiql.ts';
import { useIncrementalDelivery } from './incremental/incremental-delivery.ts';
import { useLimits } from './plugins/limits.ts';
import { useOperations } from './plugins/operations.ts';
import { useOutcomes } from './plugins/outcomes.ts';
import { useRefusals } from './plugins/refusals.ts';
import { useSuggestions } from './plugins/suggestions.ts';
import { callerOf } from './request.ts';
import { useResponseHeaders } from './response-headers.ts';

/** The path of the GraphQL endpoint. */
export const ENDPOINT = '/graphql';

/** The context that Yoga passes to its hooks: Node's request and response. */
interface ServerContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

export type GraphqlServer = YogaServerInstance<ServerContext, PluginContext>;

interface GraphqlServerOptions {
  readonly upstreams: Upstreams;
  readonly config: Config;
  readonly log: Logger;
  readonly documents: LRUCache<string, DocumentNode>;
  readonly graphiql: GraphiQLOptions | undefined;
}

/** Creates the GraphQL server: the schema, the plugins of an operation, and GraphiQL. */
export function createGraphqlServer({
  upstreams,
  config,
  log,
  documents,
  graphiql,
}: GraphqlServerOptions): GraphqlServer {
  const graphiqlPage = new GraphiqlPage();
  return createYoga<ServerContext, PluginContext>({
    schema: config.SUBGRAPH === 'true' ? subgraph().schema : schema,
    graphqlEndpoint: ENDPOINT,
    context: ({ req, res }) => ({
      operation: upstreams.context(callerOf(req, res, config, log)),
      wantsCost: wantsCost(req.headers),
    }),
    plugins: [
      useLimits(config),
      useIncrementalDelivery(),
      useOperations(log, new OperationCosts(config)),
      useRefusals(log),
      useOutcomes(),
      useSuggestions(config),
      useResponseHeaders,
      graphiqlPage.usePolicy,
    ],
    maskedErrors: { maskError: (error) => publicError(error, reportUnexpected(log)) },
    logging: false, // `useOperations` writes one line per operation
    graphiql: hasGraphiql(config) && { title: 'trivium', ...graphiql },
    renderGraphiQL: graphiqlPage.render,
    cors: ({ headers }) => corsOptions(headers.get('origin'), config),
    parserAndValidationCache: {
      documentCache: documents,
      // No cache of errors: with one, the hooks that log a refused document would not run for its repetition.
      errorCache: { get: () => undefined, set: () => undefined },
    },
    maxRequestBodySize: config.MAX_REQUEST_BYTES,
    multipart: false,
    landingPage: false,
  });
}
