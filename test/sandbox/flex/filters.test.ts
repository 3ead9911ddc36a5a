import { describe, expect, test } from 'vitest';
import { fields, refusal, searchable } from './support.ts';

const schemas: [kind: string, schema: object | null][] = [
  ['an indexed', { fields, indexed_fields: Object.keys(fields) }],
  ['an unindexed', { fields }],
];

describe.each(schemas)('filter on %s field', (_, schema) => {
  const records = [
    { name: 'a', size: 7, price: 1.5, ok: true, at: '2026-01-01T12:00:00+02:00', day: '2026-01-01', note: 'Żółw' },
    { name: 'A', size: 70, price: 15, ok: false, at: '2026-01-01T12:00:00Z', day: '2026-01-10', note: 'żółw i' },
    { name: 'aa', size: null, ok: null, note: '7' },
  ];

  test.each([
    ['name', 'a', ['a']],
    ['size', '7', ['a']],
    ['size', '+07', ['a']],
    ['price', '1.50', ['a']],
    ['ok', 'true', ['a']],
    ['ok', '0', ['A']],
    ['at', '2026-01-01T10:00:00Z', ['a']],
    ['at', '2026-01-01T14:00:00+02:00', ['A']],
    ['day', '2026-01-01', ['a']],
    ['note', '7', ['aa']],
    ['note', 'żółw', []],
    ['name', 'a*', ['aa', 'A', 'a']],
    ['name', '%A', ['aa', 'A', 'a']],
    ['note', 'ŻÓŁW*', ['A', 'a']],
    ['size', '7*', ['A', 'a']],
    ['day', '2026-01-0%', ['a']],
    ['name', '', []],
  ])('filter[%s]=%s finds %j', async (field, value, expected) => {
    expect(await (await searchable(schema, records)).names({ [`filter[${field}]`]: value })).toEqual(expected);
  });

  test.each([
    ['size', ['x', '1.5', '']],
    ['ok', ['maybe']],
    ['at', ['today']],
  ])('filter[%s]=%j does not convert: 422', async (field, values) => {
    const { trySearch } = await searchable(schema, records);
    const filter = `filter[${field}]`;
    for (const value of values) expect(await trySearch({ [filter]: value })).toMatchObject(refusal(filter));
  });

  test('a record must match all filters', async () => {
    const { names } = await searchable(schema, records);
    expect(await names({ 'filter[size]': '7', 'filter[ok]': 'true', 'filter[note]': 'ż*' })).toEqual(['a']);
    expect(await names({ 'filter[size]': '7', 'filter[ok]': 'false' })).toEqual([]);
    expect(await names({ 'filter[name]': 'a*', q: 'aa', search_in: 'name' })).toEqual(['aa']);
  });
});

describe('filter', () => {
  test.each([
    ['n', '7', ['text', 'number']],
    ['n', '7.0', []],
    ['n', 'true', ['boolean']],
    ['n', 'null', []],
    ['n', '1', []],
    ['unknown', 'x', []],
    ['__proto__', '[object Object]', []],
    ['constructor', 'x', ['odd']],
    ['a]b', 'x', ['odd']],
    ['a"b', '\\', ['odd']],
  ])('[%s]=%s compares a field that no schema knows as text', async (field, value, expected) => {
    for (const schema of [null, { fields }]) {
      const { names } = await searchable(schema, [
        { name: 'odd', constructor: 'x', 'a]b': 'x', 'a"b': '\\' },
        { name: 'null', n: null, nested: { n: 7, unknown: 'x' } },
        { name: 'boolean', n: true },
        { name: 'number', n: 7 },
        { name: 'text', n: '7' },
        { name: 'list', n: [7] },
      ]);
      expect(await names({ [`filter[${field}]`]: value })).toEqual(expected);
    }
  });

  test('hundreds of filters are answered, and 10,000 are refused because the request head is too large', async () => {
    const { names, trySearch } = await searchable({ fields, indexed_fields: ['name'] }, [{ name: 'x' }]);
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`filter[n${n}]`, '']));
    expect(await names({ ...many(500), 'filter[name]': 'x' })).toEqual([]);
    expect((await trySearch(many(10_000))).status).toBe(431);
  });
});
