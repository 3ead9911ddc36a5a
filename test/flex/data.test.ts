import { describe, expect, test } from 'vitest';
import { gatewayOverAnswers } from '../account/support.ts';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';
import { flexGateway, gatewayOverText, RECORDS } from './support.ts';

// Data passes unchanged in both directions, or it is refused.

const mutation =
  'mutation ($data: JSONObject!) { createFlexRecord(db: "FlexDb:7", input: { table: null, data: $data }) { __typename } }';

/** Sends an operation with this JSON text as its data. */
async function send(url: string, data: string, query = mutation) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer secret' },
    body: `{"query":${JSON.stringify(query)},"variables":{"data":${data}}}`,
  });
  return { status: response.status, text: await response.text() };
}

const unchanged: readonly [what: string, json: string][] = [
  ['nothing', '{}'],
  ['null, against absent', '{"a":null}'],
  ['the order of keys', '{"b":1,"a":2,"C":3,"":4}'],
  [
    '__proto__ and constructor',
    '{"__proto__":{"polluted":true},"constructor":{"prototype":1},"hasOwnProperty":2,"toString":3}',
  ],
  ['__proto__ within', '{"a":[{"__proto__":null}]}'],
  ['numbers', '{"n":[0,-1,1.5,0.1,1e-7,9007199254740991,-9007199254740991]}'],
  ['texts', '{"t":["","ż","😀","\\n\\t\\"\\\\"," ","007","true","null"]}'],
  ['NUL', '{"a\\u0000":"\\u0000"}'],
  ['half of a surrogate pair', '{"a":"\\ud800","b":"\\udc00x"}'],
  ['line separators', '{"a":"\u2028\u2029"}'],
  ['keys like those of a record', '{"id":"x","data":{"data":1},"table_name":"t","created_at":"c"}'],
  ['then, which is no promise', '{"then":{"then":1}}'],
  ['nesting', `{"a":${'['.repeat(150)}${']'.repeat(150)}}`],
];

describe('data passes unchanged', () => {
  test.each(unchanged)('to upstream: %s', async (_what, json) => {
    const { url, sent } = await gatewayOverAnswers({ 'POST /flex/dbs/7/records.json': { id: 'r' } });

    expect(await send(url, json)).toEqual({
      status: 200,
      text: '{"data":{"createFlexRecord":{"__typename":"FlexRecord"}}}',
    });
    expect(sent).toEqual([`{"record":{"table_name":null,"data":${json}}}`]);
    expect(Object.prototype).not.toHaveProperty('polluted');
  });

  test.each(unchanged)('from upstream: %s', async (_what, json) => {
    const { url } = await gatewayOverText(`[{"id":"r","data":${json}}]`);

    const { text } = await send(url, 'null', '{ node(id: "FlexRecord:7:r") { ... on FlexRecord { data } } }');

    expect(text).toBe(`{"data":{"node":{"data":${json}}}}`);
    expect(Object.prototype).not.toHaveProperty('polluted');
  });

  test('keys that are whole numbers come first, as in any JavaScript object', async () => {
    const { url, sent } = await gatewayOverAnswers({ 'POST /flex/dbs/7/records.json': { id: 'r' } });

    await send(url, '{"b":1,"2":2,"1":3}');

    expect(sent).toEqual(['{"record":{"table_name":null,"data":{"1":3,"2":2,"b":1}}}']);
  });
});

test('a record with a key `then`, and an alias of that name, are no promises', async () => {
  const { ask } = await gatewayOverAnswers({
    'GET /flex/dbs/7.json': JSON.parse('{"id":"7","name":"Book","then":1}'),
    'GET /flex/dbs/7/records.json': JSON.parse('[{"id":"r","then":1,"data":{"then":{"then":"x"}}}]'),
  });

  const data = await ask('{ then: __typename flexDb(id: "7") { then: records { nodes { then: upstreamId data } } } }');
  expect(JSON.stringify(data)).toBe(
    '{"then":"Query","flexDb":{"then":{"nodes":[{"then":"r","data":{"then":{"then":"x"}}}]}}}',
  );
});

