import type { IncomingMessage } from 'node:http';
import type { GraphiQLOptions } from 'graphql-yoga';
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

/**
 * Renders the GraphiQL page. Its scripts are inline, so the browser loads nothing from other hosts. Imports them (9 MB) on
 * the first request of the page: few processes ever serve it.
 */
export async function graphiqlPage(options: GraphiQLOptions): Promise<string> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  return renderGraphiQL(options).replace('<head>', `<head>${FORGET_UNTOUCHED_TABS}${STEADY_TABS}`);
}
