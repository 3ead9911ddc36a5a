// Long trials of the compiled gateway: `npm run chaos` runs all parts, `npm run chaos -- lifecycle` the named ones.
// `--seed 7` is of the random places of `writes`. Each row
// of the table is a promise of docs/security.md or docs/operations.md. It reads memory from /proc, so it needs Linux.
import { parseArgs } from 'node:util';
import { bursts } from './bursts.ts';
import { callers } from './callers.ts';
import { lifecycle } from './lifecycle.ts';
import { neighbours } from './neighbours.ts';
import { overload } from './overload.ts';
import type { Row } from './trial.ts';
import { writes } from './writes.ts';

const { values, positionals: wanted } = parseArgs({
  options: { seed: { type: 'string', default: '0' } },
  allowPositionals: true,
});

const parts = new Map<string, () => Promise<Row[]>>([
  ['lifecycle', lifecycle],
  ['callers', callers],
  ['neighbours', neighbours],
  ['bursts', () => bursts()],
  ['overload', async () => [...(await overload()), ...(await overload({ clients: 3_600, share: 0.8 }))]],
  ['writes', () => writes(Number(values.seed))],
]);

const unknown = wanted.filter((name) => !parts.has(name));
if (unknown.length > 0)
  throw new Error(`There is no part ${unknown.join(', ')}: only ${[...parts.keys()].join(', ')}.`);

let failed = 0;
for (const [name, part] of parts) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const row of await part()) {
    if (!row.passed) failed += 1;
    console.log(`${row.passed ? 'ok  ' : 'FAIL'}  ${row.case}\n        ${row.measured} (${row.expected})`);
  }
}
console.log(failed === 0 ? 'All promises hold.' : `${failed} promises do not hold.`);
process.exitCode = failed === 0 ? 0 : 1;
