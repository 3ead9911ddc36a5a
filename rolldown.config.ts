import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'rolldown';

/** Copies the pages, scripts and styles for browsers, which the gateway reads as they are. */
const client: Plugin = {
  name: 'client',
  generateBundle() {
    const folder = new URL('src/edge/pages/client/', import.meta.url);
    for (const name of readdirSync(folder).filter((name) => /\.(?:js|css|html)$/.test(name))) {
      this.emitFile({ type: 'asset', fileName: `client/${name}`, source: readFileSync(new URL(name, folder), 'utf8') });
    }
  },
};

/**
 * Modules that share a file with all that they import. A module that several of them need is in the first one. Without them a
 * start of the gateway would read 50 files: one for each set of commands that share modules.
 */
const groups = [
  { name: 'command-line', test: /src\/cli\/command-line\.ts$/ },
  { name: 'log', test: /src\/observe\/log\.ts$/ },
  { name: 'gateway', test: /src\/(?:apis\/served-schema|edge\/server)\.ts$/ },
  { name: 'typed-flex', test: /src\/typed-flex\/typed-schema\.ts$/ },
];

/** Bundles the command line with its dependencies: Node resolves and reads eight files at its start in place of 780. */
export default defineConfig({
  input: { main: 'src/main.ts' },
  plugins: [client],
  platform: 'node',
  // A native module, and 9 MB of scripts for browsers that few processes ever serve: both stay in node_modules.
  external: ['libsql', '@graphql-yoga/render-graphiql/graphiql'],
  // ES modules first: of these the bundle leaves out what nothing uses. It holds one copy of graphql, whoever imports it.
  resolve: { mainFields: ['module', 'main'] },
  // graphql-js looks for a second copy of itself at each check of a type elsewhere. The bundle has one.
  transform: { define: { 'process.env.NODE_ENV': JSON.stringify('production') } },
  output: {
    dir: 'dist',
    cleanDir: true,
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    codeSplitting: { groups },
    // A file with one character beyond Latin-1 takes twice the memory: V8 keeps the text of scripts.
    charset: 'ascii',
    comments: { jsdoc: false },
  },
});
