import { assert, json, jsonValue, nat, property, tuple } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { schema } from '../../src/apis/schema.ts';
import { checksumOf } from '../../src/typed-flex/snapshot/definition.ts';
import { modelOf } from '../../src/typed-flex/model/read-model.ts';
import { SnapshotError } from '../../src/typed-flex/snapshot/snapshot-error.ts';
import { readSnapshot } from '../../src/typed-flex/snapshot/snapshot.ts';
import { FIELDS, reading, text } from './good-snapshot.ts';

const TITLE = '"title": "title"';
const NOTES = '"query": "notes"';

describe('the text of a snapshot', () => {
  test.each([
    ['a byte order mark', `\ufeff${text}`],
    ['the line ends of Windows', text.replaceAll('\n', '\r\n')],
    ['white space around it', `\n\t ${text} \r\n\n`],
    ['neither indentation nor a newline', JSON.stringify(JSON.parse(text))],
  ])('may have %s', (_name, written) => {
    expect(readSnapshot(written)).toEqual(readSnapshot(text));
  });

  test.each<[string, string, string]>([
    [
      '"integer"',
      '"number"',
      'databases.tracker: the definition was changed by hand: run `trivium flex pull`, and edit names only.',
    ],
    ['"integer"', '{"type": []}', 'databases.tracker.schema: the definition was changed by hand'],
    ['"code": "tracker"', '"code": "t"', 'databases.tracker: the definition was changed by hand'],
    ['"tracker": {\n      "id"', '"other": {\n      "id"', 'databases.other: the definition was changed by hand'],
    ['"checksum"', '"sum"', 'the definition was changed by hand'],
    [TITLE, '"title": "a", "title": "b"', 'The key "title" stands twice in one object: remove one.'],
    [TITLE, String.raw`"title": "a", "t\u0069tle": "b"`, 'The key "title" stands twice'],
    [TITLE, `"__proto__": {"name": "x"}, ${TITLE}`, 'The key "__proto__" is not taken'],
    [TITLE, '"__proto__": "x"', 'The key "__proto__" is not taken'],
    [NOTES, `${NOTES}, "lists": "x"`, 'names.f2: "lists" is no key of it: remove it.'],
    ['"version": 1', '"version": 2', 'version: takes 1'],
    [`${TITLE},`, '', `${FIELDS}.title: the entry is missing: run \`trivium flex pull\`.`],
    [
      TITLE,
      `${TITLE}, "gone": "gone"`,
      `${FIELDS}.gone: nothing of this name is defined: remove the entry, or run \`trivium flex pull\`.`,
    ],
    [TITLE, `${TITLE}, "constructor": "c"`, `${FIELDS}.constructor: nothing of this name is defined`],
    ['"table": {', '"tables": {}, "table": {', 'names.f2.tables: the database has one table without a name'],
    [NOTES, `${NOTES}, "untabled": "X"`, 'names.f2.untabled: the database has one table'],
    [
      NOTES,
      `${NOTES}, "public": {"query": "p", "type": "P", "row": "R"}`,
      'names.f2.public: the database has no public method',
    ],
  ])('with %s changed into %s ends the start: %s', (from, to, message) => {
    const replacement = [from, to] as const;
    expect(reading(replacement)).toThrow(SnapshotError);
    expect(reading(replacement)).toThrow(message);
  });

  test.each([
    ['is empty', '', 'is no JSON'],
    ['has another key', text.replace('{', '{"extra": 1,'), 'The snapshot: "extra" is no key of it: remove it.'],
    ['is cut off', '{', 'is no JSON'],
    ['lacks a comma', text.replace('"id": "f1",', '"id": "f1"'), 'The snapshot is no JSON in UTF-8, see line 6: '],
    ['has a comma too many', text.replace('"client_id": "integer",', '"client_id": "integer",,'), 'see line '],
    ['is a merge conflict', `<<<<<<< HEAD\n${text}`, 'is no JSON'],
    ['is in UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le').toString('utf8'), 'is no JSON in UTF-8: mend or restore'],
    ['begins with two byte order marks', `\ufeff\ufeff${text}`, 'is no JSON'],
    ['is null', 'null', 'The snapshot takes an object with version, databases and names.'],
    ['is a list', '[]', 'The snapshot takes an object'],
    ['lacks keys', '{"version":1}', 'databases: takes an object of databases.\nnames: takes an object of names.'],
    ['is too large', ' '.repeat(9 * 1024 ** 2), 'has more than 8388608 bytes'],
    ['is nested deeply', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'The snapshot takes an object'],
  ])('that %s is refused', (_name, text, message) => {
    expect(() => readSnapshot(text)).toThrow(SnapshotError);
    expect(() => readSnapshot(text)).toThrow(message);
  });

  test.each([
    ['a database with thousands of fields', 1, 2_000, 'databases.db0: it has 2000 fields, and 1000 can have types'],
    [
      'many databases with many fields',
      30,
      900,
      'databases: the databases have 27000 fields, and 20000 can have types',
    ],
  ])('with %s is refused', (_name, databases, fields, message) => {
    const entries = Array.from({ length: databases }, (_, index) => {
      const types = Object.fromEntries(Array.from({ length: fields }, (_, field) => [`f${field}`, 'text']));
      const definition = {
        id: `${index}`,
        name: null,
        code: `db${index}`,
        schema: { fields: types },
        public_methods: {},
      };
      return [`db${index}`, { ...definition, checksum: checksumOf(definition) }];
    });
    const text = JSON.stringify({ version: 1, databases: Object.fromEntries(entries), names: {} });
    expect(() => readSnapshot(text)).toThrow(message);
  });

  test('with more tables than a schema can have types for is refused', () => {
    const tables = Object.fromEntries(Array.from({ length: 200 }, (_none, at) => [`t${at}`, { fields: {} }]));
    const entries = Array.from({ length: 21 }, (_none, index) => {
      const definition = { id: `${index}`, name: null, code: `db${index}`, schema: { tables }, public_methods: {} };
      return [`db${index}`, { ...definition, checksum: checksumOf(definition) }] as const;
    });
    const text = (count: number) =>
      JSON.stringify({ version: 1, databases: Object.fromEntries(entries.slice(0, count)), names: {} });
    expect(() => readSnapshot(text(21))).toThrow('databases: the databases have 4200 tables, and 4000 can have types');
    expect(Object.keys(readSnapshot(text(20)).databases)).toHaveLength(20);
  });
});

/** A text that is JSON gives a model or a SnapshotError. */
function readsOrRefuses(text: string): void {
  try {
    modelOf(readSnapshot(text), schema);
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    expect(error.message).toMatch(/\S/);
    expect(error.message.split('\n').length).toBeLessThanOrEqual(21);
  }
}

describe('the reader of snapshots gives a model or a SnapshotError', () => {
  test('for any JSON', () => {
    assert(property(json(), readsOrRefuses), { seed: 17, numRuns: 300 });
  });

  test('for a snapshot in which any value is replaced', () => {
    const whole: unknown = JSON.parse(text);
    const replaced = tuple(nat(200), jsonValue()).map(([at, value]) => JSON.stringify(withValueAt(whole, at, value)));
    assert(property(replaced, readsOrRefuses), { seed: 17, numRuns: 300 });
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

/** Replaces one of the values within, counted in the order of the text. */
function withValueAt(whole: unknown, at: number, value: unknown): unknown {
  let seen = 0;
  return JSON.parse(JSON.stringify(whole), (_key, member: unknown) => {
    seen += 1;
    return seen - 1 === at ? value : member;
  });
}
