import { expect, test } from 'vitest';
import { says, stubUpstream } from '../support/stub-upstream.ts';
import { running, trivium } from './trivium.ts';

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

test('under NODE_ENV=production the start is a line of JSON, and so is the reason why it fails', async () => {
  const env = { NODE_ENV: 'production', PORT: '0', ACCOUNT_URL: 'http://127.0.0.1:9' };
  const { banner } = await running(['serve'], /\n/, { env });
  expect(JSON.parse(banner)).toMatchObject({
    level: 30,
    msg: expect.stringMatching(/^trivium serves http:\S+\/graphql$/),
  });
  const { code, stdout, stderr } = await trivium(['serve'], { env: { ...env, MAX_DEPTH: 'deep' } });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(JSON.parse(stderr)).toMatchObject({ level: 60, msg: 'MAX_DEPTH takes a whole number from 1 to 1000.' });
});

test('callers in production are not told of settings that only an operator can change', async () => {
  const messageOf = async (NODE_ENV: string) => {
    const env = { NODE_ENV, PORT: '0', ACCOUNT_URL: 'http://127.0.0.1:9' };
    const { banner } = await running(['serve'], /http\S+\/graphql/, { env });
    const response = await fetch(/http\S+\/graphql/.exec(banner)?.[0] ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer t' },
      body: JSON.stringify({ query: '{ apiTokens { name } clients { totalCount } }' }),
    });
    return Object(await response.json())
      .errors.map(({ message }: { message: string }) => message)
      .sort();
  };
  expect(await messageOf('')).toEqual([
    'The account API refuses connections: is the address in ACCOUNT_URL right?',
    'The crm API has no address: set CRM_URL.',
  ]);
  expect(await messageOf('production')).toEqual([
    'The account API refuses connections.',
    'The crm API has no address.',
  ]);
});
