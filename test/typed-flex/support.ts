import { afterAll, beforeAll } from 'vitest';
import type { Config } from '../../src/config.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { type Snapshot, snapshotText } from '../../src/typed-flex/snapshot/snapshot.ts';
import { sharedDemo } from '../support/demo.ts';
import { gatewayOver, settingsFor } from '../support/gateway.ts';
import { sharedDemoSnapshot, snapshotAt, textFile } from './snapshot-files.ts';
import { snapshotOf } from './snapshots.ts';

/** As `sharedDemo`, with the types of its three databases. */
export function sharedTypedDemo() {
  const open = sharedDemo();
  const file = sharedDemoSnapshot();
  return async (settings: Partial<Config> = {}) => open({ FLEX_SCHEMA: file(), ...settings });
}

type Database = Parameters<Sandbox['store']['createFlexDatabase']>[1];
type Table = NonNullable<Snapshot['names'][string]['table']>;
type FieldNames = Table['fields'];

/**
 * A sandbox with one database for all tests of a file, and the types of it. What a test writes the next one finds.
 *
 * @param mapping names of fields that the mapping changes, by table
 * @returns a function that starts a gateway over it, which runs operations as a user of its account
 */
export function sharedTypedDatabase(
  database: Omit<Database, 'name'>,
  mapping: Readonly<Record<string, FieldNames>> = {},
) {
  let sandbox: Sandbox;
  let db: string;
  let token: string;
  let text: string;
  beforeAll(async () => {
    sandbox = await startSandbox({ origins: 'own', port: 0, demo: false });
    const { id: account } = sandbox.store.createAccount({ modules: ['crm', 'cms', 'organize'] });
    token = sandbox.store.createUser({ account, permissions: ['account_settings'] }).token;
    db = sandbox.store.createFlexDatabase(account, { name: 'Shop', ...database }).id;
    text = snapshotText(withMapping(await snapshotAt(sandbox.urls.flex, token), (table) => mapping[table]));
  });
  afterAll(() => sandbox.close());

  return async (settings: Partial<Config> = {}) => {
    const all = { ...settingsFor(sandbox), FLEX_SCHEMA: await textFile(text), ...settings };
    const over = await gatewayOver(sandbox.urls.account, all, token);
    /** Creates records in this order and returns their ids. */
    const makeRecords = (records: readonly Readonly<Record<string, unknown>>[], table: string | null = null) =>
      sandbox.store.createFlexRecords(db, records, table);
    sandbox.forgetCalls();
    return { ...over, sandbox, db, makeRecords };
  };
}

/**
 * The text of a snapshot.
 *
 * @param mapping names of fields that the mapping changes, in each table
 */
export function mappedSnapshot(databases: Parameters<typeof snapshotOf>[0], mapping: FieldNames = {}): string {
  return snapshotText(withMapping(snapshotOf(databases), () => mapping));
}

function withMapping(snapshot: Snapshot, mappingOf: (table: string) => FieldNames | undefined): Snapshot {
  const names = Object.entries(snapshot.names).map(([key, { table, tables, ...own }]) => {
    const mapped = (of: Table, name = ''): Table => ({ ...of, fields: { ...of.fields, ...mappingOf(name) } });
    const named = Object.entries(tables ?? {}).map(([name, of]) => [name, mapped(of, name)]);
    return [
      key,
      { ...own, ...(table && { table: mapped(table) }), ...(tables && { tables: Object.fromEntries(named) }) },
    ];
  });
  return { ...snapshot, names: Object.fromEntries(names) };
}
