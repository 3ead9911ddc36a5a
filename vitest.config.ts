import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    // Vitest would load a second copy of graphql (its ES module) beside the one that Yoga and Pothos require.
    alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql/index.js')) }],
  },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/servers/**'], // `npm run test:servers`
    setupFiles: process.env['RECORD'] === undefined ? [] : ['test/support/recording.ts'],
    testTimeout: 15_000,
    hookTimeout: 60_000, // a browser is started in one
    expect: { poll: { timeout: 10_000 } }, // what is waited for is late on a busy machine
    // No module keeps a state that a test could see: a worker for each core loads them once, instead of once a file.
    isolate: false,
    maxWorkers: '100%',
    // `npm run coverage`: figures to look at. None of them fails a run.
    coverage: { include: ['src/**/*.ts'], reporter: ['text-summary', 'html'] },
  },
});
