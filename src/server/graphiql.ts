import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import type { GraphiQLOptions } from 'graphql-yoga';

// GraphiQL stores its tabs at once, but the query of the active one only after it was edited. Reloaded before that, it
// takes the missing query for another one, and opens an empty tab for it. Without stored tabs it opens its own again.
const FORGET_UNTOUCHED_TABS = `<script>
  if (!localStorage.getItem('graphiql:query')) localStorage.removeItem('graphiql:tabState');
</script>`;

// GraphiQL measures its tabs before it folds the empty pane to the left of them. Once their font is there or the window
// changes, it takes the difference for a drag, and shows it at the next press: the tab leaves the pointer, and the click
// is lost. So an empty pane takes no room, and no tab is shown anywhere but in its place.
const STEADY_TABS = `<style>
  .graphiql-plugin:empty { display: none; }
  .graphiql-tab { transform: none !important; }
</style>`;

/** The page of GraphiQL. It brings its scripts along: no network beyond this machine. */
export function graphiqlPage(options: GraphiQLOptions): string {
  return renderGraphiQL(options).replace('<head>', `<head>${FORGET_UNTOUCHED_TABS}${STEADY_TABS}`);
}
