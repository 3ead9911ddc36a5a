import { defineConfig } from 'vitest/config';
import { settings } from './vitest.config.ts';

// `npm run test:servers`: the tests that need a browser, or servers of the system such as Redis and Prometheus.
export default defineConfig({
  ...settings,
  test: { ...settings.test, include: ['test/servers/**/*.test.ts'], testTimeout: 60_000, maxWorkers: '100%' },
});
