import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: 'test/served-app.ts',
    include: ['test/screenshots.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
