import { describe, expect, test } from 'vitest';
import { LARGE_ROW } from '../../src/formats/decode.ts';
import { json } from '../../src/formats/json.ts';
import { longSteps } from '../support/clock.ts';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// A record that holds so much that it would take long to parse is refused before it is parsed, and costs no other record.

const list = (count: number, item: (index: number) => string) =>
  `[${Array.from({ length: count }, (_none, at) => item(at)).join(',')}]`;
const object = (count: number) => `{${Array.from({ length: count }, (_none, at) => `"key ${at}":1`).join(',')}}`;
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const LONG_TEXT = JSON.stringify('a text, with "[{'.repeat(10_000));

const LARGE: readonly (readonly [name: string, value: string, bound: string])[] = [
  ['lists', list(200_001, () => '[]'), '200000 values'],
  ['objects', list(200_001, () => '{}'), '200000 values'],
  ['rows like those around it', list(200_001, (at) => `{"id":${at}}`), '200000 values'],
  ['keys of one object', object(50_001), '50000 keys in one object'],
  ['levels', `[${nested(257)},${LONG_TEXT}]`, '256 levels'],
  ['very many levels', nested(1_000_000), '256 levels'],
];

const WITHIN: readonly (readonly [name: string, value: string])[] = [
  ['lists', list(99_000, () => '[]')],
  ['keys of one object', object(50_000)],
  ['objects with fewer keys', list(10, () => object(10_000))],
  ['levels', `[${nested(240)},${LONG_TEXT}]`],
  ['a long text of brackets', JSON.stringify('[{",\\'.repeat(200_000))],
];

const body = (text: string, size: number) => {
  const bytes = Buffer.from(text);
  const count = Math.ceil(bytes.length / size);
  const chunks = Array.from({ length: count }, (_none, at) => bytes.subarray(at * size, (at + 1) * size));
  return { body: chunks, contentType: 'application/json', contentEncoding: '' };
};
const parse = async (text: string, size = 65_536) => json.parse(body(text, size), 'CRM_URL');

describe.each(LARGE)('of a record with too many %s', (_name, value, bound) => {
  const row = `{"id":7,"data":${value}}`;
  const others = (count: number) => Array.from({ length: count }, (_none, at) => ({ id: at + 10, name: 'a name' }));

  test.each([
    [0, 0],
    [0, 3],
    [3, 0],
    [1, 1],
    [5_000, 5_000],
  ])('the others in a list are read: %d before it, and %d behind', async (before, behind) => {
    const rows = [...others(before), LARGE_ROW, ...others(behind)];
    const texts = rows.map((each) => (each === LARGE_ROW ? row : JSON.stringify(each)));
    expect(await parse(`[${texts.join(',')}]`)).toEqual(rows);
    expect(await parse(` [ ${texts.join(' ,\n ')} ] `, 7_001)).toEqual(rows);
  });

  test('a list that is cut off behind it is broken', async () => {
    const text = `[{"id":1},${row},${row}]`;
    for (const end of [-1, -2, -3]) await expect(parse(text.slice(0, end))).rejects.toThrow('broken or cut off');
    await expect(parse(`[{"id":1},${row},]`)).rejects.toThrow('broken or cut off');
    await expect(parse(`[{"id":1},${row}}]`)).rejects.toThrow('broken or cut off');
    await expect(parse(`[{"id":1},${row}] more`)).rejects.toThrow('broken or cut off');
  });

  test('an object is refused', async () => {
    await expect(parse(row)).rejects.toThrow(`Expected JSON with at most ${bound}, got more.`);
  });
});

test.each(WITHIN)('a record with as many %s is read', async (_name, value) => {
  const expected = { id: 7, data: JSON.parse(value) };
  const row = `{"id":7,"data":${value}}`;
  expect(await parse(row)).toEqual(expected);
  expect(await parse(`[{"id":1},${row},{"id":2}]`)).toEqual([{ id: 1 }, expected, { id: 2 }]);
});

test('a long record is counted in steps between which others have their turn', async () => {
  const text = `{"id":1,"name":"${'x'.repeat(4_000_000)}"}`;
  const turns = longSteps();
  await parse(text);
  expect(turns()).toBeGreaterThan(15);
});

describe('a list of what is no record', () => {
  test.each([
    ['lists', '[]'],
    ['objects without a key', '{}'],
    ['numbers', '1'],
    ['texts', '"a"'],
    ['nulls', 'null'],
  ])('is refused beyond 100,000 %s, and read up to them', async (_name, item) => {
    const strays = (count: number) => `[{"id":1},${list(count, () => item).slice(1)}`;
    expect(await parse(strays(100_000))).toHaveLength(100_001);
    await expect(parse(strays(100_001))).rejects.toThrow(
      'Expected a list of records, got more than 100000 rows that are none.',
    );
  });
});

test('the list of a field has an error that counts the rows, and a record of its own has one', async () => {
  const [, value = ''] = LARGE[0] ?? [];
  const row = `{"id":2,"data":${value}}`;
  const upstream = await stubUpstream((request, response) => {
    says(request.url?.startsWith('/app/clients/2') ? row : `[{"id":1},${row},{"id":3}]`)(request, response);
  });
  const { execute } = await gatewayOver(
    upstream.url,
    { CRM_URL: new URL(upstream.url), CRM_SHARES_TOKEN: 'true' },
    'token',
  );
  expect(await execute('{ clients { nodes { upstreamId } } }')).toMatchObject({
    data: { clients: { nodes: [{ upstreamId: '1' }, { upstreamId: '3' }] } },
    errors: [
      {
        message:
          'The crm API: 1 of 3 rows was left out: Expected an object, got one with more than 200000 values, or 50000 keys in one object, or 256 levels.',
        extensions: { code: 'UPSTREAM_BAD_RESPONSE' },
      },
    ],
  });
  expect(await execute('{ client(id: 2) { name } }')).toMatchObject({
    data: { client: null },
    errors: [{ message: 'The crm API: Expected JSON with at most 200000 values, got more.' }],
  });
});
