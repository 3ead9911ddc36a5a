import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { snapshotText } from '../../src/typed-flex/snapshot/snapshot.ts';
import { snapshotOf } from '../../test/typed-flex/snapshots.ts';

/** Writes a snapshot of as many tables as there may be, in 20 databases: the schema has 54,000 types. */
export function largeSnapshot() {
  const tables = Object.fromEntries(
    Array.from({ length: 200 }, (_none, at) => [`table_${at + 1}`, { fields: { title: 'string' } }]),
  );
  const databases = Array.from({ length: 20 }, (_none, at) => ({
    id: `${at + 1}`,
    name: `Database ${at + 1}`,
    code: `database-${at + 1}`,
    schema: { tables },
  }));
  const folder = mkdtempSync(join(tmpdir(), 'trivium-fuzz-'));
  const file = join(folder, 'flex.schema.json');
  writeFileSync(file, snapshotText(snapshotOf(databases)));
  return { file, remove: () => rmSync(folder, { recursive: true }) };
}
