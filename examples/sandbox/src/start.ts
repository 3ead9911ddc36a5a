import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const trivium = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const ownSeed = fileURLToPath(new URL('../seed.json', import.meta.url));

/**
 * Starts the sandbox on free ports. It prints its address first.
 *
 * @throws Error with the exit code, and with all that was printed, when it ends instead
 */
export async function startSandbox(seed = ownSeed) {
  const args = [trivium, 'sandbox', '--port', '0', '--seed', seed];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  const remember = (text: string) => void (printed += text);
  child.stdout.setEncoding('utf8').on('data', remember);
  child.stderr.setEncoding('utf8').on('data', remember);
  const failed = once(child, 'close').then(([code]) => {
    throw new Error(`The sandbox did not start, exit code ${code}: ${printed}`);
  });
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), failed]);
  child.stdout.off('data', remember);
  child.stderr.off('data', remember).pipe(process.stderr);

  const [url = ''] = /http:\S+/.exec(String(line)) ?? [];
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  };
  return { url, stop };
}
