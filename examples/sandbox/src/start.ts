import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const trivium = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const seed = fileURLToPath(new URL('../seed.json', import.meta.url));

/** Starts the sandbox on free ports. It prints its address first. */
export async function startSandbox() {
  const args = [trivium, 'sandbox', '--port', '0', '--seed', seed];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(child.stdout), 'line');
  const [url = ''] = /http:\S+/.exec(String(line)) ?? [];
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  };
  return { url, stop };
}
