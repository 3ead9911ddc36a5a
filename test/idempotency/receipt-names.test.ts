import { expect, test } from 'vitest';
import { LongNumber } from '../../src/formats/long-numbers.ts';
import {
  canonicalJson,
  type DocumentWrite,
  type KeyedOperation,
  type NamedWrite,
  ReceiptNames,
} from '../../src/idempotency/receipt-names.ts';
import { keyedHash } from '../../src/redis/redis.ts';
import { readConfig } from '../../src/config.ts';

const config = readConfig({ HASH_SECRET: 'a secret of at least 32 characters' });

const WRITES: readonly DocumentWrite[] = [
  { path: 'createClient', field: 'createClient', arguments: '{name:"canary-name"}' },
  { path: 'second', field: 'createClient', arguments: '{name:"canary-name"}' },
  { path: 'other', field: 'createClient', arguments: '{name:"other"}' },
  { path: 'updateClient', field: 'updateClient', arguments: '{}' },
];

const OPERATION: KeyedOperation = {
  writes: () => WRITES,
  document: 'mutation { a }',
  name: undefined,
  variables: { a: 1 },
  network: '2001:db8:0:1',
};
const WRITE: NamedWrite = {
  api: 'crm',
  credential: 'canary-token',
  place: 'createClient',
  number: 1,
  target: 'POST /app/clients.json',
  isNew: true,
  alike: 'canary-name',
};

function nameOf(key: string, operation: Partial<KeyedOperation> = {}, write: Partial<NamedWrite> = {}) {
  return new ReceiptNames(keyedHash(config)).of(key, { ...OPERATION, ...operation }).of({ ...WRITE, ...write });
}

/** Those that are hashes. */
const PARTS = ['key', 'mutation', 'place', 'credential', 'network', 'twins', 'records'];

/** The parts of the name that differ from those of the first write. */
function changed(key: string, operation: Partial<KeyedOperation> = {}, write: Partial<NamedWrite> = {}): string[] {
  const [one, other] = [nameOf('k'), nameOf(key, operation, write)];
  return PARTS.filter((part) => Reflect.get(one, part) !== Reflect.get(other, part));
}

test('processes with one HASH_SECRET give a write one name, others another', () => {
  expect(nameOf('k')).toEqual(nameOf('k'));
  const other = new ReceiptNames(keyedHash(readConfig({ HASH_SECRET: 'another secret of 32 characters...' })));
  const foreign = other.of('k', OPERATION).of(WRITE);
  for (const part of PARTS) expect(Reflect.get(foreign, part)).not.toBe(Reflect.get(nameOf('k'), part));
});

test('each part of a name says what it says, and nothing else', () => {
  expect(changed('other')).toEqual(['key']);
  expect(changed('k', { document: 'mutation { b }', name: 'A', variables: { a: 2 } })).toEqual([]);
  expect(changed('k', {}, { credential: 'other' })).toEqual(['key', 'credential']);
  expect(changed('k', { network: '192.0.2.1' })).toEqual(['network']);
  expect(changed('k', {}, { api: 'flex' })).toEqual(['key', 'credential', 'twins', 'records']);
  expect(changed('k', {}, { place: 'second' })).toEqual(['place']);
  expect(changed('k', {}, { place: 'other' })).toEqual(['place']);
  expect(changed('k', {}, { place: 'updateClient' })).toEqual(['mutation', 'place']);
  expect(changed('k', {}, { number: 2 })).toEqual(['place']);
  expect(changed('k', {}, { alike: 'Bob' })).toEqual(['twins']);
  expect(changed('k', {}, { isNew: false })).toEqual(['twins', 'records']);
  expect(changed('k', {}, { target: 'POST /app/deals.json' })).toEqual(['twins', 'records']);
});

test.each([
  ['white space and case', 'Canary-Name ', 'canary-name'],
  ['numbers, which have many forms', '1.0', '1'],
  ['instants', '2026-01-01T00:00:00Z', '2026-01-01'],
  ['values that are no texts', 5, ['a']],
  ['none', undefined, ''],
])('creations may make the same record where they differ in %s', (_what, one, other) => {
  expect(nameOf('k', {}, { alike: one }).twins).toBe(nameOf('k', {}, { alike: other }).twins);
  expect(nameOf('k', {}, { alike: one }).twins).not.toBe(nameOf('k', {}, { alike: 'another' }).twins);
});

test('the place of a write begins with the one among those of the document that it is in', () => {
  const item = nameOf('k', {}, { place: 'other.3', number: 2 });
  expect(item.writes.size).toBe(3);
  const [write, ...parts] = item.place.split(' ');
  expect(item.writes).toContain(write);
  expect(parts).toEqual(['3', '/2']);
  expect(nameOf('k', {}, { place: 'updateClient' }).writes.size).toBe(1);
});

test('a name holds no text of the caller', () => {
  const name = JSON.stringify(nameOf('canary-key', { document: 'canary', variables: { canary: 1 } }));
  expect(name).not.toContain('canary');
  for (const part of PARTS) expect(Reflect.get(nameOf('k'), part)).toMatch(/^[\w-]{22}$/);
});

test.each([
  [JSON.parse('{"b":1,"a":{"d":[1,{"y":1,"x":2}],"c":null}}'), '{"a":{"c":null,"d":[1,{"x":2,"y":1}]},"b":1}'],
  [JSON.parse('{"__proto__":{"a":1},"constructor":2}'), '{"__proto__":{"a":1},"constructor":2}'],
  [JSON.parse('{"toJSON":"text"}'), '{"toJSON":"text"}'],
  [{ a: undefined, b: [undefined] }, '{"b":[null]}'],
  [JSON.parse('[1.0, 1e0, -0, "1"]'), '[1,1,0,"1"]'],
])('equal values are equal texts: %o', (value, text) => {
  expect(canonicalJson(value)).toBe(text);
});

test('a long number has all of its digits', () => {
  expect(canonicalJson({ a: new LongNumber('9007199254740993') })).toContain('9007199254740993');
});

test('a write is found by the names that the version before gave it', () => {
  const operation = { document: 'mutation A { createClient }', name: 'A', variables: { b: 1, a: [2] } };
  const { key, credential, twins, records, network, earlier } = nameOf('k', operation);
  // These are what that version made of the same secret, operation and write.
  expect({ key, credential, twins, records, network }).toEqual({
    key: 'k-yxsPdTm6AViyjIjNKFjT',
    credential: 'XdvkIYLDg1r8R-5eE_Ackb',
    network: 'Qu_PSxq-CwcYBPv7rbaCRT',
    twins: 'X6wuKBm2MQIJrRGvSk2xiN',
    records: 'c3EANW0c2c8Yh_ga0rShM5',
  });
  expect(earlier).toEqual({ operation: 'E4YgeTK1PHB6iWgCRAwka5', place: 'pXL_JwoG9miEoESzpzkUtk' });
  expect(nameOf('k', operation, { number: 2 }).earlier.place).toBe('pXL_JwoG9miEoESzpzkUtk 2');
});
