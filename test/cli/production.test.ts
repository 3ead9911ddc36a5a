import { expect, test } from 'vitest';
import { DEAD_ADDRESS, says, stubUpstream } from '../support/stub-upstream.ts';
import { inProcess } from './in-process.ts';
import { serving } from './trivium.ts';

/** Each way of an operation through the gateway: the direct one, Yoga's, a GET, and a response in parts. */
const ways = [
  ['POST', { accept: 'application/json' }, ''],
  ['POST with an encoding', { accept: 'application/json', 'content-encoding': 'identity' }, ''],
  ['POST in parts', { accept: 'multipart/mixed' }, ' ... @defer { __typename }'],
] as const;

test('under NODE_ENV=production the compiled gateway serves each kind of request, and no GraphiQL, and its start is a line of JSON', async () => {
  const { url } = await stubUpstream(says('[{"id":1,"name":"Demo"}]'));
  const env = { NODE_ENV: 'production', PORT: '0', ACCOUNT_URL: url, FLEX_URL: DEAD_ADDRESS };
  const { ask: askOnce, banner, endpoint } = await serving(env);
  expect(JSON.parse(banner)).toMatchObject({
    level: 30,
    msg: expect.stringMatching(/^trivium serves http:\S+\/graphql$/),
  });
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
  const page = await fetch(endpoint, { headers: { accept: 'text/html' } });
  expect(page.headers.get('content-type') ?? '').not.toContain('text/html');
  // Callers are not told of settings, which only an operator can change.
  expect(await askOnce('{ flexDbs { name } clients { totalCount } }')).toMatchObject({
    errors: expect.toSatisfy((errors: readonly { message: string }[]) => {
      const messages = errors.map(({ message }) => message).sort();
      return messages.join(' ') === 'The crm API has no address. The flex API refuses connections.';
    }),
  });
});

test('under NODE_ENV=production the reason why a start fails is a line of JSON', async () => {
  const env = { NODE_ENV: 'production', PORT: '0', ACCOUNT_URL: DEAD_ADDRESS, MAX_DEPTH: 'deep' };
  const { code, stdout, stderr } = await inProcess(['serve'], { env });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(JSON.parse(stderr)).toMatchObject({ level: 60, msg: 'MAX_DEPTH takes a whole number from 1 to 1000.' });
});
