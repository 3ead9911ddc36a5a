import { describe, expect, test } from 'vitest';
import { JsonCounts } from '../../src/formats/json-counts.ts';
import { longSteps } from '../support/clock.ts';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// The JSON of a request is counted while it is read, and is refused before it is parsed.

const json = { 'content-type': 'application/json' };

/** A gateway, and how it answers a body: with a stated length, in chunks, and as the parameters of a GET. */
async function overStub(settings: Parameters<typeof gatewayOver>[1] = {}) {
  const upstream = await stubUpstream(says('{}'));
  const { url, logs } = await gatewayOver(upstream.url, settings);
  const read = async (response: Response) => ({ status: response.status, text: await response.text() });
  const post = async (body: string | ReadableStream) =>
    read(await fetch(`${url}/graphql`, { method: 'POST', headers: json, body, ...{ duplex: 'half' } }));
  return {
    upstream,
    logs,
    post,
    postChunks: (body: string) => post(new Blob([body]).stream()),
    get: async (variables: string) =>
      read(await fetch(`${url}/graphql?${new URLSearchParams({ query: '{ __typename }', variables })}`)),
  };
}

const withVariable = (value: string) => `{"query":"{ __typename }","variables":{"v":${value}}}`;
const list = (count: number, item = '1') => `[${Array.from({ length: count }, () => item).join(',')}]`;
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const keys = (count: number) => `{${Array.from({ length: count }, (_none, at) => `"k${at}":1`).join(',')}}`;

const VALUES =
  'The JSON of the request exceeds MAX_REQUEST_VALUES: 100000 values are the limit. Send several requests.';
const LEVELS = 'The JSON of the request nests deeper than 256 levels.';
const KEYS = 'The JSON of the request has an object with more than 10000 keys.';

const refusalOf = (message: string) => ({
  errors: [{ message, extensions: { code: 'QUERY_LIMIT_EXCEEDED', outcome: 'REFUSED' } }],
});

describe.each(['post', 'postChunks'] as const)('by %s', (way) => {
  test.each([
    ['values', withVariable(list(100_001)), VALUES],
    ['empty lists', withVariable(list(60_000, '[]')), VALUES],
    ['levels', withVariable(nested(255)), LEVELS],
    ['levels that nobody uses', `{"query":"{ __typename }","extensions":{"a":${nested(200_000)}}}`, LEVELS],
    ['keys of one object', withVariable(keys(10_001)), KEYS],
  ])('too many %s are refused with the bound, and are not repeated', async (_name, body, message) => {
    const { [way]: send, upstream, logs } = await overStub();
    const { status, text } = await send(body);
    expect([status, JSON.parse(text)]).toEqual([413, refusalOf(message)]);
    expect(upstream.received).toEqual([]);
    expect(logs.join('')).toContain('"errors":{"QUERY_LIMIT_EXCEEDED":1}');
  });

  test.each([
    ['values', withVariable(list(99_000))],
    ['levels', withVariable(nested(254))],
    ['keys of one object', withVariable(keys(10_000))],
    ['brackets in a text', withVariable(JSON.stringify(`${'["{'.repeat(200_000)}\\`))],
  ])('as many %s as may be are read', async (_name, body) => {
    const { [way]: send } = await overStub();
    expect(await send(body)).toEqual({ status: 200, text: '{"data":{"__typename":"Query"}}' });
  });

  test('MAX_REQUEST_VALUES is a setting', async () => {
    const { [way]: send } = await overStub({ MAX_REQUEST_VALUES: 10 });
    expect(await send(withVariable(list(6)))).toMatchObject({ status: 200 });
    expect(await send(withVariable(list(20)))).toMatchObject({
      status: 413,
      text: expect.stringContaining('10 values'),
    });
  });

  test('what follows a refused body on its connection is answered', async () => {
    const { [way]: send } = await overStub();
    const refused = withVariable(`${nested(500)}${' '.repeat(1_000_000)}`);
    for (let round = 0; round < 5; round++) expect((await send(refused)).status).toBe(413);
    expect((await send(withVariable('1'))).status).toBe(200);
  });
});

test('the parameters of a GET have the same bounds', async () => {
  const { get } = await overStub({ MAX_REQUEST_VALUES: 1_000 });
  expect((await get('{"v":[1]}')).status).toBe(200);
  expect(await get(`{"v":${nested(300)}}`)).toMatchObject({ status: 413, text: expect.stringContaining(LEVELS) });
  expect((await get(`{"v":${nested(300)}}`)).text).toContain('"code":"QUERY_LIMIT_EXCEEDED"');
  expect(await get(`{"v":${list(1_001)}}`)).toMatchObject({
    status: 413,
    text: expect.stringContaining('1000 values'),
  });
});

test('a body is refused when its bound is exceeded, not at its end', async () => {
  const { post } = await overStub();
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(Buffer.from('['.repeat(1_000))), // it has no end
  });
  expect(await post(endless)).toMatchObject({ status: 413 });
});

test.each([
  ['a long body', 100_000, 1],
  ['a short one', 10_000, 0],
])('%s is checked in a turn of its own', async (_name, bytes, expected) => {
  const { post } = await overStub();
  const turns = longSteps();
  expect((await post(withVariable(JSON.stringify('x'.repeat(bytes))))).status).toBe(200);
  expect(turns()).toBe(expected);
});

describe('counts', () => {
  const bounds = { levels: 4, values: 8, keys: 3 };
  const exceeded = (text: string, size = text.length) => {
    const counts = new JsonCounts(bounds);
    for (let at = 0; at < text.length; at += size) {
      const bound = counts.exceededBy(Buffer.from(text.slice(at, at + size)));
      if (bound) return bound;
    }
    return undefined;
  };

  test.each([
    ['{"a":1,"b":2,"c":3}', undefined],
    ['{"a":1,"b":2,"c":3,"d":4}', 'keys'],
    ['{"a":{"a":1,"b":2},"b":[1,2,3]}', undefined],
    ['[1,2,3,4,5,6,7,8]', undefined],
    ['[1,2,3,4,5,6,7,8,9]', 'values'],
    ['[[],[],[],[],[]]', 'values'],
    ['[[[[1]]]]', undefined],
    ['[[[[[1]]]]]', 'levels'],
    [String.raw`["\"[[[[[[","\\",",,,,,,,,,\\\"",1]`, undefined],
    [String.raw`["\\",[[[[1]]]]]`, 'levels'],
    [']]]]]][[[[1]]]]', undefined],
    ['', undefined],
  ])('of %s, in chunks of each size', (text, bound) => {
    for (let size = 1; size <= text.length + 1; size++) expect(exceeded(text, size)).toBe(bound);
  });
});
