import { describe, expect, test } from 'vitest';
import { wellBehaved } from '../support/failures.ts';
import { gatewayOver } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';
import { sendRaw } from './wire.ts';

const HEADER = 'x-request-id';
const MADE = /^[\w-]{12}-[0-9a-z]+$/;

async function overStub(settings = {}) {
  const sent: string[] = [];
  const upstream = await stubUpstream((request, response) => {
    sent.push(...Object.keys(request.headers));
    wellBehaved(request, response);
  });
  const over = await gatewayOver(upstream.url, { MAX_REQUEST_BYTES: 1_000, ...settings });
  const ids = () => over.logs.map((line): unknown => JSON.parse(line).requestId);
  return { ...over, sent, ids };
}

type Headers = Readonly<Record<string, string>>;
const post = (query: string, headers: Headers = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer token', ...headers },
  body: JSON.stringify({ query }),
});

const DEFERRED = '{ __typename ... @defer { apiTokens { name } } }';

/** A request for each kind of answer, and the number of lines that it has in the log. */
const requests: readonly (readonly [name: string, path: string, init: RequestInit, lines: number])[] = [
  ['an operation', '/graphql', post('{ apiTokens { name } }'), 1],
  ['an operation by GET', '/graphql?query={__typename}', {}, 1],
  ['parts', '/graphql', post(DEFERRED, { accept: 'multipart/mixed' }), 1],
  ['a refused document', '/graphql', post('{ nothing }'), 1],
  ['broken JSON', '/graphql', { ...post(''), body: '{' }, 1],
  ['a body that is too large', '/graphql', post(`{ __typename } # ${'x'.repeat(2_000)}`), 1],
  ['another content type', '/graphql', post('{ __typename }', { 'content-type': 'text/plain' }), 1],
  ['a method that is not served', '/graphql', { ...post(''), method: 'PUT' }, 1],
  ['an origin that is not allowed', '/health', { headers: { origin: 'https://evil.example' } }, 1],
  ['a preflight', '/graphql', { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } }, 0],
  ['the page at /', '/', { headers: { accept: 'text/html' } }, 0],
  ['the schema', '/schema.graphql', {}, 0],
  ['health', '/health', {}, 0],
  ['readiness', '/ready', {}, 0],
  ['a wrong path', '/nowhere', {}, 0],
];

test.each(requests)(
  '%s: the id of the request is in the answer and in each line of the log',
  async (_name, path, init, lines) => {
    const { url, sent, ids } = await overStub();
    const send = async (headers: Headers) => {
      const response = await fetch(url + path, {
        ...init,
        headers: { ...Object.fromEntries(new Headers(init.headers)), ...headers },
      });
      await response.arrayBuffer();
      return response.headers.get(HEADER);
    };
    expect(await send({ [HEADER]: 'a1:b2_c3.d4-e5' })).toBe('a1:b2_c3.d4-e5');
    expect(ids()).toEqual(Array.from({ length: lines }, () => 'a1:b2_c3.d4-e5'));
    const made = await send({});
    expect(made).toMatch(MADE);
    expect(
      ids()
        .slice(lines)
        .every((id) => id === made),
    ).toBe(true);
    expect(sent).not.toContain(HEADER);
  },
);

describe('an id that is made', () => {
  test('is another one for each request', async () => {
    const { url } = await overStub();
    const made = await Promise.all(
      Array.from({ length: 20 }, async () => (await fetch(`${url}/health`)).headers.get(HEADER)),
    );
    expect(new Set(made).size).toBe(20);
  });

  test.each([
    ['an empty one', ''],
    ['a long one', 'x'.repeat(129)],
    ['a space', 'a b'],
    ['a quote', 'a"b'],
    ['a letter beyond ASCII', 'é'],
    ['markup', '<b>'],
    ['two of them', 'a, b'],
  ])('replaces what is no sane id: %s', async (_name, id) => {
    const { url, logs } = await overStub();
    const answered = await sendRaw(url, [
      'GET /graphql?query={__typename} HTTP/1.1',
      'Host: x',
      'Connection: close',
      `X-Request-Id: ${id}`,
    ]);
    expect(/^x-request-id: (.*)$/im.exec(answered)?.[1]?.trim()).toMatch(MADE);
    expect(logs).toHaveLength(1);
    if (id !== '') expect(logs.join('')).not.toContain(`"requestId":${JSON.stringify(id)}`);
  });

  test('replaces two headers', async () => {
    const { url } = await overStub();
    const headers = ['GET /health HTTP/1.1', 'Host: x', 'Connection: close', 'X-Request-Id: a', 'X-Request-Id: b'];
    expect(/^x-request-id: (.*)$/im.exec(await sendRaw(url, headers))?.[1]?.trim()).toMatch(MADE);
  });
});

test('of 128 characters an id is taken over', async () => {
  const { url } = await overStub();
  const id = 'x'.repeat(128);
  expect((await fetch(`${url}/health`, { headers: { [HEADER]: id } })).headers.get(HEADER)).toBe(id);
});