describe('a number beyond what JavaScript holds is never rounded', () => {
  test.each([
    ['n', '{"n":9007199254740993}'],
    ['n', '{"n":-9007199254740992}'],
    ['list.1.n', '{"list":[1,{"n":123456789012345678901}]}'],
    ['n', '{"n":10000000000000001}'],
    ['n', '{"n":1.2345678901234567e30}'],
    ['n', '{"n":1e400}'],
  ])('on the way to upstream it is refused, with its path %s: %s', async (path, json) => {
    const { url, received } = await gatewayOverAnswers({});

    const { text } = await send(url, json);

    expect(JSON.parse(text)).toMatchObject({
      errors: [
        {
          message: expect.stringMatching(`number at ${path} is beyond 2\\^53.*send it as a text`),
          extensions: { code: 'BAD_USER_INPUT' },
        },
      ],
    });
    expect(received).toEqual([]);
  });

  test.each([
    ['{"n":1e21}', '{"n":1e+21}'],
    ['{"n":-1.23456789012345e300}', '{"n":-1.23456789012345e+300}'],
    ['{"n":"9007199254740993"}', '{"n":"9007199254740993"}'],
  ])('on the way to upstream %s keeps its digits: %s', async (json, written) => {
    const { url, sent } = await gatewayOverAnswers({ 'POST /flex/dbs/a/records.json': { id: 'r' } });

    await send(url, json);

    expect(sent).toEqual([`{"record":{"table_name":null,"data":${written}}}`]);
  });

  test.each([
    ['{"n":9007199254740993}', { n: '9007199254740993' }],
    ['{"n":-9007199254740992}', { n: '-9007199254740992' }],
    ['{"n":9007199254740991}', { n: 9_007_199_254_740_991 }],
    ['{"list":[1,{"n":123456789012345678901}]}', { list: [1, { n: '123456789012345678901' }] }],
    ['{"n":1e21,"m":0.30000000000000004}', { n: 1e21, m: 0.300_000_000_000_000_04 }],
    [`{"n":${'9'.repeat(400)}}`, { n: '9'.repeat(400) }],
    ['{"n":"9007199254740993"}', { n: '9007199254740993' }],
    ['{"n":0.1234567890123456789,"m":[-1.5e-7]}', { n: '0.1234567890123456789', m: [-1.5e-7] }],
    ['{"list":[12345678.90123456789]}', { list: ['12345678.90123456789'] }],
    ['{"n":1.50,"m":100.0,"l":100.00000000000000000000}', { n: 1.5, m: 100, l: 100 }],
  ])('on the way from upstream %s is a text of its digits, where JavaScript would round it', async (json, expected) => {
    const { ask } = await gatewayOverText(`[{"id":"r","data":${json}},{"id":"s","data":{"n":1}}]`);

    const data = await ask('{ nodes(ids: ["FlexRecord:7:r", "FlexRecord:7:s"]) { id ... on FlexRecord { data } } }');
    expect(data).toEqual({
      nodes: [
        { id: 'FlexRecord:7:r', data: expected },
        { id: 'FlexRecord:7:s', data: { n: 1 } },
      ],
    });
  });

  test('a number too large for JavaScript is refused: the data of its record is null', async () => {
    const { execute } = await gatewayOverText('[{"id":"r","data":{"n":1e400}}]');

    const { data, errors } = await execute('{ node(id: "FlexRecord:7:r") { ... on FlexRecord { data } } }');

    expect(data).toEqual({ node: { data: null } });
    const extensions = { code: 'UPSTREAM_BAD_RESPONSE' };
    expect(errors).toMatchObject([{ message: 'The number at n is too large to be read.', extensions }]);
  });
});

