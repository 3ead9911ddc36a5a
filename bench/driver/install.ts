import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from './processes.ts';

const FOLDER = join(PROJECT, 'bench/peers');

/** Installs the peers where they are not there yet. @throws Error when npm fails */
export function installPeers(): void {
  if (existsSync(join(FOLDER, 'node_modules/mercurius'))) return;
  console.error('The peers are installed once, in bench/peers …');
  const npm = spawnSync('npm', ['ci', '--ignore-scripts'], { cwd: FOLDER, stdio: ['ignore', 'inherit', 'inherit'] });
  if (npm.status !== 0) throw new Error('The peers could not be installed: npm ci failed in bench/peers.');
}
