import { z } from 'zod';
import type { Store } from './store.ts';

const named = z.object({ name: z.string() });

/**
 * A copy of all tables, kept beside them in memory. It holds the next ids of the tables, too. Both methods run in the
 * transaction of their caller.
 */
export class Snapshot {
  readonly #store: Store;
  #isTaken = false;

  constructor(store: Store) {
    this.#store = store;
  }

  get isTaken(): boolean {
    return this.#isTaken;
  }

  /** Copies all tables, in the place of earlier copies. */
  take(): void {
    for (const table of this.#tables()) {
      this.#store.run(`DROP TABLE IF EXISTS temp."${copyOf(table)}"`);
      this.#store.run(`CREATE TEMP TABLE "${copyOf(table)}" AS SELECT ${this.#columns(table)} FROM "${table}"`);
    }
    this.#isTaken = true;
  }

  /** Makes all tables as they were when they were copied. */
  restore(): void {
    clear(this.#store, this.#tables());
    // The next ids come last: an insert changes them.
    for (const table of this.#tables().toSorted((one, other) => Number(one === nextIds) - Number(other === nextIds))) {
      if (table === nextIds) clear(this.#store, [nextIds]);
      const columns = this.#columns(table);
      this.#store.run(`INSERT INTO "${table}" (${columns}) SELECT ${columns} FROM "${copyOf(table)}"`);
    }
  }

  /** Deletes all rows, so that ids begin at 1 again. */
  clear(): void {
    clear(this.#store, this.#tables());
  }

  #tables(): string[] {
    const tables = this.#store.all(
      named,
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND (name NOT LIKE 'sqlite_%' OR name = '${nextIds}')`,
    );
    return tables.map(({ name }) => name);
  }

  /** The columns of a table that hold a value of their own: generated ones do not. */
  #columns(table: string): string {
    const columns = this.#store.all(named, 'SELECT name FROM pragma_table_info(:table)', { table });
    return columns.map(({ name }) => `"${name}"`).join(', ');
  }
}

/** The table in which SQLite keeps the last id of each other one. */
const nextIds = 'sqlite_sequence';

function copyOf(table: string): string {
  return `seed_${table}`;
}

function clear(store: Store, tables: readonly string[]): void {
  store.run('PRAGMA defer_foreign_keys = ON'); // until the end of the transaction
  for (const table of tables) store.run(`DELETE FROM "${table}"`);
}
