import type { FlexDbRecord } from '../../flex/wire.ts';
import { BadResponseError } from '../../http/errors.ts';
import { definitionOf } from '../snapshot/definition.ts';
import { checksumOf } from '../snapshot/checksum.ts';
import type { StoredDatabase } from '../snapshot/snapshot.ts';

/**
 * Whether a database as a read sends it has the definition that the snapshot has.
 *
 * Not documented (A223): whether a read sends a key without a value. A code or public methods that are not sent count as unchanged.
 *
 * @returns undefined for a record without a schema, which tells nothing
 */
export function hasStoredDefinition(stored: StoredDatabase, database: FlexDbRecord): boolean | undefined {
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
