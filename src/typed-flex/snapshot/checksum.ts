import { createHash } from 'node:crypto';
import { isObject } from '../../http/formats/decode.ts';
import type { Definition } from './definition.ts';

/** The checksum of a definition, whatever the order of its keys: SHA-256 in hexadecimal digits. The name is no part of it. */
export function checksumOf({ id, code, schema, public_methods }: Omit<Definition, 'name'>): string {
  const text = JSON.stringify(sortedKeys({ id, code, schema, public_methods }));
  return createHash('sha256').update(text).digest('hex');
}

function sortedKeys(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sortedKeys(value[key])]),
  );
}
