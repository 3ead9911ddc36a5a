import { describe, expect, test } from 'vitest';
import { gatewayOverAnswers } from '../account/support.ts';

const DASHBOARD = '/toolkit/dashboards/1.json';
const TOKEN = '/account/api_tokens/1.json';

/** Writes a JSON object to upstream, as a variable or as a literal of the document, and returns what is sent. */
async function written({ variable, literal = '$raw' }: { readonly variable?: unknown; readonly literal?: string }) {
  const { execute, sent } = await gatewayOverAnswers({ [`PATCH ${DASHBOARD}`]: { id: 1 } });
  const declared = literal.includes('$raw') ? '($raw: JSONObject)' : '';
  const { errors } = await execute(
    `mutation Write${declared} {
      updateDashboard(id: 1, input: { layout: [{ key: "geo_map", config: { raw: ${literal} } }] }) { __typename }
    }`,
    { variables: { ...(variable !== undefined && { raw: variable }) } },
  );
  return { sent, errors };
}

/** The text of a request in which the settings of the only tile are this JSON. */
const sending = (json: string) => [`{"dashboard":{"layout":[{"key":"geo_map","config":${json}}]}}`];

/** Returns a JSON object of upstream as the caller gets it. */
async function read(json: string) {
  const { execute } = await gatewayOverAnswers({
    [`GET ${DASHBOARD}`]: { id: 1, layout: [{ id: 'it', key: 'geo_map', config: JSON.parse(json) }] },
  });
  return execute('{ dashboard(id: 1) { layout { config { raw } } } }');
}

/** Writes an expiry to upstream, and returns the request or the errors. */
async function expiring(expiresAt: unknown) {
  const { execute, sent } = await gatewayOverAnswers({ [`PATCH ${TOKEN}`]: { id: 1 } });
  const { errors } = await execute(
    'mutation ($at: Expiry) { updateApiToken(id: 1, input: { expiresAt: $at }) { __typename } }',
    { variables: { at: expiresAt } },
  );
  return { sent, errors };
}

const fine = [
  '2026-03-01T08:00:00Z',
  '2026-03-01T08:00:00+02:00',
  '2026-03-01T08:00:00-0530',
  '2026-03-01T08:00:00.123456Z',
  '2026-03-01T08:00Z',
  '2026-03-01T08:00:00',
  '2024-02-29T23:59:60Z',
];
const odd = ['soon', '2026-02-29T08:00:00Z', '2026-03-01T24:00:00Z', '2026-03-01T08:61:00Z', '2026-3-1'];

test.each([...fine, '2026-03-01', '2024-02-29'])('the expiry %s is sent and read as it was written', async (text) => {
  expect(await expiring(text)).toEqual({ sent: [JSON.stringify({ api_token: { expires_at: text } })], errors: [] });

  const { execute } = await gatewayOverAnswers({ [`GET ${TOKEN}`]: { id: 1, expires_at: text } });
  const expiresAt = text.replace('-0530', '-05:30');
  expect((await execute('{ apiToken(id: 1) { expiresAt } }')).data).toEqual({ apiToken: { expiresAt } });
});

test.each([...odd, '2026-02-29', '2026-13-01', 20260301, true, ['2026-03-01']])(
  'the expiry %j is bad input, and nothing is sent',
  async (value) => {
    const { sent, errors } = await expiring(value);

    expect(sent).toEqual([]);
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  },
);

test('an empty text is an expiry, but no other date', async () => {
  const change = 'updateClient(id: 1, input: { payments: { from: $at } }) { __typename }';
  const { execute, sent } = await gatewayOverAnswers({});

  const { errors } = await execute(`mutation ($at: DateOrDateTime) { ${change} }`, { variables: { at: '' } });

  expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  expect(sent).toEqual([]);
  expect(await expiring('')).toEqual({ sent: ['{"api_token":{"expires_at":""}}'], errors: [] });
});

test.each(fine.filter((text) => !/[+-]\d{4}$/.test(text)))(
  'the instant %s is read as upstream wrote it',
  async (text) => {
    const { execute } = await gatewayOverAnswers({ [`GET ${DASHBOARD}`]: { id: 1, updated_at: text } });

    expect((await execute('{ dashboard(id: 1) { updatedAt } }')).data).toEqual({ dashboard: { updatedAt: text } });
  },
);

