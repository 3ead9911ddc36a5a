import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import type { GraphiQLOptions } from 'graphql-yoga';

// GraphiQL stores its tabs at once, but the query of the active one only after it was edited. Reloaded before that, it
// takes the missing query for another one, and opens an empty tab for it. Without stored tabs it opens its own again.
const FORGET_UNTOUCHED_TABS = `<script>
  if (!localStorage.getItem('graphiql:query')) localStorage.removeItem('graphiql:tabState');
</script>`;

/** The page of GraphiQL. It brings its scripts along: no network beyond this machine. */
export function graphiqlPage(options: GraphiQLOptions): string {
  return renderGraphiQL(options).replace('<head>', `<head>${FORGET_UNTOUCHED_TABS}`);
}
