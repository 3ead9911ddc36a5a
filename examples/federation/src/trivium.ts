import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The compiled command line: `npm ci` in the root of the project makes it. */
const entry = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));

/** Environment variables. A process of trivium has no others. */
export type Settings = Readonly<Record<string, string>>;

/** A command of trivium that goes on, as a process of its own. */
export interface Running {
  /** What it said once it was up. */
  readonly banner: string;
  /** Gives every further line of its log to `listener`. */
  onLog(listener: (line: string) => void): void;
  close(): Promise<void>;
}

/** Resolves when it has printed an address. */
export async function startTrivium(args: readonly string[], settings: Settings = {}): Promise<Running> {
  if (!existsSync(entry)) throw new Error('trivium is not compiled: run `npm ci` in the root of the project.');
  const child = spawn(process.execPath, [entry, ...args], { env: settings, stdio: ['ignore', 'pipe', 'pipe'] });
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
    banner,
    onLog: (listener) => void log.on('line', listener),
    close: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** The gateway as a subgraph, over a sandbox of its own unless `settings` name upstreams. */
export async function startTriviumSubgraph(settings: Settings): Promise<Running & { readonly url: string }> {
  const running = await startTrivium(['--subgraph'], { PORT: '0', SANDBOX_PORT: '0', ...settings });
  const [url = ''] = /http\S+\/graphql/.exec(running.banner) ?? [];
  return { ...running, url };
}
