import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphiQLOptions } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { errorBody, sendJson } from '../steps.ts';
import { CLIENT, data, type Html, html, ICON, NOTHING } from './html.ts';
import { StaticFile } from './static-file.ts';

/** Whether browsers get GraphiQL, the page at `/` and the schema. Where only trusted documents are executed, it could ask nothing. */
export function hasGraphiql({ GRAPHIQL, NODE_ENV, TRUSTED_DOCUMENTS_ONLY }: Config): boolean {
  return GRAPHIQL === 'auto' ? NODE_ENV !== 'production' && TRUSTED_DOCUMENTS_ONLY === 'false' : GRAPHIQL === 'true';
}

/** Whether a request of /graphql is answered with the GraphiQL page, and executes nothing. */
export function rendersGraphiql(request: IncomingMessage, config: Config): boolean {
  const { method } = request;
  return hasGraphiql(config) && (method === 'GET' || method === 'HEAD') && acceptsHtml(request);
}

/** Whether a request is one of a browser that opens a page. */
export function acceptsHtml({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes('text/html') ?? false;
}

export interface GraphiqlSettings {
  /** The tabs and headers that GraphiQL opens with. */
  readonly options: GraphiQLOptions;
  /** Whether an operation may ask for `extensions.trace`. */
  readonly traces: boolean;
  readonly log: Logger;
}

export const JAVASCRIPT = 'text/javascript; charset=utf-8';

/** The files of the page. Their paths hold their hashes. */
type Files = Readonly<Record<FileName, StaticFile>>;
type FileName = (typeof fileNames)[number];
const fileNames = [
  ...(['graphiql.css', 'page.css', 'graphiql.js', 'trace.js', 'waterfall.js', 'start.js'] as const),
  ...(['editor-worker.js', 'json-worker.js', 'graphql-worker.js'] as const),
] as const;

/** The GraphiQL page, and its files under `/graphiql/`. */
export class GraphiqlPage {
  /** The path of the files, to which their names are added. */
  static readonly folder = '/graphiql/';

  readonly #settings: GraphiqlSettings;
  #files: Promise<Files> | undefined;

  constructor(settings: GraphiqlSettings) {
    this.#settings = settings;
  }

  /**
   * Answers a GET or HEAD request with the page.
   *
   * @param headers of each response of /graphql, as a flat [name, value, …] array
   */
  answer(request: IncomingMessage, response: ServerResponse, headers: readonly string[]): void {
    this.#load(response, (files) => {
      const nonce = randomBytes(16).toString('base64');
      const body = Buffer.from(this.#render(files, nonce));
      response.writeHead(200, [
        ...['Content-Type', 'text/html; charset=utf-8', 'Content-Length', String(body.length)],
        ...['Content-Security-Policy', policy(nonce), 'X-Content-Type-Options', 'nosniff'],
        ...headers,
      ]);
      response.end(request.method === 'HEAD' ? undefined : body);
    });
  }

  /**
   * Answers a GET or HEAD request with a file of the page.
   *
   * @param notFound answers when there is no such file
   */
  answerFile(path: string, request: IncomingMessage, response: ServerResponse, notFound: () => void): void {
    if (!/^\/graphiql\/[\da-f]{16}\.(?:css|js)$/.test(path)) return notFound(); // reads no file for it
    this.#load(response, (files) => {
      const name = fileNames.find((name) => path === `/${pathOf(files, name)}`);
      return name ? files[name].answer(request, response) : notFound();
    });
  }

  /** Reads the files (9 MB) at the first request of a browser: few processes ever serve them. */
  #load(response: ServerResponse, then: (files: Files) => unknown): void {
    this.#files ??= readFiles();
    this.#files
      .then((files) => {
        // Else the gateway had to end meanwhile, and has answered so.
        return response.headersSent ? undefined : then(files);
      })
      .catch((error: unknown) => {
        this.#files = undefined;
        this.#settings.log.error({ err: error }, 'GraphiQL cannot be read');
        if (response.headersSent) return response.destroy();
        return sendJson(
          response,
          500,
          errorBody('GraphiQL cannot be read: see the log.', { code: 'INTERNAL_SERVER_ERROR' }),
        );
      });
  }

  #render(files: Files, nonce: string): string {
    const { options, traces } = this.#settings;
    const settings = {
      options: { title: 'trivium', ...options },
      workers: {
        editorWorkerService: pathOf(files, 'editor-worker.js'),
        json: pathOf(files, 'json-worker.js'),
        graphql: pathOf(files, 'graphql-worker.js'),
      },
    };
    const modules = [...(traces ? (['trace.js'] as const) : []), 'waterfall.js', 'start.js'] as const;
    // GraphiQL's bundle is no module. They run in this order, when the page is read.
    const scripts = [
      script(pathOf(files, 'graphiql.js'), nonce, 'text/javascript'),
      ...modules.map((name) => script(pathOf(files, name), nonce, 'module')),
    ];
    return html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>trivium: GraphiQL</title>
          <link rel="icon" href="${ICON}" />
          <link rel="stylesheet" href="${pathOf(files, 'graphiql.css')}" />
          <link rel="stylesheet" href="${pathOf(files, 'page.css')}" />
        </head>
        <body data-traces="${String(traces)}">
          <noscript>GraphiQL needs JavaScript.</noscript>
          <main>
            <h1>trivium: GraphiQL</h1>
            <div id="root"></div>
            <details id="waterfall"></details>
          </main>
          ${data('settings', settings)} ${scripts}
        </body>
      </html> `.text;
  }
}

function script(path: string, nonce: string, type: string): Html {
  return html`<script src="${path}" nonce="${nonce}" type="${type}" defer></script>`;
}

/** The path of a file, relative to that of the page. */
function pathOf(files: Files, name: FileName): string {
  return `graphiql/${files[name].hash}.${name.endsWith('.css') ? 'css' : 'js'}`;
}

async function readFiles(): Promise<Files> {
  const read = async (name: string, type: string) => file(await readFile(new URL(name, CLIENT), 'utf8'), type);
  const [graphiql, styles, trace, waterfall, start] = await Promise.all([
    import('@graphql-yoga/render-graphiql/graphiql'),
    read('page.css', 'text/css; charset=utf-8'),
    read('trace.js', JAVASCRIPT),
    read('waterfall.js', JAVASCRIPT),
    read('start.js', JAVASCRIPT),
  ]);
  return {
    'graphiql.css': file(graphiql.css, 'text/css; charset=utf-8'),
    'page.css': styles,
    'graphiql.js': file(graphiql.js, JAVASCRIPT),
    'trace.js': trace,
    'waterfall.js': waterfall,
    'start.js': start,
    'editor-worker.js': file(graphiql.editorWorkerService, JAVASCRIPT),
    'json-worker.js': file(graphiql.jsonWorker, JAVASCRIPT),
    'graphql-worker.js': file(graphiql.graphqlWorker, JAVASCRIPT),
  };
}

function file(text: string, type: string): StaticFile {
  return new StaticFile(text, type, 'forever');
}

/** The policy of the page: the scripts with its nonce, its own styles and workers, and requests to this gateway only. */
function policy(nonce: string): string {
  // The editor makes styles in the page. Its icons and fonts are data: URLs.
  const needed =
    "style-src 'self' 'unsafe-inline'; img-src data:; font-src data:; worker-src 'self'; connect-src 'self'";
  return `${NOTHING}; script-src 'nonce-${nonce}'; ${needed}`;
}
