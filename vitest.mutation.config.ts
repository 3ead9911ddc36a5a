import { defineConfig } from 'vitest/config';
import { settings } from './vitest.config.ts';

/**
 * For `npm run mutation`: the tests that call the modules themselves. Each mutant runs the tests that reach it, so one
 * that starts a gateway would run for nearly every mutant.
 */
export default defineConfig({
  ...settings,
  test: {
    ...settings.test,
    include: [
      'test/http/unit/**/*.test.ts',
      'test/http/{errors,json,path,read-cost,redaction,xml,xml-broken,xml-pages}.test.ts',
      'test/lists/**/*.test.ts',
    ],
    exclude: ['test/lists/repeated-lists.test.ts'], // it measures time, over a gateway
  },
});
