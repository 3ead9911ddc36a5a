import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: 'test/served-app.ts',
    fileParallelism: false,
    typecheck: { enabled: true },
    testTimeout: 15_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
