import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    // Vitest would load a second copy of graphql (its ES module) beside the one that the other packages require.
    alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql/index.js')) }],
  },
  test: {
    include: ['test/**/*.test.ts'],
    maxWorkers: 2, // much of the time passes in the processes of trivium
    isolate: false, // the gateways are loaded once, instead of once a file
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
