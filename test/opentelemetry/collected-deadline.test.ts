import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

// On Node 20 the signal of `AbortSignal.timeout` may be collected, and never fires, once only `AbortSignal.any` holds it.

test('the deadline of a batch survives garbage collections, and no more spans are held than the setting says', async () => {
  const probe = new URL('collected-deadline-probe.ts', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', '--import', 'tsx', probe]);
  expect(JSON.parse(stdout)).toEqual({ failed: 8, held: 4, refused: 20 });
});
