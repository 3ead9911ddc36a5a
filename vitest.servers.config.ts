import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

// `npm run test:servers`: the tests that need a browser, or servers of the system such as Redis and Prometheus.
export default defineConfig({
  ...config,
  test: { ...config.test, include: ['test/servers/**/*.test.ts'], exclude: [], testTimeout: 60_000 },
});
