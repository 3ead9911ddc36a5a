import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphiQLOptions } from 'graphql-yoga';
import type { TypedModel } from '../../typed-flex/model/model.ts';
import { sharesToken } from '../../upstreams/upstreams.ts';
import type { GatewayParts } from '../gateway-parts.ts';
import type { WatchedResponse } from '../http-server.ts';
import { type Next, refusalBody, sendJson } from '../steps.ts';
import { acceptsHtml, GraphiqlPage, rendersGraphiql } from './graphiql.ts';
import { type DemoCredentials, HOME_POLICY, renderHome, renderIndex } from './home.ts';
import { StaticFile } from './static-file.ts';

export interface PagesOptions {
  /** Makes the tabs and headers that GraphiQL opens with, for the databases that have types. */
  readonly graphiql?: (model: TypedModel | undefined) => GraphiQLOptions;
  /** The credentials to show when the upstreams are the sandbox with its demo data. */
  readonly demo?: DemoCredentials;
}

type PagesParts = Pick<GatewayParts, 'served' | 'config' | 'upstreams' | 'log' | 'headersFor'>;

const METHOD_NOT_ALLOWED = refusalBody('This page takes GET and HEAD. GraphQL is at /graphql.', {
  code: 'BAD_REQUEST',
});

/** The pages for people and their tools beside the GraphQL endpoint. They call no upstream and need no credential. */
export class Pages {
  readonly #parts: PagesParts;
  readonly #demo: DemoCredentials | undefined;
  readonly #graphiql: GraphiqlPage;
  #schema: StaticFile | undefined;

  constructor(parts: PagesParts, { graphiql, demo }: PagesOptions) {
    const { served, config, log } = parts;
    this.#parts = parts;
    this.#demo = demo;
    this.#graphiql = new GraphiqlPage({
      options: graphiql?.(served.model) ?? {},
      traces: config.TRACE === 'true',
      log,
    });
  }

  /**
   * Answers a request of any path but /graphql. A promise where that takes a while.
   *
   * @param notFound answers when there is no such page
   */
  answer(path: string, request: IncomingMessage, response: ServerResponse, notFound: () => void): unknown {
    const isFile = path.startsWith(GraphiqlPage.folder);
    if (!isFile && path !== '/' && path !== '/schema.graphql') return notFound();
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return sendJson(response, 405, METHOD_NOT_ALLOWED, ['allow', 'GET, HEAD']);
    if (isFile) return this.#graphiql.answerFile(path, request, response, notFound);
    if (path === '/schema.graphql') return this.#schemaFile().answer(request, response);
    return acceptsHtml(request) ? this.#home(request, response) : this.#index(request, response);
  }

  /** Answers a request of /graphql with the GraphiQL page, where it is one for it. */
  answerGraphiql(request: IncomingMessage, response: WatchedResponse, next: Next): void {
    const { config, headersFor } = this.#parts;
    if (!rendersGraphiql(request, config)) return next(request, response);
    this.#graphiql.answer(request, response, headersFor(request.headers));
  }

  #home({ method, headers }: IncomingMessage, response: ServerResponse): void {
    const { config, upstreams } = this.#parts;
    const page = renderHome({
      apis: upstreams.reports(),
      demo: config.PUBLIC === 'true' ? undefined : this.#demo,
      crmSharesToken: sharesToken(config),
      isSubgraph: config.SUBGRAPH === 'true',
      isPublic: config.PUBLIC === 'true',
      basePath: config.BASE_PATH,
      scheme: config.TLS_CERT === '' ? 'http' : 'https',
      host: headers.host,
      now: performance.now(),
    });
    const body = Buffer.from(page);
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': HOME_POLICY,
      'cache-control': 'private, no-store',
      vary: 'Accept',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-length': body.length,
    });
    response.end(method === 'HEAD' ? undefined : body);
  }

  /** Tells programs, such as curl, what is here. */
  #index({ method, headers }: IncomingMessage, response: ServerResponse): void {
    const { config, upstreams, headersFor } = this.#parts;
    const [isSubgraph, isPublic] = [config.SUBGRAPH === 'true', config.PUBLIC === 'true'];
    const body = Buffer.from(
      renderIndex({ apis: upstreams.reports(), basePath: config.BASE_PATH, isSubgraph, isPublic }),
    );
    response.writeHead(200, [
      ...['Content-Type', 'text/plain; charset=utf-8', 'Content-Length', String(body.length)],
      ...['X-Content-Type-Options', 'nosniff'],
      ...headersFor(headers),
    ]);
    response.end(method === 'HEAD' ? undefined : body);
  }

  #schemaFile(): StaticFile {
    const { served, config } = this.#parts;
    const text = () => (config.SUBGRAPH === 'true' ? served.subgraph(config).sdl : served.printed());
    return (this.#schema ??= new StaticFile(text(), 'text/plain; charset=utf-8', 'revalidated'));
  }
}
