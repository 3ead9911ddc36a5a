import Database from 'libsql';
import { z } from 'zod';

/** Named parameters of a statement. Booleans are excluded, because libsql aborts the process on one. */
export type Params = Readonly<Record<string, string | number | bigint | null>>;

/** A column that holds 0 or 1. */
export const booleanColumn = z.int().transform(Boolean);

/** A column that holds a value as JSON text. */
export function jsonColumn<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(schema);
}

/** The result of a write. The id of a row is its `INTEGER PRIMARY KEY`. */
const lastId = z.object({ lastInsertRowid: z.int() });

/** The data file cannot be used. */
export class DataFileError extends Error {}

/**
 * One SQLite database, in memory or in a file. Committed data in a file survives a crash of the process.
 */
export class Store {
  readonly #database: InstanceType<typeof Database>;
  readonly #statements = new Map<string, ReturnType<InstanceType<typeof Database>['prepare']>>();

  constructor(file = ':memory:') {
    try {
      this.#database = new Database(file);
      if (file !== ':memory:') this.#database.pragma('journal_mode = WAL');
      this.#database.pragma('synchronous = FULL');
      this.#database.pragma('foreign_keys = ON');
      this.#database.pragma('temp_store = MEMORY');
    } catch (cause) {
      const reasons = 'its folder is missing, it may not be written, or it is no database';
      throw new DataFileError(`The data file cannot be opened: ${reasons}. See --data.`, { cause });
    }
  }

  /**
   * Applies the migrations that were not applied before, in order. The list may only grow.
   *
   * @throws DataFileError when the file has more migrations than the list
   */
  migrate(migrations: readonly string[]): void {
    const applied = this.one(z.object({ user_version: z.int() }), 'PRAGMA user_version').user_version;
    if (applied > migrations.length)
      throw new DataFileError('The data file was written by a newer version of the sandbox. See --data.');
    for (const [index, migration] of migrations.entries()) {
      if (index < applied) continue;
      this.transaction(() => this.#database.exec(`${migration}; PRAGMA user_version = ${index + 1}`));
    }
  }

  /** Returns all rows, each parsed by the schema `row`. */
  all<Row extends z.ZodType>(row: Row, sql: string, params: Params = {}): z.infer<Row>[] {
    // Not `.get()`: it leaves the statement unfinished, and a failed one then runs with its old values.
    return this.#prepare(sql)
      .all(params)
      .map((columns) => row.parse(columns));
  }

  /** Returns the first row, or null. */
  find<Row extends z.ZodType>(row: Row, sql: string, params: Params = {}): z.infer<Row> | null {
    return this.all(row, sql, params)[0] ?? null;
  }

  /** The first row of a statement that always has one: an aggregate, or a write with RETURNING. */
  one<Row extends z.ZodType>(row: Row, sql: string, params: Params = {}): z.infer<Row> {
    const [first] = this.all(row, sql, params);
    if (first === undefined) throw new Error(`No row: ${sql}`);
    return first;
  }

  /** Visits the rows one by one, without holding all in memory. */
  forEachRow<Row extends z.ZodType>(row: Row, sql: string, params: Params, visit: (row: z.infer<Row>) => void): void {
    for (const columns of this.#prepare(sql).iterate(params)) visit(row.parse(columns));
  }

  /** Runs a statement for its effect. */
  run(sql: string, params: Params = {}): void {
    this.#prepare(sql).run(params);
  }

  /** Inserts a row and returns its id: cheaper than RETURNING, of which libsql makes a list of rows. */
  insert(sql: string, params: Params): number {
    return lastId.parse(this.#prepare(sql).run(params)).lastInsertRowid;
  }

  /** Runs `work` in a transaction, which is rolled back when `work` throws. */
  transaction<Result>(work: () => Result): Result {
    return this.#database.transaction(work)();
  }

  close(): void {
    if (this.#database.open) this.#database.close();
  }

  #prepare(sql: string) {
    const prepared = this.#statements.get(sql);
    if (prepared) return prepared;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
