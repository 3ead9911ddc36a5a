import { describe, expect, test } from 'vitest';
import type { FlexDbRecord } from '../../src/apis/flex/wire.ts';
import { schema as base } from '../../src/apis/schema.ts';
import { pull } from '../../src/typed-flex/changes/pull.ts';
import { modelOf } from '../../src/typed-flex/model/read-model.ts';
import { SnapshotError } from '../../src/typed-flex/snapshot/snapshot-error.ts';
import { readReplaceable, readSnapshot, type Snapshot, snapshotText } from '../../src/typed-flex/snapshot/snapshot.ts';
import { clientId, FIELDS, instead, reading, type Replacement, title } from './good-snapshot.ts';

const OR_NULL = 'write a name for this field, or null to leave it in `extra`';
const shop = (...names: readonly string[]): FlexDbRecord => ({
  id: '1',
  code: 'shop',
  schema: { fields: Object.fromEntries(names.map((name) => [name, 'string'])) },
});

/** The lines with which a start refuses a snapshot. */
function refusal(snapshot: Snapshot): readonly string[] {
  try {
    modelOf(readSnapshot(snapshotText(snapshot)), base);
    return [];
  } catch (error) {
    if (error instanceof SnapshotError) return error.message.split('\n');
    throw error;
  }
}

describe('a name that a pull leaves open is told with the reason and what to write', () => {
  const fields = 'names.shop.table.fields';
  const tooLong = 'x'.repeat(61);
  const [code, table] = ['c'.repeat(60), 't'.repeat(60)];
  test.each<[string, FlexDbRecord, readonly string[]]>([
    [
      'of other letters',
      shop('żółw'),
      [`${fields}["żółw"]: ${OR_NULL}: its name upstream has characters beyond printable ASCII.`],
    ],
    ['of an empty name', shop('', 'ok'), [`${fields}[""]: ${OR_NULL}: its name upstream is empty.`]],
    ['of a digit', shop('2nd'), [`${fields}.2nd: ${OR_NULL}: its name upstream begins with a digit.`]],
    ['of no letter', shop('- -'), [`${fields}["- -"]: ${OR_NULL}: its name upstream has no letter.`]],
    [
      'of a long name',
      shop(tooLong),
      [`${fields}["${'x'.repeat(60)}…"]: ${OR_NULL}: its name upstream has more than 60 characters.`],
    ],
    ['that is reserved', shop('created_at'), [`${fields}.created_at: ${OR_NULL}: the field "createdAt" is reserved.`]],
    [
      'that two fields would have',
      shop('first_name', 'first name'),
      [
        `${fields}.first_name: ${OR_NULL}: the field "firstName" is that of ${fields}["first name"], too.`,
        `${fields}["first name"]: ${OR_NULL}: the field "firstName" is that of ${fields}.first_name, too.`,
      ],
    ],
    [
      'of a database without a code, and no line for those that are made of it',
      { ...shop('ok'), code: null },
      [
        'names.1.query: write a name for this field of Query: the database has no code.',
        'names.1.type: write a name for this type: the database has no code.',
      ],
    ],
    [
      'of a database with another code',
      { ...shop('ok'), code: '日本', public_methods: { list: true } },
      ['query', 'type'].map((name) =>
        expect.stringMatching(`^names\\["日本"\\]\\.${name}: .*: the code has characters beyond printable ASCII\\.$`),
      ),
    ],
    [
      'of a database with the code of another field and type',
      { ...shop('ok'), code: 'client', public_methods: { list: true } },
      [
        'names.client.query: write a name for this field of Query: the field of Query "client" is reserved.',
        'names.client.type: write a name for this type: the type "Client" is reserved.',
      ],
    ],
    [
      'that would be too long to be read again',
      { id: '1', code, schema: { tables: { [table]: { fields: { ok: 'text' } } } } },
      [
        expect.stringMatching(
          /^names\.c+\.tables\.t+\.type: write a name for this type: "Cc+…" has more than 100 characters\.$/,
        ),
      ],
    ],
  ])('%s', (_name, database, lines) => {
    const { snapshot, openNames } = pull([database], { base });
    expect(openNames).toEqual(lines);
    expect(refusal(snapshot)).toEqual(lines);
  });

  test('and a start names those that the next pull makes of it', () => {
    const database = { ...shop('ok'), code: null };
    const text = snapshotText(pull([database], { base }).snapshot)
      .replace('"query": ""', '"query": "notes"')
      .replace('"type": ""', '"type": "Notes"');
    const previous = readReplaceable(text);
    expect(refusal(previous)).toEqual([
      'names.1.table.type: write a name for this type: `trivium flex pull` makes it "NotesRow".',
    ]);
    const { snapshot, openNames } = pull([database], { previous, base });
    expect({ openNames, refusal: refusal(snapshot) }).toEqual({ openNames: [], refusal: [] });
  });

  test('and in an entry with a reference, too', () => {
    const text = snapshotText(pull([shop('client_id')], { base }).snapshot);
    const previous = readReplaceable(text.replace('"clientId"', '{"name": "", "references": "Client"}'));
    expect(refusal(previous)).toEqual([
      `names.shop.table.fields.client_id: ${OR_NULL}: \`trivium flex pull\` makes it "clientId".`,
    ]);
    const { snapshot } = pull([shop('client_id')], { previous, base });
    expect(snapshot.names['shop']?.table?.fields).toEqual({ client_id: { name: 'clientId', references: 'Client' } });
  });
});

