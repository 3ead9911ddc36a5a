import type { FlexDbRecord } from '../../src/flex/wire.ts';
import { schema } from '../../src/schema.ts';
import { namesFor } from '../../src/typed-flex/default-names.ts';
import { definitionOf } from '../../src/typed-flex/definition.ts';
import { checksumOf } from '../../src/typed-flex/fingerprint.ts';
import { keyOf, type Snapshot, type StoredDatabase } from '../../src/typed-flex/snapshot.ts';

/** The snapshot of databases as reads send them, with the names that a pull gives. Those without fields are left out. */
export function snapshotOf(databases: readonly FlexDbRecord[], names: Snapshot['names'] = {}): Snapshot {
  const stored = databases.flatMap((database): [string, StoredDatabase][] => {
    const definition = definitionOf(database);
    return definition ? [[keyOf(definition), { ...definition, checksum: checksumOf(definition) }]] : [];
  });
  const byKey = Object.fromEntries(stored);
  return { version: 1, databases: byKey, names: namesFor(byKey, names, schema) };
}
