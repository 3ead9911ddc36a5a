import { z } from 'zod';
import { jsonColumn, type Store } from '../store.ts';

/** Not documented (A45, A46): the identifiers of the modules, but `toolkit`. Tile keys begin with them. */
export const moduleNames = ['crm', 'cms', 'organize', 'mail', 'kb', 'marketing', 'toolkit'] as const;
export type Module = (typeof moduleNames)[number];

/** Whether a text is the name of a module. */
export function isModule(text: string): text is Module {
  return moduleNames.some((name) => name === text);
}

const accountRow = z.object({ modules: jsonColumn(z.array(z.enum(moduleNames))) });

interface NewAccount {
  readonly name: string;
  readonly modules: readonly Module[];
  /** The subdomain of the account. */
  readonly prefix?: string;
}

/** Inserts an account. Returns its id. */
export function createAccount(store: Store, { name, modules, prefix }: NewAccount): number {
  return store.insert('INSERT INTO accounts (name, modules, prefix) VALUES (:name, :modules, :prefix)', {
    name,
    modules: JSON.stringify(modules),
    prefix: prefix ?? null,
  });
}

export function isPrefixTaken(store: Store, prefix: string): boolean {
  return store.find(z.unknown(), 'SELECT 1 FROM accounts WHERE prefix = :prefix', { prefix }) !== null;
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
