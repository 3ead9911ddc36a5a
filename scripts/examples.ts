// Installs and tests every project of examples/ by itself, one after the other, up to the first that fails. They start
// the built gateway, dist/main.js.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const projects = readdirSync('examples')
  .map((name) => join('examples', name))
  .filter((folder) => existsSync(join(folder, 'package.json')))
  .sort();

const failed = projects.find(
  (folder) => !['npm ci --engine-strict', 'npm test'].every((command) => runs(command, folder)),
);
console.log(failed === undefined ? `All ${projects.length} examples hold.` : `${failed} fails.`);
process.exitCode = failed === undefined ? 0 : 1;

function runs(command: string, cwd: string): boolean {
  console.log(`\n${cwd}: ${command}`);
  return spawnSync(command, { cwd, shell: true, stdio: 'inherit' }).status === 0;
}
