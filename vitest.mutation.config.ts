import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** For `npm run mutation`: only the tests close to the code that it changes, since each change runs them again. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: [
      'test/http/**/*.test.ts',
      'test/lists/**/*.test.ts',
      'test/graphql/{connections,errors,orders}*.test.ts',
      'test/crm/{calls,envelopes,filters,joins,orders,pages,records,refusals,tolerance}*.test.ts',
    ],
    // They measure time and memory, or try at random: slow, and instrumented code is slower still.
    exclude: ['test/http/{memory,size,xml-random,xml-traps}.test.ts'],
  },
});
