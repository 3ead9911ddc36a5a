// Before all tests: a gateway over a fresh sandbox, and the built app, served from another origin.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startSandbox } from 'trivium-kits/testing';
import { preview } from 'vite';
import type { TestProject } from 'vitest/node';

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
  const sandbox = await startSandbox({ main: '../../dist/main.js' });
  await buildFor(sandbox.endpoint);
  const server = await preview({ preview: { port: 0, strictPort: true, host: '127.0.0.1' } });
  const [app] = server.resolvedUrls?.local ?? [];
  if (!app) throw new Error('The app has no address.');
  provide('app', app);
  provide('endpoint', sandbox.endpoint);
  provide('sandbox', sandbox.url);
  return async () => {
    await server.close();
    await sandbox.stop();
  };
}

async function buildFor(endpoint: string) {
  const env = { ...process.env, NODE_ENV: 'production', VITE_ENDPOINT: endpoint };
  await promisify(execFile)(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel=warn'], { env });
}
