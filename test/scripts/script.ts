import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ended, type Ended } from '../cli/trivium.ts';

const scripts = join(import.meta.dirname, '../../scripts');
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** Runs `scripts/<name>` in a folder. */
export async function script(
  name: string,
  cwd: string,
  env: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
): Promise<Ended> {
  return ended(process.execPath, ['--import', tsx, join(scripts, name), ...args], { cwd, env });
}
