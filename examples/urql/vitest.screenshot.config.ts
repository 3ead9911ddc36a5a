import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/screenshot.ts'],
    globalSetup: 'test/served-app.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
