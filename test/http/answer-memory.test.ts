import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { memoryOfJson } from '../../src/formats/json.ts';
import type { Measured } from './answer-memory-probe.ts';

// The memory of a parsed body is estimated from its bytes: see ANSWER_CACHE_BYTES.

/** What else the heap gains in a measurement, at most. */
const NOISE_BYTES = 200_000;

test('parsed bodies take no more memory than was estimated', async () => {
  const probe = new URL('answer-memory-probe.ts', import.meta.url).pathname;
  // A compiler in a thread of its own keeps what a function has just left behind, for as long as it is not finished.
  const flags = ['--single-threaded', '--expose-gc', '--import', 'tsx'];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, probe]);
  const results: readonly Measured[] = JSON.parse(stdout);

  expect(results).toHaveLength(13);
  for (const { name, texts, used, estimate } of results) {
    expect(used, name).toBeLessThan(estimate + texts * 400 + NOISE_BYTES); // an entry counts for more than its body
    expect(estimate, name).toBeLessThan(12 * used + NOISE_BYTES);
  }
});

test('the estimate does not depend on the length of the rows', () => {
  for (let length = 8; length < 40; length++) {
    const row = `{"id":1,"name":"${'x'.repeat(100 + length)}"}`;
    const text = Buffer.from(`[${Array.from({ length: 8_000 }, () => row).join(',')}]`);
    const exact = text.length + 8_000 * 200 + 64 + 2 * 8_000 * 12; // objects, the list, commas
    const ratio = memoryOfJson(text) / exact;
    expect(Math.abs(ratio - 1), `rows of ${row.length} bytes: ${ratio}`).toBeLessThan(0.2);
  }
});
