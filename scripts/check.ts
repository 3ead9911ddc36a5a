// Runs scripts of package.json side by side: `tsx scripts/check.ts <name>...`. One that holds is a line, and the notes
// that it printed; one that fails shows all that it said.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { z } from 'zod';

const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(readJson('package.json'));

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function holds(name: string): Promise<boolean> {
  const command = scripts[name];
  if (!command) throw new Error(`package.json has no script ${JSON.stringify(name)}.`);
  return new Promise((resolve) => {
    execFile(command, { shell: true, maxBuffer: Infinity }, (failure, stdout, stderr) => {
      const seconds = (performance.now() / 1000).toFixed(1);
      console.log(`${failure ? 'FAIL' : 'ok  '}  ${name.padEnd(16)}${seconds.padStart(5)} s`);
      if (failure) console.log(`\n${stdout}${stderr}`);
      else for (const note of stdout.match(/^Note: .*$/gm) ?? []) console.log(`      ${note}`);
      resolve(failure === null);
    });
  });
}

const results = await Promise.all(process.argv.slice(2).map(holds));
const failed = results.filter((held) => !held).length;
console.log(failed === 0 ? `All ${results.length} checks hold.` : `${failed} of ${results.length} checks fail.`);
process.exitCode = failed === 0 ? 0 : 1;
