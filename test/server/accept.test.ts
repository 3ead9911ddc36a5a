import { expect, test } from 'vitest';
import { expectHealthy, wellBehaved } from '../support/failures.ts';
import { gatewayOver } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

const ENABLE = 'mutation { enableDashboards { __typename } }';

async function overStub() {
  const upstream = await stubUpstream(wellBehaved);
  const over = await gatewayOver(upstream.url, {}, 'token');
  const post = (accept: string) =>
    fetch(`${over.url}/graphql`, {
      method: 'POST',
      headers: { authorization: 'Bearer token', 'content-type': 'application/json', accept },
      body: JSON.stringify({ query: ENABLE }),
    });
  return { ...over, upstream, post };
}

test.each([
  'text/html',
  'image/png',
  'application/json;charset=utf-16',
  'application/json; charset="utf-16"',
  ';,;',
  'json',
  'application/json;q=0',
  'application/*;q=0, multipart/mixed;q=0.0, text/html',
])('an operation whose answer nobody could read does not run: Accept: %s', async (accept) => {
  const { post, upstream, execute } = await overStub();
  const response = await post(accept);
  expect(response.status).toBe(406);
  expect(await response.json()).toMatchObject({
    errors: [{ message: expect.stringContaining('Accept: application/json'), extensions: { code: 'BAD_USER_INPUT' } }],
  });
  expect(upstream.received).toEqual([]);
  await expectHealthy(execute);
});

test.each(['GET', 'DELETE'])('a %s of an unknown type is refused in words, too', async (method) => {
  const { url, upstream } = await overStub();
  const headers = { authorization: 'Bearer token', accept: 'image/png' };
  const response = await fetch(`${url}/graphql?query={apiTokens{id}}`, { method, headers });
  expect(response.status).toBe(406);
  expect(await response.json()).toHaveProperty('errors');
  expect(upstream.received).toEqual([]);
});

test.each([
  ['*/*', 'application/json'],
  ['text/html, */*;q=0.1', 'application/json'],
  ['application/*', 'application/json'],
  ['*/json', 'application/json'],
  ['application/graphql-response+json', 'application/graphql-response+json'],
  // RFC 9110, 12.4.2 and 12.5.1: by weight, that of the most specific range
  ['application/graphql-response+json;q=0, application/json', 'application/json'],
  ['application/graphql-response+json;q=0.1, application/json;q=0.2', 'application/json'],
  ['application/json;q=0.1, application/graphql-response+json;q=0.2', 'application/graphql-response+json'],
  ['application/json;q=0, */*', 'application/graphql-response+json'],
  ['*/*;q=0.5, application/graphql-response+json;q=0', 'application/json'],
  ['*/*;q=0.1, application/graphql-response+json', 'application/graphql-response+json'],
  ['application/graphql-response+json, application/json', 'application/graphql-response+json'],
  // 5.6.6: a quoted value is the same
  ['application/json;charset="utf-8"', 'application/json'],
  ['application/graphql-response+json; charset="UTF-8"; q="1"', 'application/graphql-response+json'],
  ['image/png, text/event-stream', 'text/event-stream'],
  ['multipart/*', 'multipart/mixed'],
])('an operation runs when one of the types is known: Accept: %s', async (accept, type) => {
  const { post, upstream } = await overStub();
  const response = await post(accept);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain(type);
  await response.text();
  expect(upstream.received).toHaveLength(1);
});

test.each([ENABLE, '{ __typename ... @defer { apiTokens { name } } }'])(
  'an event stream has no coding, as `none` is none: %s',
  async (query) => {
    const { url } = await overStub();
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'accept-encoding': 'identity' },
      body: JSON.stringify({ query }),
    });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(response.headers.get('content-encoding')).toBe(null);
    expect(await response.text()).toContain('event: next');
  },
);

test.each([`{ __typename }`, '{ nothing }', '{'])(
  'a type that is excluded is not the type of an error, either: %s',
  async (query) => {
    const { url } = await overStub();
    const accept = 'application/graphql-response+json;q=0, application/json';
    const headers = { 'content-type': 'application/json', accept };
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  },
);
