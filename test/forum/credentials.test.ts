import { describe, expect, test } from 'vitest';
import { recordingUpstream } from '../support/recorder.ts';
import { gatewayOver } from '../support/gateway.ts';
import { says } from '../support/stub-upstream.ts';
import { asAda, basic, forumGateway, forumOver, saysXml } from './support.ts';

const ME = '{ forumMe { login } }';

test('X-Forum-Authorization goes to the forum as Authorization, and nowhere else', async () => {
  const { execute, sandbox, category } = await forumGateway();
  category('Ideas');
  await execute('{ forumMe { login } apiTokens { upstreamId } clients { totalCount } forumPosts { nodes { id } } }');
  const forum = sandbox.requests.filter(({ headers }) => headers['accept'] === 'application/xml');
  expect(forum.map(({ path }) => path).toSorted()).toEqual(['/', '/app/users/me.xml']);
  for (const { headers } of sandbox.requests) expect(headers).not.toHaveProperty('x-forum-authorization');

  const [account, xml] = await Promise.all([recordingUpstream(says('[]')), recordingUpstream(saysXml('<user/>'))]);
  const urls = {
    CRM_URL: new URL(account.url),
    FLEX_URL: new URL(account.url),
    FORUM_URL: new URL(xml.url),
    CRM_SHARES_TOKEN: 'true',
  } as const;
  const over = await gatewayOver(account.url, urls, 'canary-bearer');
  await over.execute('{ forumMe { login } apiTokens { upstreamId } clients { totalCount } }', { headers: asAda });
  expect(xml.requests.map(({ headers }) => headers.authorization)).toEqual([basic('ada', 'lovelace')]);
  expect(JSON.stringify(xml.requests)).not.toContain('canary-bearer');
  expect(account.requests).toHaveLength(2);
  expect(JSON.stringify(account.requests)).not.toMatch(/YWRh|lovelace|[Bb]asic/);
});

test.each([
  ['zażółć:gęślą jaźń ☃', 'gęślą jaźń ☃'],
  ['a:b:c', 'b:c'],
  ['a:', ''],
  [':p', 'p'],
])('a login and a password are passed on unchanged: %s', async (pair) => {
  const { execute, requests } = await forumOver(saysXml('<user/>'));
  const encoded = Buffer.from(pair).toString('base64');
  for (const given of [`Basic ${encoded}`, `basic  ${encoded} `]) {
    expect((await execute(ME, { headers: { 'x-forum-authorization': given } })).errors).toEqual([]);
  }
  expect(requests.map(({ headers }) => headers.authorization)).toEqual([`Basic ${encoded}`, `Basic ${encoded}`]);
});

describe('without a login and a password no call is made', () => {
  async function expectRefused(headers: Readonly<Record<string, string>>, word: RegExp): Promise<void> {
    const forum = await recordingUpstream(saysXml('<user/>'));
    const { execute, logs } = await gatewayOver(
      forum.url,
      { FORUM_URL: new URL(forum.url), LOG_LEVEL: 'debug' },
      'secret',
    );
    const { errors } = await execute(ME, { headers });
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    expect(errors[0]?.message).toMatch(/X-Forum-Authorization/);
    expect(errors[0]?.message).toMatch(word);
    expect(JSON.stringify(errors) + logs.join('')).not.toMatch(/canary|Y2FuYXJ5/);
    expect(forum.received).toEqual([]);
  }

  test('the bearer token is not used for the forum', () =>
    expectRefused({ authorization: basic('canary', 'canary') }, /No credential/));

  test.each([
    '',
    ' ',
    'Bearer canary',
    'Basic',
    'Basic ',
    'Basic canary!',
    'canary:canary',
    'Basic canary:canary',
    `Basic ${Buffer.from('canary').toString('base64')}`,
    `Basic ${Buffer.from('canary:p').toString('base64')} more`,
    `Basic "${Buffer.from('canary:p').toString('base64')}"`,
    `Basic ${Buffer.from('canary:>>>???').toString('base64url')}-_`,
    Buffer.from('canary:p').toString('base64'),
    `Digest ${Buffer.from('canary:p').toString('base64')}`,
    `${basic('canary', 'p')}, ${basic('canary', 'q')}`,
    `Basic ${'='.repeat(4)}`,
    `${basic('canary', 'p')}===`,
  ])('the header %j is malformed', (given) =>
    expectRefused({ 'x-forum-authorization': given }, given.trim() === '' ? /malformed|No cred/ : /malformed/),
  );

  test('two X-Forum-Authorization headers are malformed', async () => {
    const forum = await recordingUpstream(saysXml('<user/>'));
    const { url } = await gatewayOver(forum.url, { FORUM_URL: new URL(forum.url) }, 'secret');
    const headers = new Headers({ 'content-type': 'application/json' });
    for (const login of ['ada', 'bob']) headers.append('x-forum-authorization', basic(login, 'p'));
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query: ME }) });
    expect(await response.json()).toMatchObject({
      errors: [{ message: expect.stringMatching(/malformed/), extensions: { code: 'UNAUTHENTICATED' } }],
    });
    expect(forum.received).toEqual([]);
  });

  test('the other fields of the operation are answered', async () => {
    const { execute, sandbox } = await forumGateway();
    const { data, errors } = await execute('{ forumMe { login } apiTokens { id } clients { totalCount } }', {
      headers: { 'x-forum-authorization': 'Bearer x' },
    });
    expect(data).toMatchObject({ forumMe: null, apiTokens: [expect.anything()], clients: { totalCount: 0 } });
    expect(errors).toHaveLength(1);
    expect(sandbox.calls()).not.toContain('GET /app/users/me.xml');
  });
});

test.each([
  ['ada', 'wrong'],
  ['nobody', 'lovelace'],
])('the error for a credential that upstream refuses names the header: %s', async (login, password) => {
  const { execute } = await forumGateway();
  const headers = { 'x-forum-authorization': basic(login, password) };
  for (const query of [ME, 'mutation { createForumPost(input: { title: "x", content: "y" }) { __typename } }']) {
    const { errors } = await execute(query, { headers });
    expect(errors).toMatchObject([
      {
        message: 'The forum API refused the credential of the X-Forum-Authorization header.',
        extensions: { code: 'UNAUTHENTICATED', upstream: { status: 401 } },
      },
    ]);
  }
});

test.each(['text/plain', 'text/html', 'application/xml', ''])(
  'a 401 with the content type %j is UNAUTHENTICATED',
  async (type) => {
    for (const body of [
      'HTTP Basic: Access denied.',
      '<html>Access denied</html>',
      '',
      '<errors><error>no</error></errors>',
    ]) {
      const { execute } = await forumOver(saysXml(body, { status: 401, headers: { 'content-type': type } }));
      const { errors } = await execute(ME);
      expect(errors).toMatchObject([
        { message: expect.stringContaining('X-Forum-Authorization'), extensions: { code: 'UNAUTHENTICATED' } },
      ]);
    }
  },
);
