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

test.each(['text/html', 'image/png', 'application/json;charset=utf-16', ';,;', 'json'])(
  'an operation whose answer nobody could read does not run: Accept: %s',
  async (accept) => {
    const { post, upstream, execute } = await overStub();
    const response = await post(accept);
    expect(response.status).toBe(406);
    expect(await response.json()).toMatchObject({
      errors: [
        { message: expect.stringContaining('Accept: application/json'), extensions: { code: 'BAD_USER_INPUT' } },
      ],
    });
    expect(upstream.received).toEqual([]);
    await expectHealthy(execute);
  },
);

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
