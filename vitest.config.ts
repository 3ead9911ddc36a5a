import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The project of each test file: the first that names it. */
const PROJECTS: Readonly<Record<string, readonly string[]>> = {
  /** What is random, or over every operation, or reads what is written and shipped. */
  slow: [
    'test/{answers,docs,ship}/**/*.test.ts',
    'test/**/{random,random-*,*-random}.test.ts',
    'test/{architecture,fuzz}.test.ts',
  ],
  /** What starts processes. Those of `dist/` are built before: `npm run build`. */
  process: [
    'test/{cli,scripts,workers}/**/*.test.ts',
    'test/terminal-log.test.ts',
    'test/contract/sandbox.test.ts',
    'test/faults/{callers-that-leave,overload}.test.ts',
    'test/http/{answer-memory,memory}.test.ts',
    'test/sandbox/survival.test.ts',
    'test/sandbox/control/reset.test.ts',
    'test/server/{document-cache,log-batches,slow-log-reader}.test.ts',
  ],
  account: ['test/account/**/*.test.ts'],
  crm: ['test/crm/**/*.test.ts', 'test/crm-examples.test.ts'],
  flex: ['test/flex/**/*.test.ts'],
  forum: ['test/forum/**/*.test.ts'],
  'typed-flex': ['test/typed-flex/**/*.test.ts'],
  sandbox: ['test/sandbox/**/*.test.ts'],
  /** What is between sockets and the operation, and between the operation and upstream. */
  server: ['test/{documents,faults,http,incremental,metrics,opentelemetry,redis,server}/**/*.test.ts'],
  unit: ['test/**/*.test.ts'],
};

/** `npm run test:servers` */
const SERVERS = 'test/servers/**';

export const projectNames = Object.keys(PROJECTS);
const filesOf = (name: string) => [...(PROJECTS[name] ?? [])];

/** What all tests share. */
export const settings = {
  resolve: {
    // Vitest would load a second copy of graphql (its ES module) beside the one that Yoga and Pothos require.
    alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql/index.js')) }],
  },
  test: {
    setupFiles: process.env['RECORD'] === undefined ? [] : ['test/support/recording.ts'],
    testTimeout: 15_000,
    hookTimeout: 60_000, // a browser is started in one
    expect: { poll: { timeout: 10_000 } }, // what is waited for is late on a busy machine
    // No module keeps a state that a test could see: a worker for each core loads them once, instead of once a file.
    isolate: false,
    // Every project needs the same modules: they are transformed once, and again when they change.
    experimental: { fsModuleCache: true },
    maxWorkers: '100%',
  },
};

export default defineConfig({
  ...settings,
  test: {
    ...settings.test,
    projects: projectNames.map((name, index) => ({
      extends: true,
      test: { name, include: filesOf(name), exclude: [SERVERS, ...projectNames.slice(0, index).flatMap(filesOf)] },
    })),
    // `npm run coverage`: figures to look at. None of them fails a run.
    coverage: { include: ['src/**/*.ts'], reporter: ['text-summary', 'html'] },
  },
});
