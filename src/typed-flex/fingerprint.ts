import { createHash } from 'node:crypto';
import { BadResponseError } from '../http/errors.ts';
import { isObject } from '../http/formats/decode.ts';
import type { FlexDbRecord } from '../flex/wire.ts';
import { type Definition, definitionOf } from './definition.ts';

/**
 * The fingerprint of a database as a read sends it: what its types are made of, whatever the order of keys and the form of
 * fields. That of a database whose definition is missing or malformed differs from all others.
 *
 * @param database a whole record: a list may leave keys out
 */
export function fingerprintOf(database: FlexDbRecord): string {
  try {
    const definition = definitionOf(database);
    return definition ? checksumOf(definition) : 'none';
  } catch (error) {
    if (error instanceof BadResponseError) return 'malformed';
    throw error;
  }
}

/** The fingerprint of a definition: SHA-256 in hexadecimal digits. */
export function checksumOf({ id, code, schema, public_methods }: Omit<Definition, 'name'>): string {
  const text = JSON.stringify(sortedKeys({ id, code, schema, public_methods }));
  return createHash('sha256').update(text).digest('hex');
}

function sortedKeys(value: unknown): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sortedKeys(member)]));
}
