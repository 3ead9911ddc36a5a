import { expect } from 'vitest';
import type { FlexDbRecord } from '../../src/apis/flex/wire.ts';
import { schema } from '../../src/apis/schema.ts';
import { makeNames } from '../../src/typed-flex/model/default-names.ts';
import { readDefinitions } from '../../src/typed-flex/snapshot/read-definitions.ts';
import type { Snapshot } from '../../src/typed-flex/snapshot/snapshot.ts';

/** The snapshot of databases as reads send them, with the names that a pull gives. Those without fields are left out. */
export function snapshotOf(databases: readonly FlexDbRecord[], names: Snapshot['names'] = {}): Snapshot {
  const { definitions, failures } = readDefinitions(databases);
  expect([...failures.values()]).toEqual([]);
  const byKey = Object.fromEntries(definitions);
  return { version: 1, databases: byKey, names: makeNames(byKey, names, schema).names };
}
