import { expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

// An upstream that answers 429 with Retry-After is not called with that credential until then.

const TOKENS = '{ apiTokens { upstreamId } }';

/** An upstream that limits one token, at one path or at all. */
async function limiting(retryAfter: string, path = '/') {
  const upstream = await stubUpstream((request, response) => {
    const isLimited = request.headers.authorization === 'Bearer limited' && request.url?.startsWith(path);
    if (isLimited) response.writeHead(429, { 'retry-after': retryAfter }).end('{"message":"slow down"}');
    else response.end('[{"id":1}]');
  });
  const url = new URL(upstream.url);
  const over = await gatewayOver(upstream.url, { FLEX_URL: url, CRM_URL: url });
  const ask = async (query: string, token = 'limited') => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'x-crm-token': token };
    const body = JSON.stringify({ query });
    return (await fetch(`${over.url}/graphql`, { method: 'POST', headers, body })).json();
  };
  return { ask, received: upstream.received };
}

const LIMITED = { extensions: { code: 'UPSTREAM_RATE_LIMITED', retryAfter: 30 } };

test('the next call with that credential is answered here, with the seconds that are left', async () => {
  const { ask, received } = await limiting('30');
  expect(await ask(TOKENS)).toMatchObject({ errors: [LIMITED] });
  expect(await ask(TOKENS)).toMatchObject({
    data: { apiTokens: null },
    errors: [{ ...LIMITED, message: 'The account API asked to slow down.' }],
  });
  expect(received).toEqual(['GET /account/api_tokens.json']);
});

test('another credential, and another API, are called as before', async () => {
  const { ask, received } = await limiting('30', '/account');
  await ask(TOKENS);
  expect(await ask(TOKENS, 'other')).toEqual({ data: { apiTokens: [{ upstreamId: '1' }] } });
  expect(await ask('{ flexDbs { upstreamId } }')).toEqual({ data: { flexDbs: [{ upstreamId: '1' }] } });
  expect(received).toHaveLength(3);
});

test('a write is not sent: it is refused', async () => {
  const { ask, received } = await limiting('30');
  await ask(TOKENS);
  const { errors } = await ask('mutation { enableDashboards { __typename } }');
  expect(errors).toMatchObject([{ extensions: { ...LIMITED.extensions, outcome: 'REFUSED' } }]);
  expect(received).toHaveLength(1);
});

test('of many reads by id those that were not sent are not sent any more', async () => {
  const upstream = await stubUpstream((_request, response) => {
    response.writeHead(429, { 'retry-after': '30' }).end();
  });
  const { execute } = await gatewayOver(
    upstream.url,
    { CRM_URL: new URL(upstream.url), CRM_SHARES_TOKEN: 'true', READS_AT_ONCE: 2, BATCH_READS: 'by-id' },
    'token',
  );
  const ids = Array.from({ length: 50 }, (_none, index) => `"Client:${index + 1}"`);
  const { errors } = await execute(`{ nodes(ids: [${ids.join(' ')}]) { ... on Client { name } } }`);
  expect(errors).toHaveLength(50);
  expect(upstream.received).toHaveLength(2);
});

test.each(['', 'soon', '0', '-5'])('without a time to wait upstream is called again: %j', async (retryAfter) => {
  const { ask, received } = await limiting(retryAfter);
  await ask(TOKENS);
  await ask(TOKENS);
  expect(received).toHaveLength(2);
});