describe('data nested 10,000 levels deep is refused with a clear error', () => {
  const deep = [`{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`];

  test.each(deep)('to upstream', async (json) => {
    const { url, received } = await gatewayOverAnswers({});

    const { status, text } = await send(url, json);

    expect(status).toBe(413);
    expect(JSON.parse(text)).toMatchObject({
      errors: [{ message: expect.stringContaining('nests deeper'), extensions: { code: 'QUERY_LIMIT_EXCEEDED' } }],
    });
    expect(text.length).toBeLessThan(200);
    expect(received).toEqual([]);
  });

  test.each(deep)('from upstream', async (json) => {
    const { execute } = await gatewayOverText(`[{"id":"r","data":${json}}]`);

    const { data, errors } = await execute('{ node(id: "FlexRecord:7:r") { id ... on FlexRecord { data } } }');

    expect(data).toEqual({ node: { id: 'FlexRecord:7:r', data: null } });
    expect(errors).toMatchObject([
      { message: expect.stringContaining('nests deeper'), extensions: { code: 'UPSTREAM_BAD_RESPONSE' } },
    ]);
  });

  test('data that is nested too deep for the sandbox is a ValidationError at `data`', async () => {
    const { ask, makeDb } = await flexGateway();
    const variables = { db: `FlexDb:${makeDb()}`, data: JSON.parse(`{"a":${'['.repeat(150)}${']'.repeat(150)}}`) };

    const data = await ask(
      `mutation ($db: ID!, $data: JSONObject!) {
        createFlexRecord(db: $db, input: { data: $data }) { ... on ValidationError { fields { field } } }
      }`,
      { variables },
    );
    expect(data).toEqual({ createFlexRecord: { fields: [{ field: 'data' }] } });
  });
});

describe('10 MB of data', () => {
  const large = `{"a":"${'x'.repeat(10 * 1024 ** 2)}"}`;

  test('10 MB of data in a request are refused with a clear error before any call', async () => {
    const { url, received } = await gatewayOverAnswers({});

    const { status, text } = await send(url, large);

    expect(status).toBe(413);
    expect(JSON.parse(text)).toMatchObject({ errors: [{ message: 'The request exceeds MAX_REQUEST_BYTES.' }] });
    expect(text.length).toBeLessThan(1000);
    expect(received).toEqual([]);
  });

  test('10 MB of data pass when the settings allow them', async () => {
    const { url, sent } = await gatewayOverAnswers(
      { 'POST /flex/dbs/7/records.json': { id: 'r' } },
      { MAX_REQUEST_BYTES: 20 * 1024 ** 2 },
    );

    expect(await send(url, large)).toMatchObject({ status: 200, text: expect.stringContaining('FlexRecord') });
    expect(sent[0]).toHaveLength(large.length + '{"record":{"table_name":null,"data":}}'.length);
  });

  test('10 MB of data from upstream are read up to MAX_LIST_BYTES; beyond, the error names the setting', async () => {
    const upstream = await stubUpstream(says(`[{"id":"r","data":${large}}]`));
    const query = '{ node(id: "FlexRecord:7:r") { ... on FlexRecord { data } } }';

    const fine = await (await gatewayOver(upstream.url, {}, 'secret')).execute(query);
    expect(fine.errors).toEqual([]);
    expect(JSON.stringify(fine.data)).toHaveLength(`{"node":{"data":${large}}}`.length);
    const small = await (await gatewayOver(upstream.url, { MAX_LIST_BYTES: 1024 ** 2 }, 'secret')).execute(query);
    expect(small.errors).toMatchObject([
      {
        message: expect.stringContaining('MAX_LIST_BYTES'),
        extensions: { code: 'UPSTREAM_BAD_RESPONSE', upstream: { api: 'flex', endpoint: RECORDS } },
      },
    ]);
  });
});

test.each([['text'], [1], [true], [null], [[{}]]])(
  'the value %j is not an object, so it is refused as data before any call',
  async (data) => {
    const { execute, received } = await gatewayOverAnswers({});

    expect((await execute(mutation, { variables: { data } })).errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT' } },
    ]);
    expect(received).toEqual([]);
  },
);
