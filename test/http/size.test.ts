import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { expectFailure, expectHealthy, TOKENS, wellBehaved } from '../support/failures.ts';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

const MB = 1_000_000;
const LIST = 'GET /account/api_tokens.json';
const ONE = 'GET /account/api_tokens/:id.json';

/** Sends up to 100 MB, as fast as they are taken, and tells how much of it was. */
async function flood(response: ServerResponse, status: number): Promise<number> {
  const part = Buffer.alloc(64 * 1024, ' ');
  let sent = 0;
  const closed = once(response, 'close');
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': 100 * MB });
  while (sent < 100 * MB && !response.destroyed) {
    sent += part.length;
    if (!response.write(part)) await Promise.race([once(response, 'drain'), closed]);
  }
  response.destroy();
  return sent;
}

/** An upstream that floods its first caller. */
async function flooding(status: number) {
  let flooded: Promise<number> | undefined;
  const upstream = await stubUpstream((request, response) => {
    if (flooded) wellBehaved(request, response);
    else flooded = flood(response, status);
  });
  return { url: upstream.url, sent: async () => flooded };
}

test.each([
  ['a list', TOKENS, LIST, 'MAX_LIST_BYTES'],
  ['a record', '{ apiToken(id: 1) { name } }', ONE, 'MAX_RECORD_BYTES'],
])('%s of 100 MB is not read to its end, and the error names the setting', async (_name, query, endpoint, setting) => {
  const upstream = await flooding(200);
  const { execute } = await gatewayOver(upstream.url, { MAX_LIST_BYTES: MB, MAX_RECORD_BYTES: MB }, 'token');

  const message = new RegExp(`more than ${MB} bytes.*${setting}`);
  expectFailure(await execute(query), { code: 'UPSTREAM_BAD_RESPONSE', message, endpoint, status: 200 });

  expect(await upstream.sent()).toBeLessThan(50 * MB); // what is beyond the limit is in the buffers of the sockets
  await expectHealthy(execute);
});

test('a refusal of 100 MB is not read to its end', async () => {
  const upstream = await flooding(500);
  const { execute } = await gatewayOver(upstream.url, {}, 'token');
  const expected = { code: 'UPSTREAM_UNAVAILABLE', message: /status 500/, endpoint: LIST, status: 500 };
  expectFailure(await execute(TOKENS), expected);
  expect(await upstream.sent()).toBeLessThan(50 * MB);
  await expectHealthy(execute);
});

test('the answer to a write is not read beyond the limit; the change was made', async () => {
  const upstream = await flooding(200);
  const { execute } = await gatewayOver(upstream.url, { MAX_RECORD_BYTES: MB }, 'token');
  const { data, errors } = await execute(
    'mutation { updateApiToken(id: 1, input: { name: "x" }) { __typename ... on ApiToken { upstreamId } } }',
  );
  expect({ data, errors }).toEqual({
    data: { updateApiToken: { __typename: 'ApiToken', upstreamId: '1' } },
    errors: [],
  });
  expect(await upstream.sent()).toBeLessThan(50 * MB);
});

test('a list takes what a record may not, and the limit itself is still taken', async () => {
  const upstream = await stubUpstream(says('[{"id":1}]'));
  const fitting = await gatewayOver(upstream.url, { MAX_LIST_BYTES: 10, MAX_RECORD_BYTES: 1 }, 'token');
  await expectHealthy(fitting.execute);
  const tooSmall = await gatewayOver(upstream.url, { MAX_LIST_BYTES: 9 }, 'token');
  expect((await tooSmall.execute(TOKENS)).errors).toMatchObject([{ extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
});

test('JSON that is nested 10,000 levels deep spoils its own field only', async () => {
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
  const upstream = await stubUpstream(says(`[{"id":1,"name":${deep},"privileges":${deep}}]`));
  const { execute } = await gatewayOver(upstream.url, {}, 'token');
  const { data, errors } = await execute('{ apiTokens { upstreamId name privileges } }');
  expect(data).toEqual({ apiTokens: [{ upstreamId: '1', name: null, privileges: null }] });
  expect(errors.map(({ extensions }) => extensions['code'])).toEqual([
    'UPSTREAM_BAD_RESPONSE',
    'UPSTREAM_BAD_RESPONSE',
  ]);
});
