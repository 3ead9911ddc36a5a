// For the examples: the compiled command line, as a process of its own.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Environment variables. The process has no others but free ports and a short grace period. */
export type Settings = Readonly<Record<string, string>>;

export interface Running {
  /** The first address that it has printed: of the gateway its endpoint. */
  readonly url: string;
  /** All that it has printed up to the end of its start. */
  readonly banner: string;
  /** Gives every further line of its log to `listener`. */
  onLog(listener: (line: string) => void): void;
  /** Ends it as an operator would; rejects unless that goes well. */
  close(): Promise<void>;
}

/** Starts a command that goes on, `serve` for one; to be closed by whoever started it. */
export async function startTrivium(args: readonly string[], settings: Settings = {}): Promise<Running> {
  const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
  if (!existsSync(main)) throw new Error('trivium is not compiled: run `npm ci` in the root of the repository.');
  // Callers that keep their connections open hold up its end for a quarter of SHUTDOWN_TIMEOUT_MS.
  const env = { PORT: '0', SANDBOX_PORT: '0', SHUTDOWN_TIMEOUT_MS: '1000', ...settings };
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const log = createInterface(child.stderr);
  const said: string[] = [];
  const remember = (line: string) => void said.push(line);
  log.on('line', remember);

  const banner = await new Promise<string>((resolve, reject) => {
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
      if (/http\S+[^]*\n$/.test(printed)) resolve(printed);
    });
    ended.then(() => reject(new Error(`trivium did not start. ${said.join('\n')}`)), reject);
  });
  log.off('line', remember);
  return {
    url: /http[^\s,]+/.exec(banner)?.[0] ?? '',
    banner,
    onLog: (listener) => void log.on('line', listener),
    close: async () => {
      child.kill('SIGTERM');
      await ended;
      assert.equal(child.exitCode, 0, 'trivium did not end well.');
    },
  };
}
