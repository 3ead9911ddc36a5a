import { request } from 'node:http';
import { GraphQLError } from 'graphql';
import { createYoga } from 'graphql-yoga';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { OperationCosts } from '../../src/operation/cost/operation-costs.ts';
import { responseByYoga } from '../../src/operation/responses/plugin.ts';
import { gateway } from '../support/gateway.ts';

// A POST with a length is answered directly, one in chunks by Yoga. Both have the same responses.

interface Response {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

type Headers = Readonly<Record<string, string>>;

async function post(url: string, body: string | Buffer, given: Headers, inChunks: boolean): Promise<Response> {
  const length: Headers = inChunks ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/graphql`, { method: 'POST', headers: { ...given, ...length } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () => {
        const { date: _date, 'x-request-id': _id, ...headers } = response.headers;
        resolve({ status: response.statusCode, headers, body: Buffer.concat(chunks).toString() });
      });
    });
    sent.once('error', reject);
    sent.flushHeaders(); // without a length, the body is in chunks
    sent.end(body);
  });
}

const LISTED = 'https://app.example';

async function bothWays(settings: Parameters<typeof gateway>[0] = {}) {
  const { url, admin, logs } = await gateway({ CORS_ORIGINS: [LISTED, 'https://other.example'], ...settings });
  const send = async (body: string | Buffer | object, headers: Headers = {}) => {
    const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const given = { 'content-type': 'application/json', authorization: `Bearer ${admin.token}`, ...headers };
    const [direct, throughYoga] = [await post(url, text, given, false), await post(url, text, given, true)];
    return { direct, throughYoga };
  };
  return { send, logs, url };
}

const TOKENS = '{ apiTokens { name active } }';
const ACCEPTS = [
  '*/*',
  'application/json',
  'application/graphql-response+json',
  'application/graphql-response+json, application/json;q=0.9',
  'application/json, text/plain, */*',
  'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
  'multipart/mixed;deferSpec=20220824, application/json',
  'application/*;charset=utf-8',
  'application/json;charset=latin1',
  'text/html',
  'TEXT/EVENT-STREAM',
  '',
];

describe('a request is answered alike on both ways', () => {
  const requests: readonly (readonly [name: string, body: string | Buffer | object, headers?: Headers])[] = [
    ['a query', { query: TOKENS }],
    ['a query with variables', { query: 'query Q($id: ID!) { apiToken(id: $id) { name } }', variables: { id: '1' } }],
    ['variables that do not fit', { query: 'query Q($id: ID!) { apiToken(id: $id) { name } }', variables: {} }],
    [
      'a condition that is null',
      { query: 'query Q($if: Boolean = true) { __typename @include(if: $if) }', variables: { if: null } },
    ],
    ['one operation of several', { query: `query A ${TOKENS} query B { __typename }`, operationName: 'B' }],
    ['an operation that is not there', { query: 'query A { __typename }', operationName: 'B' }],
    ['no operation name where one is needed', { query: 'query A { __typename } query B { __typename }' }],
    ['a field that fails', { query: '{ node(id: "x") { id } __typename }' }],
    ['a missing credential', { query: TOKENS }, { authorization: '' }],
    ['a mutation that is refused', { query: 'mutation { createApiToken(input: { name: "" }) { __typename } }' }],
    [
      'a mutation whose variables do not fit',
      { query: 'mutation M($id: ID!) { deleteApiToken(id: $id) { __typename } }' },
    ],
    ['a syntax error', { query: '{ apiTokens {' }],
    ['an unknown field', { query: '{ nothing }' }],
    ['a mutation with a syntax error', { query: 'mutation { createApiToken(' }],
    ['a document beyond a limit', { query: `{ ${'__typename '.repeat(20_000)} }` }],
    ['introspection', { query: '{ __schema { queryType { name } } }' }],
    [
      'a fragment for a later part, to a caller that takes none',
      { query: '{ __typename ... @defer { apiTokens { name } } }' },
    ],
    ['broken JSON', '{"query":"{ __typename }"'],
    ['a list', '[]'],
    ['null', 'null'],
    ['no query', {}],
    ['a query that is a number', { query: 1 }],
    ['an operation name that is a number', { query: '{ __typename }', operationName: 1 }],
    ['variables that are a list', { query: '{ __typename }', variables: [] }],
    ['another parameter', { query: '{ __typename }', other: 1 }],
    ['parameters that are null', { query: '{ __typename }', variables: null, operationName: null, extensions: null }],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    ['a byte order mark', `\uFEFF${JSON.stringify({ query: '{ __typename }' })}`],
    ['another type', { query: '{ __typename }' }, { 'content-type': 'text/plain' }],
    ['a type with a charset', { query: '{ __typename }' }, { 'content-type': 'application/json; charset=utf-8' }],
    ['a listed origin', { query: '{ __typename }' }, { origin: LISTED }],
    ['an origin that is not listed', { query: '{ __typename }' }, { origin: 'https://evil.example' }],
    ['an error for a listed origin', { query: '{ nothing }' }, { origin: LISTED }],
    ...ACCEPTS.map((accept) => [`Accept: ${accept}`, { query: TOKENS }, { accept }] as const),
    ...ACCEPTS.map(
      (accept) =>
        [
          `an error, Accept: ${accept}`,
          { query: 'query Q($id: ID!) { apiToken(id: $id) { name } }' },
          { accept },
        ] as const,
    ),
  ];

  test('in its status, its headers and its body, the first time and the second', async () => {
    const { send } = await bothWays();
    for (const [name, body, headers] of requests) {
      for (const _time of ['first', 'second']) {
        const { direct, throughYoga } = await send(body, headers);
        expect.soft(direct, name).toEqual({
          ...throughYoga,
          headers: expect.objectContaining(comparable(throughYoga.headers)),
        });
        expect.soft(comparable(direct.headers), name).toEqual(comparable(throughYoga.headers));
      }
    }
  });

  test('with one listed origin and a cookie, too', async () => {
    const { send } = await bothWays({ CORS_ORIGINS: [LISTED], FLEX_COOKIES: ['flex_key'] });
    const { direct, throughYoga } = await send({ query: '{ __typename }' }, { origin: LISTED });
    expect(comparable(direct.headers)).toEqual(comparable(throughYoga.headers));
    expect(direct.headers['access-control-allow-credentials']).toBe('true');
  });
});

/** Headers apart from those that say how long the body is. */
function comparable({ 'content-length': _length, 'transfer-encoding': _encoding, ...headers }: Response['headers']) {
  return headers;
}

test('each operation has one line in the log, and each refused one', async () => {
  const { send, logs } = await bothWays();
  await send({ query: 'query Tokens { apiTokens { name } }' });
  await send({ query: '{ nothing }' });
  await send({ query: '{ apiTokens {' });
  const lines = logs.map((line) => JSON.parse(line)).map(({ msg, operation }) => operation ?? msg);
  expect(lines).toEqual(['Tokens', 'Tokens', 'refused', 'refused', 'refused', 'refused']);
});

test('a defect that an operation meets is an error of that operation', async () => {
  const { execute } = await gateway();
  const defect = vi.spyOn(OperationCosts.prototype, 'of').mockImplementationOnce(() => {
    throw new TypeError('odd');
  });
  onTestFinished(() => defect.mockRestore());
  expect(await execute('{ __typename }')).toMatchObject({
    errors: [{ message: 'Something went wrong in the gateway.', extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
  });
});

test('Yoga copies the errors of a response without stack traces, and what fails afterwards has one', () => {
  const { stackTraceLimit } = Error;
  let limit: number | undefined;
  const error = new GraphQLError('It failed.');
  error.toJSON = () => {
    limit = Error.stackTraceLimit; // V8 takes the time for a trace when the copy is made
    return { message: error.message };
  };
  const { fetchAPI } = createYoga({ logging: false });
  const { status, body } = responseByYoga({ data: null, errors: [error] }, fetchAPI, 'application/json');
  expect({ status, body }).toEqual({ status: 200, body: '{"data":null,"errors":[{"message":"It failed."}]}' });
  expect(limit).toBe(0);
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
});
