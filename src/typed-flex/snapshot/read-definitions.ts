import type { FlexDbRecord } from '../../apis/flex/wire.ts';
import { BadResponseError } from '../../errors.ts';
import { checksumOf, type Definition, definitionOf, isSafeKey, tooLarge } from './definition.ts';
import { entryPath, quoted } from './snapshot-error.ts';
import { keyOf, type StoredDatabase } from './snapshot.ts';

/** The databases of an account that can have types, by their keys in a snapshot. */
export interface ReadDefinitions {
  readonly definitions: ReadonlyMap<string, StoredDatabase>;
  /** Why a database cannot have types: a line by its id. Databases without fields are not among them. */
  readonly failures: ReadonlyMap<string, string>;
}

/** Reads the definitions of databases. @param databases as reads of the whole records send them */
export function readDefinitions(databases: readonly FlexDbRecord[]): ReadDefinitions {
  const definitions = new Map<string, StoredDatabase>();
  const failures = new Map<string, string>();
  for (const database of databases) {
    const definition = readDefinition(database);
    if (definition === undefined) continue;
    const problem = typeof definition === 'string' ? definition : problemOf(definition, definitions);
    if (problem !== undefined) failures.set(database.id, `${entryPath([nameOf(database)])}: ${problem}.`);
    else if (typeof definition === 'object')
      definitions.set(keyOf(definition), { ...definition, checksum: checksumOf(definition) });
  }
  return { definitions, failures };
}

/** Undefined for a database without fields, a text that says why it cannot be read for a malformed one. */
function readDefinition(database: FlexDbRecord): Definition | string | undefined {
  try {
    return definitionOf(database);
  } catch (error) {
    if (error instanceof BadResponseError) return `its schema cannot be read. ${error.message.replace(/\.$/, '')}`;
    throw error;
  }
}

function problemOf(definition: Definition, others: ReadonlyMap<string, Definition>): string | undefined {
  const key = keyOf(definition);
  if (!isSafeKey(key)) return 'a database of this code cannot have types';
  return others.has(key)
    ? `the database with the id ${quoted(others.get(key)?.id ?? '')} has this key, too: give one of them another code`
    : tooLarge(definition);
}

/** The code of a database, or its id. */
function nameOf({ id, code }: FlexDbRecord): string {
  return typeof code === 'string' && code !== '' ? code : id;
}