describe('one mistake is one line', () => {
  test.each<[string, Replacement, RegExp]>([
    [
      'a name of a field that public methods show, too',
      title('my-title'),
      /^\S+\.title: "my-title" is no name in GraphQL[^\n]+$/,
    ],
    ['an open name of such a field', title(''), /^\S+\.title: write a name[^\n]+$/],
    [
      'an enum value of such a field',
      title({ name: 't', enum: 'DONE' }),
      /^\S+\.done: the enum value "DONE" is that of [^\n]+$/,
    ],
    [
      'a name of a list that is a value of an enum, too',
      instead('list', 'people', 'my-people'),
      /^\S+\.list: "my-people" is no name[^\n]+$/,
    ],
    [
      'names of one table for several',
      ['"untabled"', '"table": {"type": "T", "list": "l", "one": "o", "fields": {}}, "untabled"'],
      /^names\.tracker\.table: the database has several tables: run `trivium flex pull`\.$/,
    ],
    [
      'a definition with several mistakes',
      ['"id": "f1"', '"id": 7, "nick": 8'],
      /^databases\.tracker\S*: the definition was changed by hand[^\n]+$/,
    ],
  ])('%s', (_name, replacement, line) => {
    expect(reading(replacement)).toThrow(line);
  });

  test('a type of a table that no name can be, which a field refers to', () => {
    const refers = clientId({ name: 'note', references: 'Note' });
    expect(reading(instead('type', 'Note', 'note'), refers)).toThrow(
      /^names\.f2\.table\.type: "note" begins with no capital letter[^\n]+$/,
    );
    expect(reading(instead('type', 'Note', 'Memo'), refers)).toThrow(
      `${FIELDS}.client_id: "Note" cannot be referred to`,
    );
  });

  test('tables without any names', () => {
    const tables = { a: { fields: { ok: 'text' } }, b: { fields: { ok: 'text' } } };
    const { snapshot } = pull([{ id: '1', code: 'shop', schema: { tables } }], { base });
    const { tables: _tables, ...shop } = snapshot.names['shop'] ?? { query: '', type: '' };
    expect(refusal({ ...snapshot, names: { shop } })).toEqual([
      'names.shop.tables: the entry is missing: run `trivium flex pull`.',
    ]);
  });
});
