import { defineConfig } from 'rolldown';

/** Bundles the command line with its dependencies: Node resolves and reads eight files at its start in place of 780. */
export default defineConfig({
  input: 'src/main.ts',
  platform: 'node',
  // A native module, and 9 MB of scripts for browsers that few processes ever serve: both stay in node_modules.
  external: ['libsql', '@graphql-yoga/render-graphiql'],
  // ES modules first: of these the bundle leaves out what nothing uses. It holds one copy of graphql, whoever imports it.
  resolve: { mainFields: ['module', 'main'] },
  output: { dir: 'dist', cleanDir: true, sourcemap: true, entryFileNames: '[name].js', chunkFileNames: '[name].js' },
});
