import { describe, expect, test } from 'vitest';
import { parseJson, stringifyJson } from '../../../src/sandbox/json-text.ts';
import { flexDatabase, refusal } from './support.ts';

/** A sandbox with a database `d`, and requests whose JSON is sent and read as a text. */
async function digits(schema: unknown = null) {
  const context = await flexDatabase({ schema, public_methods: { create: true, get: true, list: true } });
  const text = context.asText;
  return {
    ...context,
    text,
    create: (data: string) => text('POST', '/flex/dbs/d/records.json', `{"record":{"data":${data}}}`),
    find: (query: string) => text('GET', `/flex/dbs/d/search.json?${query}`),
  };
}

const large = '9007199254740993';
const largest = '9223372036854775807';

describe('whole numbers beyond 2^53 keep their digits', () => {
  test.each([
    `{"a":${large}}`,
    `{"a":-${large},"b":[{"c":${largest}}],"d":"${large}","e":"\\"${large}"}`,
    `{"a":123456789012345678901234567890,"${large}":1}`,
    `{"a\\\\":${large},"b":"x\\\\","c":${large}}`,
    `{"a":${'7'.repeat(309)}}`,
  ])('in data without a schema: %s', async (data) => {
    const { create, text } = await digits();
    const created = await create(data);
    expect(created).toMatchObject({ status: 201, text: expect.stringContaining(`"data":${data}`) });
    expect((await text('GET', '/flex/dbs/d/records.json')).text).toContain(`"data":${data}`);
    expect((await text('POST', '/flex/db/d/list', '{}')).text).toContain(`"data":${data}`);
  });

  test('in an integer and a number field, from digits or a text of digits; in a string field as a text', async () => {
    const { create, text } = await digits({ fields: { i: 'integer', j: 'integer', n: 'number', s: 'string' } });
    const sent = `{"i":${largest},"j":"${large}","n":"+${large}","s":${large}}`;
    const kept = `"data":{"i":${largest},"j":${large},"n":${large},"s":"${large}"}`;
    expect((await create(sent)).text).toContain(kept);
    expect((await text('GET', '/flex/dbs/d/records.json')).text).toContain(kept);
  });

  test('in a search, where one filter tells neighbours apart', async () => {
    const { create, find } = await digits({ fields: { i: 'integer', n: 'number' }, indexed_fields: ['i'] });
    await create(`{"i":${large},"n":${large}}`);
    await create('{"i":9007199254740992,"n":9007199254740992}');
    for (const field of ['i', 'n']) {
      const { text } = await find(`filter[${field}]=${large}`);
      expect([...text.matchAll(/"i":(\d+)/g)].map(([, found]) => found)).toEqual([large]);
    }
    expect((await find(`q=40993&search_in=n`)).text).toContain(large);
    const sorted = async (sort: string) =>
      [...(await find(`sort=${sort}`)).text.matchAll(/"i":(\d+)/g)].map(([, i]) => i);
    expect(await sorted('i')).toEqual(['9007199254740992', large]);
    expect(await sorted('-i')).toEqual([large, '9007199254740992']);
  });

  test('in the options of public methods, also after an edit', async () => {
    const { as, text } = await digits();
    const methods = `{"create":{"default_values":{"a":${large}}}}`;
    expect((await text('PATCH', '/flex/dbs/d.json', `{"db":{"public_methods":${methods}}}`)).text).toContain(methods);
    await as('PATCH', '/flex/dbs/d/replace.json', { field: 'public_methods', old_string: '993', new_string: '995' });
    expect((await text('POST', '/flex/db/d/create', '{"data":{}}')).text).toContain('"data":{"a":9007199254740995}');
  });
});

test('numbers that an index column has not are searched and sorted by their values', async () => {
  const { create, find } = await digits({ fields: { n: 'number' }, indexed_fields: ['n'] });
  for (const n of ['1e21', '-1e300', '100000000000000000001', '7'])
    expect((await create(`{"n":${n}}`)).status).toBe(201);
  expect((await find('filter[n]=1e21')).text).toContain('"n":1e+21');
  expect((await find('filter[n]=100000000000000000001')).text).toContain('"n":100000000000000000001');
  const { text } = await find('sort=n');
  const sorted = ['-1e+300', '7', '100000000000000000001', '1e+21'];
  expect([...text.matchAll(/"n":([^,]+)/g)].map(([, n]) => n)).toEqual(sorted);
});

test('an integer field refuses what a column of 64 bits cannot hold', async () => {
  const { create } = await digits({ fields: { i: 'integer' } });
  for (const value of ['9223372036854775808', '-9223372036854775809', '1e21', '1.5']) {
    const { status, text } = await create(`{"i":${value}}`);
    expect({ status, body: JSON.parse(text) }, value).toMatchObject(refusal('i'));
  }
});

test('data with a number that is too large for any is refused', async () => {
  const { create } = await digits();
  for (const value of ['1e309', '-1e400', '7'.repeat(310)]) expect((await create(`{"a":[${value}]}`)).status).toBe(422);
});

test('field names that are whole numbers come first, in the order of their values', async () => {
  const { create } = await digits();
  expect((await create('{"b":1,"10":2,"a":3,"9":4}')).text).toContain('"data":{"9":4,"10":2,"b":1,"a":3}');
});

test('JSON text with a bigint is what JSON.stringify would write', () => {
  const value = { a: [1n, undefined, () => 0, { b: undefined }], c: null, '"': '\n' };
  expect(stringifyJson(value)).toBe('{"a":[1,null,null,{}],"c":null,"\\"":"\\n"}');
  expect(parseJson('{"__proto__":9007199254740993}')).toEqual(Object.fromEntries([['__proto__', 9007199254740993n]]));
  expect(() => parseJson('{"a":9007199254740993')).toThrow(SyntaxError);
});