test.each([
  ['2026-03-01 08:00:00 +0200', '2026-03-01T08:00:00+02:00'],
  ['2026-03-01T08:00:00+0200', '2026-03-01T08:00:00+02:00'],
  ['2026-03-01T08:00:00+02', '2026-03-01T08:00:00+02:00'],
  ['Sun, 01 Mar 2026 08:00:00 GMT', '2026-03-01T08:00:00Z'],
  ['Sun Mar 01 08:00:00 +0200 2026', '2026-03-01T08:00:00+02:00'],
  [1_772_352_000, '2026-03-01T08:00:00Z'],
  ['1772352000', '2026-03-01T08:00:00Z'],
  ['2026/03/01 08:00:00 UTC', '2026-03-01T08:00:00Z'],
  ['2026-03-01', '2026-03-01T00:00:00Z'],
])('the instant %s is read as %s', async (written, read) => {
  const { ask } = await gatewayOverAnswers({
    [`GET ${DASHBOARD}`]: { id: 1, updated_at: written },
    [`GET ${TOKEN}`]: { id: 1, expires_at: written },
  });

  const data = await ask('{ dashboard(id: 1) { updatedAt } apiToken(id: 1) { expiresAt } }');
  const expiresAt = written === '2026-03-01' ? written : read;
  expect(data).toEqual({ dashboard: { updatedAt: read }, apiToken: { expiresAt } });
});

