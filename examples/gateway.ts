// For the examples' tests: the compiled gateway over its sandbox, in a process of its own.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Gateway {
  readonly endpoint: string;
  /** Ends it as an operator would; rejects unless that went well. */
  stop(): Promise<void>;
}

/** Starts the gateway on free ports; to be stopped by who started it. */
export async function startGateway(): Promise<Gateway> {
  const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
  if (!existsSync(main)) throw new Error('The gateway is not compiled: run `npm ci` in the root of the repository.');
  const env = { PORT: '0', SANDBOX_PORT: '0', LOG_LEVEL: 'warn' };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    assert.equal(child.exitCode, 0, 'The gateway did not end well.');
  };
  for await (const line of createInterface(child.stdout)) {
    const endpoint = /GraphQL +(http:\S+)/.exec(line)?.[1];
    if (endpoint === undefined) continue;
    child.stdout.resume();
    return { endpoint, stop };
  }
  throw new Error('The gateway ended before it said where it listens.');
}
