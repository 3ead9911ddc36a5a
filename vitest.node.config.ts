import { defineConfig } from 'vitest/config';
import { filesOf, SERVERS, settings } from './vitest.config.ts';

const NAMES = ['process', 'load', 'sockets', 'server', 'upstream', 'faults', 'http', 'features', 'telemetry'];

// `npm run test:node`: the tests of processes, the server and calls of upstreams, which another version of Node can change. As
// one project: nine would load all modules nine times.
export default defineConfig({
  ...settings,
  test: {
    ...settings.test,
    include: NAMES.flatMap(filesOf),
    exclude: [SERVERS, ...['slow', 'cost'].flatMap(filesOf)], // their files are in folders of the server and of calls
  },
});