test.each([
  ...[
    '2026-03-01 08:00:00 +0200',
    '2026/03/01 08:00:00 UTC',
    '2026-03-01T08:00:00+02',
    'Sun, 01 Mar 2026 08:00:00 GMT',
  ],
  ...[1_772_352_000, '1772352000'],
])('callers do not write the instant %j, which upstream may', async (written) => {
  expect(await expiring(written)).toMatchObject({ sent: [], errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
});

test.each([...odd, '', 17672256])('%j is no instant: null, with an error on that field', async (value) => {
  const { execute } = await gatewayOverAnswers({ [`GET ${DASHBOARD}`]: { id: 1, name: 'Board', updated_at: value } });

  const { data, errors } = await execute('{ dashboard(id: 1) { name updatedAt } }');

  expect(data).toEqual({ dashboard: { name: 'Board', updatedAt: null } });
  expect(errors).toMatchObject([{ path: ['dashboard', 'updatedAt'], extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
});

test.each([
  ['{}', '{}'],
  ['{"a":null}', '{a: null}'],
  [
    '{"n":[0,-1,1.5,9007199254740991,-9007199254740991],"s":"ż\\n","b":false}',
    '{n: [0, -1, 1.5, 9007199254740991, -9007199254740991], s: "ż\\n", b: false}',
  ],
  [
    '{"__proto__":{"polluted":true},"constructor":1,"toString":2}',
    '{__proto__: {polluted: true}, constructor: 1, toString: 2}',
  ],
  ['{"deep":[[[{"a":[]}]]]}', '{deep: [[[{a: []}]]]}'],
])('the JSON object %s passes unchanged, in and out', async (json, literal) => {
  expect(await written({ variable: JSON.parse(json) })).toEqual({ sent: sending(json), errors: [] });
  expect(await written({ literal })).toEqual({ sent: sending(json), errors: [] });

  const { data, errors } = await read(json);
  expect(errors).toEqual([]);
  expect(JSON.stringify(data)).toBe(`{"dashboard":{"layout":[{"config":{"raw":${json}}}]}}`);
  expect(Object.prototype).not.toHaveProperty('polluted');
});

test('null is no absent object: a setting that is null is sent, one that is left out is not', async () => {
  expect((await written({ variable: { zoom: null } })).sent).toEqual(sending('{"zoom":null}'));
  expect((await written({ variable: {} })).sent).toEqual(sending('{}'));
  expect((await written({ literal: 'null' })).sent).toEqual(sending('{}'));
});

test('a variable inside of a literal object is its value', async () => {
  const { sent } = await written({ literal: '{ inner: [$raw] }', variable: { zoom: 3 } });

  expect(sent).toEqual(sending('{"inner":[{"zoom":3}]}'));
});

test.each([
  ['big', '{"big":9007199254740993}', '{big: 9007199254740993}'],
  ['big', '{"big":-9007199254740992}', '{big: -9007199254740992}'],
  ['list.1.big', '{"list":[1,{"big":123456789012345678901}]}', '{list: [1, {big: 123456789012345678901}]}'],
  ['big', '{"big":1.2345678901234567e30}', '{big: 1.2345678901234567e30}'],
  ['huge', '{"huge":1e400}', '{huge: 1e400}'],
])('a whole number beyond 2^53 at %s is refused, with its path: %s', async (path, json, literal) => {
  const message = expect.stringContaining(`number at ${path} is beyond 2^53`);
  // JSON.stringify would make null of what is infinite
  const { execute, received } = await gatewayOverAnswers({});
  const response = await fetch(`${(await gatewayOverAnswers({})).url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"query":"mutation ($raw: JSONObject) { updateDashboard(id: 1, input: { layout: [{ key: \\"geo_map\\", config: { raw: $raw } }] }) { __typename } }","variables":{"raw":${json}}}`,
  });
  expect(await response.json()).toMatchObject({ errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }] });

  const inDocument = await execute(
    `mutation { updateDashboard(id: 1, input: { layout: [{ key: "geo_map", config: { raw: ${literal} } }] }) { __typename } }`,
  );
  expect(inDocument.errors).toMatchObject([{ message, extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
  expect(received).toEqual([]);
});

test.each([
  ['{ big: 1e21 }', '{"big":1e+21}'],
  ['{ big: -1000000000000000000000 }', '{"big":-1e+21}'],
  ['{ big: 1e16, list: [12345678901234500000] }', '{"big":10000000000000000,"list":[12345678901234500000]}'],
])('a number beyond 2^53 of up to 15 digits is exact in a document: %s', async (literal, sent) => {
  expect(await written({ literal })).toEqual({ sent: sending(sent), errors: [] });
});

test('a number of 1e21 or more with up to 15 digits is taken as a variable: callers write it with an exponent', async () => {
  expect(await written({ variable: { big: 1e21 } })).toEqual({ sent: sending('{"big":1e+21}'), errors: [] });
  const { errors, sent } = await written({ variable: { big: 1e20 } });
  expect(errors).toMatchObject([{ message: expect.stringContaining('number at big is beyond 2^53') }]);
  expect(sent).toEqual([]);
});

test.each([['text'], [1], [true], [[{}]]])('%j is no JSON object', async (variable) => {
  const { sent, errors } = await written({ variable });

  expect(sent).toEqual([]);
  expect(errors).toMatchObject([
    { message: expect.stringContaining('JSON object'), extensions: { code: 'BAD_USER_INPUT' } },
  ]);
});

/** Sends a JSON value as the value of a filter, and returns the request or the errors. */
async function filtered({ variable, literal = '$value' }: { readonly variable?: unknown; readonly literal?: string }) {
  const { execute, received } = await gatewayOverAnswers({ 'GET /flex/dbs/a.json': { id: 'a' } });
  const declared = literal.includes('$value') ? '($value: JSON)' : '';
  const { errors } = await execute(
    `query Search${declared} {
      flexDb(id: "a") { search(filter: [{ field: "f", is: { equals: ${literal} } }], first: 1) { pageInfo { hasNextPage } } }
    }`,
    { variables: { ...(variable !== undefined && { value: variable }) } },
  );
  return { errors, sent: received.filter((call) => call.includes('search')) };
}

test.each([
  ['text', '"text"', 'text'],
  ['', '""', ''],
  [5, '5', '5'],
  [-1.5, '-1.5', '-1.5'],
  [9_007_199_254_740_991, '9007199254740991', '9007199254740991'],
  [true, 'true', 'true'],
  [false, 'false', 'false'],
])('the JSON value %j is taken, as a variable and as the literal %s', async (variable, literal, sent) => {
  const call = `GET /flex/dbs/a/search.json?fields=id&${new URLSearchParams({ 'filter[f]': sent, limit: '1', offset: '1' })}`;

  expect((await filtered({ variable })).sent).toEqual([call]);
  expect((await filtered({ literal })).sent).toEqual([call]);
});

test.each([
  { variable: [1] },
  { variable: { a: 1 } },
  { literal: '[1]' },
  { literal: '{ a: 1 }' },
  { literal: '[$value]', variable: 1 },
])('lists and objects are JSON values as well, though no filter takes them: %j', async (value) => {
  const { errors, sent } = await filtered(value);

  expect(errors).toMatchObject([{ path: ['flexDb', 'search'], extensions: { code: 'BAD_USER_INPUT' } }]);
  expect(sent).toEqual([]);
});

test.each([
  [9_007_199_254_740_992, '9007199254740992', ''],
  [[{ a: -9_007_199_254_740_992 }], '[{ a: -9007199254740993 }]', '0.a'],
])('a whole number beyond 2^53 is refused as a JSON value: %j', async (variable, literal, path) => {
  const message = expect.stringContaining(`number at ${path} is beyond 2^53`);

  expect(await filtered({ variable })).toMatchObject({
    errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }],
    sent: [],
  });
  expect(await filtered({ literal })).toMatchObject({
    errors: [{ message, extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
    sent: [],
  });
});

describe('nesting', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

  test('of 199 levels within an object passes, in and out', async () => {
    const json = `{"a":${nested(199)}}`;
    expect(await written({ variable: JSON.parse(json) })).toEqual({ sent: sending(json), errors: [] });
    const { data, errors } = await read(json);
    expect(errors).toEqual([]);
    expect(JSON.stringify(data)).toContain(json);
  });

  test.each([200, 201, 240])('of %i levels is refused, in and out', async (levels) => {
    const message = expect.stringContaining('nests deeper than 200 levels');
    const value: unknown = JSON.parse(`{"a":${nested(levels)}}`);
    expect(await written({ variable: value })).toMatchObject({
      sent: [],
      errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }],
    });
    expect((await filtered({ variable: value })).errors).toMatchObject([{ message }]);
  });

  test('of 10,000 levels in the document itself exceeds its limits', async () => {
    const { errors, sent } = await filtered({ literal: nested(10_000) });
    expect(errors).toMatchObject([{ extensions: { code: 'QUERY_LIMIT_EXCEEDED' } }]);
    expect(sent).toEqual([]);
  });
});
