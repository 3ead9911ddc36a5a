// Installs and tests the kits, and then every project of examples/ by itself, up to the first that fails: `--at-once 2` tests two of
// them side by side, and `--script sequences` runs that script of those that have it. They start the built gateway, dist/main.js, and install the built kits. Those that install most come first:
// they take longest, and the last one would run by itself.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { 'at-once': { type: 'string', default: '1' }, script: { type: 'string', default: 'test' } },
});

const projects = readdirSync('examples')
  .map((name) => join('examples', name))
  .filter(hasScript)
  .sort((one, other) => lengthOfLock(other) - lengthOfLock(one));

const kits = ['kits'].filter(hasScript);
const waiting = [...kits];
const failed: string[] = [];
await testInTurn();
if (failed.length === 0) waiting.push(...projects);
await Promise.all(Array.from({ length: Number(values['at-once']) }, testInTurn));

const verdict = `${failed.join(' and ')} ${failed.length === 1 ? 'fails' : 'fail'}.`;
console.log(failed.length === 0 ? `All ${projects.length} examples hold.` : verdict);
process.exitCode = failed.length === 0 ? 0 : 1;

function hasScript(folder: string): boolean {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return false;
  const { scripts = {} } = JSON.parse(readFileSync(file, 'utf8')) as { scripts?: Record<string, string> };
  return values.script in scripts;
}

function lengthOfLock(folder: string): number {
  return statSync(join(folder, 'package-lock.json')).size;
}

/** Tests the projects that wait, one after the other, until one fails. */
async function testInTurn(): Promise<void> {
  const folder = waiting.shift();
  if (folder === undefined) return;
  if (!(await holds(folder))) {
    failed.push(folder);
    waiting.length = 0;
  }
  await testInTurn();
}

/** Installs and tests a project. What it says is shown as a whole, once it has ended. */
async function holds(folder: string): Promise<boolean> {
  for (const command of ['npm ci --engine-strict', `npm run ${values.script}`]) {
    const start = performance.now();
    const child = spawn(`${command} 2>&1`, { cwd: folder, shell: true, stdio: ['ignore', 'pipe', 'inherit'] });
    const exit = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
    const said = await text(child.stdout);
    const code = await exit;
    console.log(`\n${folder}: ${command}\n${said}${((performance.now() - start) / 1000).toFixed(1)} s`);
    if (code !== 0) return false;
  }
  return true;
}
