import { vi } from 'vitest';
import type { Config } from '../../src/config.ts';
import { schema } from '../../src/schema.ts';
import type { TypedDatabase, TypedModel } from '../../src/typed-flex/model.ts';
import { typedSchema } from '../../src/typed-flex/typed-schema.ts';
import { sharedDemo } from '../support/demo.ts';
import { gatewayOver, settingsFor } from '../support/gateway.ts';
import { freshSandbox } from '../support/sandbox.ts';
import { demoModel } from './models.ts';

/** The model that gateways serve from now on. */
const served = vi.hoisted<{ model: TypedModel | undefined }>(() => ({ model: undefined }));

vi.mock(import('../../src/served-schema.ts'), async (importOriginal) => {
  const original = await importOriginal();
  return {
    ...original,
    servedSchema: async (...args: Parameters<typeof original.servedSchema>) => {
      const untyped = await original.servedSchema(...args);
      return served.model ? { ...untyped, schema: typedSchema(schema, served.model) } : untyped;
    },
  };
});

/** As `sharedDemo`, with the types of its three databases. */
export function sharedTypedDemo() {
  const open = sharedDemo();
  return async (settings: Partial<Config> = {}) => {
    served.model ??= await modelOfDemo(open);
    return open(settings);
  };
}

async function modelOfDemo(open: ReturnType<typeof sharedDemo>): Promise<TypedModel> {
  const { execute } = await open();
  const { data } = await execute('{ flexDbs { upstreamId code } }');
  return demoModel((code) => {
    const [, id = ''] = new RegExp(`"upstreamId":"([^"]+)","code":"${code}"`).exec(JSON.stringify(data)) ?? [];
    return id;
  });
}

type Sandbox = Awaited<ReturnType<typeof freshSandbox>>['sandbox'];
type Database = Parameters<Sandbox['store']['createFlexDatabase']>[1];

/** A gateway over a fresh sandbox with one database and its types. */
export async function typedGateway(
  database: Partial<Database>,
  typesOf: (id: string) => TypedDatabase,
  settings: Partial<Config> = {},
) {
  const { sandbox } = await freshSandbox({ origins: 'own' });
  const { id: account } = sandbox.store.createAccount({ modules: ['crm', 'cms', 'organize'] });
  const { token } = sandbox.store.createUser({ account, permissions: ['account_settings'] });
  const { id: db } = sandbox.store.createFlexDatabase(account, { name: 'Shop', ...database });
  served.model = { databases: [typesOf(db)] };
  const over = await gatewayOver(sandbox.urls.account, { ...settingsFor(sandbox), ...settings }, token);
  return {
    ...over,
    sandbox,
    db,
    /** Creates records in this order and returns their ids. */
    makeRecords: (records: readonly Readonly<Record<string, unknown>>[], table: string | null = null) =>
      sandbox.store.createFlexRecords(db, records, table),
  };
}
