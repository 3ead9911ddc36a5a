import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { settings } from './vitest.config.ts';

/**
 * What another version of Node can change: what the gateway gets of Node itself, with the tests that use most of it. What is made
 * of its own modules and its bundled dependencies is the same on each version: `npm test` tests it, once.
 */
const FILES = [
  // The loader of dist/, signals, terminals, and errors that nobody catches.
  ...['bundle', 'hangup', 'node-version', 'shutdown', 'start', 'uncaught'].map((name) => `test/cli/${name}.test.ts`),
  'test/terminal-log.test.ts',
  // The server: sockets, headers, TLS and its renewal, streams that are slow, cut or compressed.
  ...[
    'accept',
    'callers-that-leave',
    'closed-gateway',
    'compression',
    'connection-bounds',
    'https',
    'idle-connections',
    'newcomers',
    'renewal',
    'request-id',
    'requests',
    'response-headers',
    'shutdown',
    'slow-callers',
    'slow-readers',
  ].map((name) => `test/server/${name}.test.ts`),
  'test/incremental/delivery.test.ts',
  // Calls: names and sockets, TLS, timers, compression, and connections to Redis.
  ...['compression', 'deadline', 'network', 'size', 'tls'].map((name) => `test/http/${name}.test.ts`),
  'test/faults/callers-that-leave.test.ts',
  'test/redis/shared-store.test.ts',
  // URLs, encodings, JSON, dates.
  ...['json', 'path', 'retry-after', 'xml'].map((name) => `test/http/${name}.test.ts`),
  ...['dates', 'decimals', 'decode', 'json-body', 'path-query'].map((name) => `test/http/unit/${name}.test.ts`),
  // Files that change, and the operation that asynchronous work belongs to.
  'test/cli/doctor-watch.test.ts',
  'test/documents/manifest.test.ts',
  'test/opentelemetry/spans.test.ts',
];

const missing = FILES.filter((file) => !existsSync(file));
if (missing.length > 0) throw new Error(`No such tests: ${missing.join(', ')}.`);

// `npm run test:node`
export default defineConfig({ ...settings, test: { ...settings.test, include: FILES } });
