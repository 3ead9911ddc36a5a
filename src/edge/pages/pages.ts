import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphiQLOptions } from 'graphql-yoga';
import type { TypedModel } from '../../typed-flex/model/model.ts';
import type { GatewayParts } from '../gateway-parts.ts';
import type { WatchedResponse } from '../http-server.ts';
import { type Next, refusalBody, sendJson } from '../steps.ts';
import { acceptsHtml, GraphiqlPage, JAVASCRIPT, rendersGraphiql } from './graphiql.ts';
import { type DemoCredentials, HOME_POLICY, homeFile, renderHome, renderIndex } from './home.ts';
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
  #page: string | undefined;
  /** The texts of files with their types, by their paths. */
  readonly #texts: ReadonlyMap<string, () => [text: string, type: string]> = new Map([
    ['/schema.graphql', () => [this.#schema(), 'text/plain; charset=utf-8']],
    ['/home.css', () => [homeFile('home.css'), 'text/css; charset=utf-8']],
    ['/home.js', () => [homeFile('home.js'), JAVASCRIPT]],
  ]);
  readonly #files = new Map<string, StaticFile>();

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
    if (!isFile && path !== '/' && !this.#texts.has(path)) return notFound();
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return sendJson(response, 405, METHOD_NOT_ALLOWED, ['allow', 'GET, HEAD']);
    if (isFile) return this.#graphiql.answerFile(path, request, response, notFound);
    const file = this.#file(path);
    if (file) return file.answer(request, response);
    return acceptsHtml(request) ? this.#home(request, response) : this.#index(request, response);
  }

  /** Answers a request of /graphql with the GraphiQL page, where it is one for it. */
  answerGraphiql(request: IncomingMessage, response: WatchedResponse, next: Next): void {
    const { config, headersFor } = this.#parts;
    if (!rendersGraphiql(request, config)) return next(request, response);
    this.#graphiql.answer(request, response, headersFor(request.headers));
  }

  #home({ method }: IncomingMessage, response: ServerResponse): void {
    const { config, upstreams } = this.#parts;
    const body = Buffer.from((this.#page ??= renderHome(config, upstreams, this.#demo)));
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
    const body = Buffer.from(renderIndex(config, upstreams));
    response.writeHead(200, [
      ...['Content-Type', 'text/plain; charset=utf-8', 'Content-Length', String(body.length)],
      ...['X-Content-Type-Options', 'nosniff'],
      ...headersFor(headers),
    ]);
    response.end(method === 'HEAD' ? undefined : body);
  }

  /** A file beside the pages: made when it is first asked for. */
  #file(path: string): StaticFile | undefined {
    const text = this.#texts.get(path);
    const file = this.#files.get(path) ?? (text && new StaticFile(...text(), 'revalidated'));
    if (file) this.#files.set(path, file);
    return file;
  }

  #schema(): string {
    const { served, config } = this.#parts;
    return config.SUBGRAPH === 'true' ? served.subgraph(config).sdl : served.printed();
  }
}
