import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: 'test/served-app.ts',
    fileParallelism: false,
    isolate: false, // one process, which loads all modules once
    typecheck: { enabled: true },
    testTimeout: 15_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
