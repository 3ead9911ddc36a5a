import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/**
 * A folder for the files of a test file.
 *
 * @returns a function that writes a file, by default a new one, and returns its path
 */
export function pemFiles() {
  let folder = '';
  let files = 0;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'trivium-tls-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  return (content: string, path = join(folder, `${(files += 1)}.pem`)): string => {
    writeFileSync(path, content);
    return path;
  };
}
