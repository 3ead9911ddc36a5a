import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The project of each test file: the first that names it. */
const PROJECTS: Readonly<Record<string, readonly string[]>> = {
  /** What is random, or over every operation, or reads what is written and shipped, or tries scripts of the project. */
  slow: [
    'test/{answers,docs,outcomes,scripts,ship}/**/*.test.ts',
    'test/**/{random,random-*,*-random}.test.ts',
    'test/{architecture,fuzz}.test.ts',
    'test/typed-flex/same-values.test.ts',
  ],
  /** What starts processes. Those of `dist/` are built before: `npm run build`. */
  process: [
    'test/cli/**/*.test.ts',
    'test/terminal-log.test.ts',
    'test/kits/testing.test.ts',
    'test/contract/sandbox.test.ts',
    'test/faults/callers-that-leave.test.ts',
    'test/http/{answer-memory,memory}.test.ts',
    'test/sandbox/survival.test.ts',
    'test/sandbox/control/reset.test.ts',
    'test/server/{document-cache,log-batches,slow-log-reader}.test.ts',
  ],
  /** What floods or holds up a gateway: callers that do not read, requests in thousands, work for seconds. */
  load: [
    'test/faults/long-work.test.ts',
    'test/server/{overload,overload-shares,slow-callers,slow-readers,unread-answers}.test.ts',
  ],
  account: ['test/account/**/*.test.ts'],
  crm: ['test/crm/**/*.test.ts', 'test/crm-examples.test.ts'],
  flex: ['test/flex/**/*.test.ts'],
  forum: ['test/forum/**/*.test.ts'],
  'typed-flex': ['test/typed-flex/**/*.test.ts'],
  'sandbox-crm': ['test/sandbox/crm/**/*.test.ts'],
  'sandbox-flex': ['test/sandbox/flex/**/*.test.ts'],
  'sandbox-account': ['test/sandbox/account/**/*.test.ts'],
  'sandbox-forum': ['test/sandbox/forum/**/*.test.ts'],
  /** What the APIs of the sandbox share. */
  sandbox: ['test/sandbox/**/*.test.ts'],
  /** What an operation costs, and how long the work for one may take. */
  cost: ['test/server/{*-cost,*-costs,cost,json-pieces}.test.ts', 'test/http/{redaction-time,long-list}.test.ts'],
  /** Connections and requests, before they are an operation. */
  sockets: [
    'test/server/{accept,browsers,callers-that-leave,closed-gateway,connection-bounds,cors,cross-site,fair-shares,https,idle-connections,newcomers,renewal,requests,shutdown}.test.ts',
  ],
  /** From the request to the response. */
  server: ['test/server/**/*.test.ts'],
  /** Upstreams that are slow, down or away. */
  faults: ['test/faults/**/*.test.ts', 'test/http/{deadline,network,retry-after,tls}.test.ts'],
  /** What is asked of upstreams, and what they answer. */
  upstream: [
    'test/http/{answers,another-record,choice*,crm-*,handed-out-ids,refusals,shared-reads,size,wrapped-answers,xml-answers}.test.ts',
  ],
  /** What reads and writes the formats of upstreams, each by itself. */
  http: ['test/http/**/*.test.ts'],
  /** Optional features. */
  features: ['test/{documents,idempotency,incremental,preconditions,rates,redis}/**/*.test.ts'],
  telemetry: ['test/{metrics,opentelemetry}/**/*.test.ts'],
  /** Input that no caller should send, over all APIs. */
  'bad-input': ['test/bad-input/**/*.test.ts'],
  /** What joins APIs, or goes over all endpoints. */
  joins: ['test/{federation,links}/**/*.test.ts', 'test/{endpoints,secrets}.test.ts'],
  unit: ['test/**/*.test.ts'],
};

/** `npm run test:servers` */
const SERVERS = 'test/servers/**';

export const projectNames = Object.keys(PROJECTS);
const filesOf = (name: string): string[] => [...(PROJECTS[name] ?? [])];

/** What all tests share. */
export const settings = {
  resolve: {
    // Vitest would load a second copy of graphql (its ES module) beside the one that Yoga and Pothos require.
    alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql/index.js')) }],
  },
  test: {
    setupFiles: [
      'test/support/setup.ts',
      ...(process.env['RECORD'] === undefined ? [] : ['test/support/recording.ts']),
    ],
    testTimeout: 300_000, // it tells what hangs: a machine that other work keeps busy takes ten times as long
    hookTimeout: 300_000, // a browser is started in one
    expect: { poll: { timeout: 60_000 } }, // what is waited for is late there
    // No module keeps a state that a test could see: a worker for each core loads them once, instead of once a file.
    isolate: false,
    // Every project needs the same modules: they are transformed once, and again when they change.
    experimental: { fsModuleCache: true },
    // Tests of processes wait for these: a third worker uses the cores meanwhile.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
  },
};

function projects() {
  return projectNames.map((name, index) => ({
    extends: true as const,
    test: { name, include: filesOf(name), exclude: [SERVERS, ...projectNames.slice(0, index).flatMap(filesOf)] },
  }));
}

/** Each project loads all modules anew, which takes a second: a run of all files is none of them. */
const isOfProjects = process.argv.some((argument) => argument.startsWith('--project'));

export default defineConfig({
  ...settings,
  test: {
    ...settings.test,
    ...(isOfProjects ? { projects: projects() } : { include: filesOf('unit'), exclude: [SERVERS] }),
    // `npm run coverage`: figures to look at. None of them fails a run.
    coverage: { include: ['src/**/*.ts'], reporter: ['text-summary', 'html'] },
  },
});
