import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { wellBehaved } from '../support/failures.ts';
import { gatewayOver } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

const json = { 'content-type': 'application/json' };
const post = (query: string, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { authorization: 'Bearer token', ...json, ...headers },
  body: JSON.stringify({ query }),
});
const DEFERRED = '{ __typename ... @defer { apiTokens { name } } }';

/** A request for each kind of answer: its search, its options, and the status of its answer. */
const requests: readonly (readonly [name: string, search: string, init: RequestInit, status: number])[] = [
  ['a query', '', post('{ apiTokens { name } }'), 200],
  [
    'a mutation that creates a secret',
    '',
    post('mutation { createApiToken(input: { name: "x" }) { __typename } }'),
    200,
  ],
  ['a query with an error', '', post('{ node(id: "x") { id } }'), 200],
  ['a query by GET', '?query={__typename}', {}, 200],
  ['a mutation by GET', '?query=mutation{__typename}', {}, 405],
  ['a missing query', '', { headers: { accept: 'application/graphql-response+json' } }, 422],
  ['variables that are no JSON', '?query={__typename}&variables={', {}, 400],
  ['a syntax error', '', post('{', { accept: 'application/graphql-response+json' }), 400],
  ['broken JSON', '', { ...post(''), body: '{"query":' }, 400],
  ['another content type', '', post('{ __typename }', { 'content-type': 'text/plain' }), 415],
  ['a body that is too large', '', post(`{ __typename } # ${'x'.repeat(2_000)}`), 413],
  ['a method that is not served', '', { ...post('{ __typename }'), method: 'PUT' }, 405],
  ['GraphiQL', '', { headers: { accept: 'text/html' } }, 200],
  ['parts', '', post(DEFERRED, { accept: 'multipart/mixed' }), 200],
  ['an event stream', '', post(DEFERRED, { accept: 'text/event-stream' }), 200],
  [
    'a preflight',
    '',
    {
      method: 'OPTIONS',
      headers: { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    },
    204,
  ],
];

/** Sends requests to a gateway over a stub. Returns the headers of a response, which has to have the status. */
async function sender(settings: Partial<Config> = {}) {
  const upstream = await stubUpstream(wellBehaved);
  const { url } = await gatewayOver(upstream.url, { MAX_REQUEST_BYTES: 1_000, ...settings });
  return async (search: string, init: RequestInit, status: number) => {
    const response = await fetch(`${url}/graphql${search}`, init);
    await response.arrayBuffer();
    expect(response.status).toBe(status);
    return response.headers;
  };
}

test.each(requests)('only an answer in parts asks a proxy not to buffer it: %s', async (name, search, init, status) => {
  const headers = await (await sender())(search, init, status);
  expect(headers.get('x-accel-buffering')).toBe(['parts', 'an event stream'].includes(name) ? 'no' : null);
});

describe('each answer of /graphql is `private, no-store`, and varies by the origin', () => {
  const LISTED = 'https://app.example';
  const OTHER = 'https://other.example';

  describe.each([[], [LISTED], [LISTED, OTHER]].map((listed) => [listed.length, listed] as const))(
    'with %i listed origins',
    (_count, CORS_ORIGINS) => {
      test.each(requests)('%s', async (_name, search, init, status) => {
        const send = await sender({ CORS_ORIGINS });
        for (const origin of [undefined, LISTED, 'https://evil.example']) {
          const headers = new Headers(init.headers);
          if (origin) headers.set('origin', origin);
          const answered = await send(search, { ...init, headers }, status);
          expect(answered.get('cache-control')).toBe('private, no-store');
          expect(answered.get('vary')?.split(', ')).toContain('Origin');
        }
      });
    },
  );

  test('a refused request of a listed origin can be read by its page', async () => {
    const init = post('{ __typename }', { 'content-type': 'text/plain', origin: LISTED });
    const send = await sender({ CORS_ORIGINS: [LISTED] });
    const headers = await send('', init, 415);
    expect(headers.get('access-control-allow-origin')).toBe(LISTED);
  });
});
