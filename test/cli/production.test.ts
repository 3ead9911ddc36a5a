import { expect, test } from 'vitest';
import { says, stubUpstream } from '../support/stub-upstream.ts';
import { running } from './trivium.ts';

/** Starts the compiled gateway as in production. Returns its address. */
async function production(): Promise<string> {
  const { url } = await stubUpstream(says('[{"id":1,"name":"Demo"}]'));
  const env = { NODE_ENV: 'production', PORT: '0', ACCOUNT_URL: url };
  const { banner } = await running(['serve'], /http\S+\/graphql/, { env });
  return /http\S+\/graphql/.exec(banner)?.[0] ?? '';
}

/** Each way of an operation through the gateway: the direct one, Yoga's, a GET, and a response in parts. */
const ways = [
  ['POST', { accept: 'application/json' }, ''],
  ['POST with an encoding', { accept: 'application/json', 'content-encoding': 'identity' }, ''],
  ['POST in parts', { accept: 'multipart/mixed' }, ' ... @defer { __typename }'],
] as const;

test('the compiled gateway serves each kind of request under NODE_ENV=production', async () => {
  const endpoint = await production();
  const headers = { 'content-type': 'application/json', authorization: 'Bearer t' };
  for (const [way, accept, deferred] of ways) {
    const ask = async (selection: string) => {
      const body = JSON.stringify({ query: `{ apiTokens { ${selection} }${deferred} }` });
      const response = await fetch(endpoint, { method: 'POST', headers: { ...headers, ...accept }, body });
      return response.text();
    };
    expect(await ask('id name'), way).toContain('"name":"Demo"');
    const refused = await ask('id nane');
    expect(refused, way).toContain('GRAPHQL_VALIDATION_FAILED');
    expect(refused, way).not.toContain('Did you mean');
  }
  const get = await fetch(`${endpoint}?query=${encodeURIComponent('{ apiTokens { name } }')}`, {
    headers: { ...headers, accept: 'application/json' },
  });
  expect(await get.json()).toEqual({ data: { apiTokens: [{ name: 'Demo' }] } });
});

test('the compiled gateway has no GraphiQL under NODE_ENV=production', async () => {
  const page = await fetch(await production(), { headers: { accept: 'text/html' } });
  expect(page.headers.get('content-type') ?? '').not.toContain('text/html');
});
