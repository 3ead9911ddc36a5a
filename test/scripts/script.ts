import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Ended } from '../cli/trivium.ts';

const scripts = join(import.meta.dirname, '../../scripts');
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

type Settings = Readonly<Record<string, string>>;

/** Runs a program in a folder to its end; nothing of the test's own environment but PATH is passed on. */
export function ended(file: string, args: readonly string[], cwd: string, settings: Settings = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], ...settings };
    const child = execFile(file, args, { cwd, env }, (_failure, stdout, stderr) => {
      resolve({ code: child.exitCode, stdout, stderr });
    });
  });
}

/** Runs `scripts/<name>` in a folder. */
export function script(name: string, cwd: string, settings?: Settings): Promise<Ended> {
  return ended(process.execPath, ['--import', tsx, join(scripts, name)], cwd, settings);
}
