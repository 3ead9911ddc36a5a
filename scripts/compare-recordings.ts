// Compares two recordings of the same tests, see test/support/recording.ts: `tsx scripts/compare-recordings.ts BEFORE AFTER`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

const [before, after] = process.argv.slice(2).map(recording);
if (!before || !after)
  throw new Error('Usage: tsx scripts/compare-recordings.ts BEFORE AFTER, two folders of recordings.');

let differences = 0;
const added = [...after.keys()].filter((test) => !before.has(test));
for (const [test, exchanges] of before) {
  const others = after.get(test);
  if (others === undefined) lookUpRenamed(test, exchanges);
  else if (!isDeepStrictEqual(exchanges, others)) report(`differs: ${test}`, ...firstDifference(exchanges, others, ''));
}
for (const test of added) console.log(`new: ${test}`);
console.log(`${before.size} tests with operations before, ${after.size} after, ${differences} differ.`);
process.exitCode = differences === 0 ? 0 : 1;

/** A test that is gone may have another title now: it has recorded the same then. */
function lookUpRenamed(test: string, exchanges: unknown): void {
  const index = added.findIndex((candidate) => isDeepStrictEqual(after?.get(candidate), exchanges));
  if (index === -1) report(`missing: ${test}`);
  else added.splice(index, 1);
}

function report(...lines: readonly string[]): void {
  differences += 1;
  for (const line of lines) console.log(line);
}

/** The exchanges of each test. */
function recording(folder: string): Map<string, unknown> {
  const lines = readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').trim().split('\n'));
  return new Map(
    lines.map((line) => {
      const { test, exchanges }: { test: string; exchanges: unknown } = JSON.parse(line);
      return [test, exchanges];
    }),
  );
}

/** Where two values differ first, and what stands there. */
function firstDifference(one: unknown, other: unknown, path: string): string[] {
  if (isDeepStrictEqual(one, other)) return [];
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return [shown(path, one, other)];
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  for (const key of keys) {
    const found = firstDifference(Reflect.get(one, key), Reflect.get(other, key), `${path}/${key}`);
    if (found.length > 0) return found;
  }
  return [shown(path, one, other)];
}

function shown(path: string, one: unknown, other: unknown): string {
  const text = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 300);
  return `  ${path}\n    before ${text(one)}\n    after  ${text(other)}`;
}
