import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { GraphiQLOptions, Plugin } from 'graphql-yoga';
import type { Config } from '../config.ts';

// GraphiQL stores its tabs at once, but the query of the active tab only after an edit. A reload before that edit opens an
// extra, empty tab. This script deletes the stored tabs in that case, so that GraphiQL opens its default tabs.
const FORGET_UNTOUCHED_TABS = `<script>
  if (!localStorage.getItem('graphiql:query')) localStorage.removeItem('graphiql:tabState');
</script>`;

// GraphiQL measures its tabs before it folds the empty pane to their left. After the font loads or the window changes, it
// takes the difference for a drag: on the next press the tab moves away from the pointer, and the click is lost. These
// styles hide the empty pane and fix the tabs in their places.
const STEADY_TABS = `<style>
  .graphiql-plugin:empty { display: none; }
  .graphiql-tab { transform: none !important; }
</style>`;

/** Whether browsers get GraphiQL. */
export function hasGraphiql({ GRAPHIQL, NODE_ENV }: Config): boolean {
  return GRAPHIQL === 'auto' ? NODE_ENV !== 'production' : GRAPHIQL === 'true';
}

/** Whether Yoga answers a request with the GraphiQL page, and executes nothing. */
export function rendersGraphiql({ method, headers }: IncomingMessage, config: Config): boolean {
  return hasGraphiql(config) && method === 'GET' && (headers.accept?.includes('text/html') ?? false);
}

/** The GraphiQL page of one gateway, and its policy. */
export class GraphiqlPage {
  #policy: string | undefined;

  /**
   * Renders the page. Its scripts are inline, so the browser loads nothing from other hosts. Imports them (9 MB) on the
   * first request of the page: few processes ever serve it.
   *
   * @param options the same at each call
   */
  readonly render = async (options: GraphiQLOptions): Promise<string> => {
    const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
    const page = renderGraphiQL(options).replace('<head>', `<head>${FORGET_UNTOUCHED_TABS}${STEADY_TABS}`);
    this.#policy ??= policyOf(page);
    return page;
  };

  /** Sets the `Content-Security-Policy` of the page, which is the only response in HTML. */
  readonly usePolicy: Plugin = {
    onResponse: ({ response: { headers } }) => {
      if (headers.get('content-type') === 'text/html') headers.set('content-security-policy', this.#policy ?? NOTHING);
    },
  };
}

/** Allows a page nothing, not even to be shown in the frame of another page. */
const NOTHING = "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The policy of the page: its own inline scripts by their hashes, and requests to this gateway only. */
function policyOf(page: string): string {
  const hashes = inlineScripts(page).map(
    (script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  // The editor makes its styles in the page, and its workers of texts in it. Its icons and fonts are data: URLs.
  const needed = "style-src 'unsafe-inline'; img-src data:; font-src data:; worker-src blob:; connect-src 'self'";
  return `${NOTHING}; script-src ${hashes.join(' ')}; ${needed}`;
}

function inlineScripts(page: string): readonly string[] {
  const scripts: string[] = [];
  for (let start = page.indexOf(OPENING); start !== -1;) {
    const end = page.indexOf('</script>', start);
    scripts.push(page.slice(start + OPENING.length, end));
    start = page.indexOf(OPENING, end);
  }
  return scripts;
}

const OPENING = '<script>';
