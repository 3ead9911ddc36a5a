import type { DatabaseWatch } from '../../apis/flex/source.ts';
import type { FlexDbRecord } from '../../apis/flex/wire.ts';
import { BadResponseError } from '../../errors.ts';
import type { Rows } from '../../formats/rows.ts';
import { checksumOf, definitionOf } from '../snapshot/definition.ts';
import type { Snapshot, StoredDatabase } from '../snapshot/snapshot.ts';

/** A database with another definition than the snapshot, or one that a caller does not have. */
type Drift = 'changed' | 'missing';

/** @param databases their keys in the snapshot: no text of a caller */
export type OnDrift = (drift: Drift, databases: readonly string[]) => void;

/** The databases of the snapshot as the last reads of a process have shown them, by their keys in the snapshot. */
interface DefinitionReport {
  readonly databases: number;
  /** The number of those that a read has shown, or has not found. */
  readonly compared: number;
  readonly changed: readonly string[];
  readonly missing: readonly string[];
}

/**
 * Compares the databases that operations read anyway with those of the snapshot. It calls nothing, and keeps one state for
 * each database of the snapshot.
 *
 * @see docs/decisions/0048-types-from-a-file.md
 */
export class DefinitionWatch implements DatabaseWatch {
  readonly #keysById: ReadonlyMap<string, string>;
  readonly #stored: ReadonlyMap<string, StoredDatabase>;
  readonly #onDrift: OnDrift;
  readonly #states = new Map<string, 'same' | Drift>();
  readonly #reported: Readonly<Record<Drift, Set<string>>> = { changed: new Set(), missing: new Set() };

  /** @param onDrift is told once of each database that a read shows changed, and once of each that is missing. Must not throw */
  constructor({ databases }: Snapshot, onDrift: OnDrift) {
    const entries = Object.entries(databases);
    this.#stored = new Map(entries);
    this.#keysById = new Map(entries.map(([key, { id }]) => [id, key]));
    this.#onDrift = onDrift;
  }

  listed(databases: Rows<FlexDbRecord>): void {
    for (const database of databases) this.#compare(database);
    if (databases.problems.length > 0) return; // a row that cannot be read may be any database
    // Not documented (A224): that the list has all databases of the account.
    const ids = new Set(Array.from(databases, ({ id }) => id));
    this.#note(
      'missing',
      [...this.#keysById].filter(([id]) => !ids.has(id)).map(([, key]) => key),
    );
  }

  read(database: FlexDbRecord): void {
    const { id, code } = database;
    if (this.#keysById.has(id)) this.#compare(database);
    else if (typeof code === 'string') this.missing(code); // another database has the code
  }

  missing(idOrCode: string): void {
    const key = this.#keysById.get(idOrCode) ?? idOrCode;
    if (this.#stored.has(key)) this.#note('missing', [key]);
  }

  report(): DefinitionReport {
    const inState = (wanted: Drift) => [...this.#stored.keys()].filter((key) => this.#states.get(key) === wanted);
    return {
      databases: this.#stored.size,
      compared: this.#states.size,
      changed: inState('changed'),
      missing: inState('missing'),
    };
  }

  /** The ids of the databases that no read has told anything about. */
  unseen(): readonly string[] {
    return [...this.#keysById].filter(([, key]) => !this.#states.has(key)).map(([id]) => id);
  }

  #compare(database: FlexDbRecord): void {
    const key = this.#keysById.get(database.id);
    const stored = key === undefined ? undefined : this.#stored.get(key);
    const isSame = stored && hasStoredDefinition(stored, database);
    if (key === undefined || isSame === undefined) return;
    if (isSame) this.#states.set(key, 'same');
    else this.#note('changed', [key]);
  }

  #note(drift: Drift, keys: readonly string[]): void {
    const reported = this.#reported[drift];
    const news = keys.filter((key) => !reported.has(key));
    for (const key of keys) {
      this.#states.set(key, drift);
      reported.add(key);
    }
    if (news.length > 0) this.#onDrift(drift, news);
  }
}

/**
 * Whether a database as a read sends it has the definition that the snapshot has.
 *
 * Not documented (A223): whether a read sends a key without a value. A code or public methods that are not sent count as unchanged.
 *
 * @returns undefined for a record without a schema, which tells nothing
 */
function hasStoredDefinition(stored: StoredDatabase, database: FlexDbRecord): boolean | undefined {
  const sends = (key: keyof FlexDbRecord) => Object.hasOwn(database, key);
  if (!sends('schema')) return undefined;
  try {
    const sent = definitionOf(database);
    if (!sent) return false;
    const code = sends('code') ? sent.code : stored.code;
    const public_methods = sends('public_methods') ? sent.public_methods : stored.public_methods;
    return checksumOf({ ...sent, code, public_methods }) === stored.checksum;
  } catch (error) {
    if (error instanceof BadResponseError) return false; // malformed
    throw error;
  }
}
