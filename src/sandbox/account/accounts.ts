import { z } from 'zod';
import { jsonText, type Store } from '../store.ts';

/** Not documented: the identifiers of the modules, but `toolkit`. Tile keys begin with them. */
export const moduleNames = ['crm', 'cms', 'organize', 'mail', 'kb', 'marketing', 'toolkit'] as const;
export type Module = (typeof moduleNames)[number];

/** Whether a text is the name of a module. */
export function isModule(text: string): text is Module {
  return moduleNames.some((name) => name === text);
}

const accountRow = z.object({ modules: jsonText(z.array(z.enum(moduleNames))) });

/** Answers the new account's id. */
export function createAccount(store: Store, account: { name: string; modules: readonly Module[] }): number {
  return store.insert('INSERT INTO accounts (name, modules) VALUES (:name, :modules)', {
    name: account.name,
    modules: JSON.stringify(account.modules),
  });
}

export function enabledModules(store: Store, account: number): ReadonlySet<Module> {
  const { modules } = store.one(accountRow, 'SELECT modules FROM accounts WHERE id = :account', { account });
  return new Set(modules);
}

export function setModule(store: Store, account: number, module: Module, enabled: boolean): void {
  const current = enabledModules(store, account);
  const wanted = moduleNames.filter((known) => (known === module ? enabled : current.has(known)));
  store.run('UPDATE accounts SET modules = :wanted WHERE id = :account', { account, wanted: JSON.stringify(wanted) });
}
