// Before all tests: a gateway over a fresh sandbox, and the built app, served from another origin.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { preview } from 'vite';
import type { TestProject } from 'vitest/node';
import { startTrivium } from '../../trivium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the app. */
    app: string;
    /** Address of the gateway's endpoint. */
    endpoint: string;
    /** Address of the sandbox's first port. */
    sandbox: string;
  }
}

export default async function setup({ provide }: TestProject) {
  // The tests reset the sandbox, which no gateway learns of: each page reads the list.
  const gateway = await startTrivium(['serve'], { LOG_LEVEL: 'error', PAGE_LIST_MS: '0' });
  gateway.onLog(console.error);
  await buildFor(gateway.url);
  const server = await preview({ preview: { port: 0, strictPort: true, host: '127.0.0.1' } });
  const [app] = server.resolvedUrls?.local ?? [];
  if (!app) throw new Error('The app has no address.');
  provide('app', app);
  provide('endpoint', gateway.url);
  provide('sandbox', /Sandbox +(http\S+)/.exec(gateway.banner)?.[1] ?? '');
  return async () => {
    await server.close();
    await gateway.close();
  };
}

async function buildFor(endpoint: string) {
  const env = { ...process.env, NODE_ENV: 'production', VITE_ENDPOINT: endpoint };
  await promisify(execFile)(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel=warn'], { env });
}
