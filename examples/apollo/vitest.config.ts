import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: 'test/served-app.ts',
    fileParallelism: false,
    isolate: false, // one process, which loads all modules once
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
