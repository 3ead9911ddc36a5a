import type { dice } from '../support/dice.ts';
import type { MappedField } from './mapped-databases.ts';

type Dice = ReturnType<typeof dice>;
type Fields = readonly MappedField[];

export type Row = Readonly<Record<string, unknown>>;

/** The forms of one thing in both APIs: for a row the data, and the fields with `extra`. */
interface Forms<T> {
  readonly untyped: T;
  readonly typed: T;
}

/** A value in the forms in which callers send it, and in those in which they read it. */
interface RandomValue {
  readonly sent: Forms<unknown>;
  readonly read: Forms<unknown>;
}

/** The values of a row, by their keys in the data. */
export type RowValues = ReadonlyMap<string, RandomValue>;

const same = (sent: unknown, read: unknown = sent): RandomValue => ({
  sent: { untyped: sent, typed: sent },
  read: { untyped: read, typed: read },
});

const decimal = (untyped: unknown, digits: string): RandomValue => {
  const forms = { untyped, typed: digits };
  return { sent: forms, read: forms };
};

const eighths = (count: number) => decimal(count / 8, String(count / 8));

const NULL = same(null);

/** Not documented (A85): the sandbox stores datetimes in UTC, and times with their seconds. */
const valuesByType = new Map<unknown, (random: Dice) => RandomValue>([
  ['string', ({ pick }) => same(pick('żółw', 'a "quoted" \\ text', '日本', ' ', 'null', '007', '{"a":1}'))],
  ['text', ({ pick }) => same(pick('two\nlines', '🙂 a\u0301', 'true', 'اسم', '9007199254740993', '\u2028\u0001'))],
  [
    'integer',
    ({ roll, pick }) => same(pick<unknown>(roll(100), -7, 0, 2 ** 53 - 1, '9007199254740993', '-9223372036854775808')),
  ],
  [
    'number',
    ({ roll, pick }) =>
      pick(
        eighths(roll(1000)),
        decimal(0.1, '0.1'),
        decimal(-1e-7, '-0.0000001'),
        decimal(1e21, '1000000000000000000000'),
        decimal('-123456789012345678901234567890', '-123456789012345678901234567890'),
      ),
  ],
  ['boolean', ({ roll }) => same(roll(2) === 0)],
  [
    'datetime',
    ({ pick }) => pick(same('2026-03-01T05:30:00.000Z'), same('1999-12-31T23:59:59+02:00', '1999-12-31T21:59:59.000Z')),
  ],
  ['date', ({ roll }) => same(`2024-0${1 + roll(9)}-2${roll(10)}`)],
  ['time', ({ roll, pick }) => pick(same(`1${roll(10)}:45:00`), same('09:05', '09:05:00'))],
]);

const extraKeys = ['a key without a field', 'ключ', '鍵', '', 'a.b', 'id', '__proto__', 'toString'];
const extraValues = [
  ...[null, 'text', false, 0.5, [], '12345678901234567890'],
  { nested: [1, null, { ключ: '値', '': {} }] },
];

/** Values under some or all of the fields of a table, and under keys that have no field. */
export function randomValues(fields: Fields, random: Dice): RowValues {
  const given = fields.filter(({ required }) => required || random.roll(4) > 0);
  const keys = extraKeys.filter((key) => random.roll(4) === 0 && !fields.some((field) => field.key === key));
  return new Map([
    ...given.map((field) => [field.key, randomValue(field, random)] as const),
    ...keys.map((key) => [key, same(random.pick<unknown>(1, ...extraValues))] as const),
  ]);
}

function randomValue({ type, required }: MappedField, random: Dice): RandomValue {
  const isText = type === 'string' || type === 'text';
  if (!required && random.roll(9) === 0) return isText ? random.pick(NULL, same('')) : NULL;
  const make = valuesByType.get(type);
  if (!make) throw new Error(`No values of the type ${String(type)}.`);
  return make(random);
}

/** The data of a row, as it is sent or read. */
export function dataOf(values: RowValues, way: 'sent' | 'read'): Row {
  return Object.fromEntries([...values].map(([key, value]) => [key, value[way].untyped]));
}

/** The input of a row. */
export function inputOf(values: RowValues, fields: Fields): Row {
  const given = fields.flatMap(({ key, name }) => {
    const value = values.get(key);
    return name === null || !value ? [] : [[name, value.sent.typed] as const];
  });
  return { ...Object.fromEntries(given), extra: dataOf(withoutNamed(values, fields), 'sent') };
}

/** A row as its typed fields show it. Those without a value are null. */
export function fieldsOf(values: RowValues, fields: Fields): Row {
  const shown = fields.flatMap(({ key, name }) =>
    name === null ? [] : [[name, values.get(key)?.read.typed ?? null] as const],
  );
  return { ...Object.fromEntries(shown), extra: dataOf(withoutNamed(values, fields), 'read') };
}

function withoutNamed(values: RowValues, fields: Fields): RowValues {
  const named = new Set(fields.flatMap(({ key, name }) => (name === null ? [] : [key])));
  return new Map([...values].filter(([key]) => !named.has(key)));
}
