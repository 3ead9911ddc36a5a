import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { DEAD_ADDRESS, rawUpstream, stubUpstream } from '../support/stub-upstream.ts';
import { asAda, forumOver, REFUSAL, saysXml } from './support.ts';

const READS: readonly (readonly [query: string, endpoint: string])[] = [
  ['forumMe { login }', 'GET /app/users/me.xml'],
  ['forumTeam { login }', 'GET /app/users/team.xml'],
  ['forumPosts { nodes { id } }', 'GET /'],
  ['forumPosts(category: "canary") { nodes { id } }', 'GET /:category_name'],
  ['forumCategories { id }', 'GET /app/categories.xml'],
  ['forumPost(id: 4711) { title }', 'GET /app/posts/:post_id.xml'],
];
const WRITES: readonly (readonly [mutation: string, endpoint: string])[] = [
  ['createForumPost(input: { title: "canary", content: "y" })', 'POST /app/posts.xml'],
  ['deleteForumPost(id: 4711)', 'DELETE /app/posts/:post_id.xml'],
  ['createForumUser(input: { login: "canary", email: "y", password: "z" })', 'POST /app/users.xml'],
];
const queries = [
  ...READS.map(([field, endpoint]) => [`{ it: ${field} }`, endpoint] as const),
  ...WRITES.map(([field, endpoint]) => [`mutation { it: ${field} { __typename } }`, endpoint] as const),
];

/** Each operation fails in this way, names its call, and shows neither addresses nor arguments. */
async function expectFailures(url: string, code: string, message: RegExp, status?: number): Promise<void> {
  const settings = { FORUM_URL: new URL(url), ...(code === 'UPSTREAM_TIMEOUT' && { UPSTREAM_TIMEOUT_MS: 150 }) };
  const { execute } = await gatewayOver(url, settings, 'secret');
  for (const [query, endpoint] of queries) {
    const { data, errors } = await execute(query, { headers: asAda });
    expect(data).toEqual({ it: null });
    const upstream = { api: 'forum', endpoint, ...(status !== undefined && { status }) };
    expect(errors).toMatchObject([{ path: expect.arrayContaining(['it']), extensions: { code, upstream } }]);
    expect(errors[0]?.message).toMatch(message);
    expect(JSON.stringify(errors)).not.toMatch(/https?:|127\.0\.0\.1|canary|4711|YWRh/);
  }
}

describe('every operation reports', () => {
  test('a refused connection', async () => expectFailures(DEAD_ADDRESS, 'UPSTREAM_UNAVAILABLE', /forum/));

  test('a connection that is cut', async () =>
    expectFailures((await rawUpstream((socket) => socket.destroy())).url, 'UPSTREAM_UNAVAILABLE', /forum/));

  test('an upstream that hangs', async () =>
    expectFailures((await rawUpstream(() => {})).url, 'UPSTREAM_TIMEOUT', /did not answer within 0\.15 s/));

  test('a body that never ends', async () =>
    expectFailures(
      (
        await rawUpstream((socket) =>
          socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/xml\r\ncontent-length: 99\r\n\r\n<user>'),
        )
      ).url,
      'UPSTREAM_TIMEOUT',
      /did not answer/,
    ));

  const answers: readonly (readonly [
    name: string,
    RequestListener,
    code: string,
    message: RegExp,
    status: number | undefined,
  ])[] = [
    ['500', saysXml('<html>canary</html>', { status: 500 }), 'UPSTREAM_UNAVAILABLE', /status 500/, 500],
    [
      '503 in XML',
      saysXml('<errors><error>canary</error></errors>', { status: 503 }),
      'UPSTREAM_UNAVAILABLE',
      /status 503/,
      503,
    ],
    ['429', saysXml('', { status: 429 }), 'UPSTREAM_RATE_LIMITED', /slow down/, 429],
    [
      'a redirect',
      saysXml('', { status: 302, headers: { location: '/canary' } }),
      'UPSTREAM_BAD_RESPONSE',
      /redirect.*FORUM_URL/,
      302,
    ],
    [
      'a web page',
      saysXml('<html><p>canary', { headers: { 'content-type': 'text/html' } }),
      'UPSTREAM_BAD_RESPONSE',
      /FORUM_URL/,
      undefined,
    ],
    [
      'a web page as XML',
      saysXml('<!DOCTYPE html><html><p>canary</p></html>'),
      'UPSTREAM_BAD_RESPONSE',
      /DOCTYPE|FORUM_URL/,
      undefined,
    ],
    ['405', saysXml('canary', { status: 405 }), 'UPSTREAM_BAD_RESPONSE', /status 405/, 405],
  ];
  test.each(answers)('%s', async (_name, answer, code, message, status) => {
    await expectFailures((await stubUpstream(answer)).url, code, message, status);
  });
});

test('without an address no call is made, and the setting is named', async () => {
  const { execute } = await gatewayOver(DEAD_ADDRESS, {}, 'secret');
  const { errors } = await execute('{ forumMe { login } }', { headers: asAda });
  expect(errors).toMatchObject([
    { message: 'The forum API has no address: set FORUM_URL.', extensions: { code: 'UPSTREAM_UNAVAILABLE' } },
  ]);
});

describe('404', () => {
  const gone = saysXml('Not Found', { status: 404, headers: { 'content-type': 'text/plain' } });

  test('is null for a page of a category, with an error that says where the names are', async () => {
    const { execute, calls } = await forumOver(gone);
    const { data, errors } = await execute('{ forumPostList(category: "canary", page: 2) { id } }');
    expect(data).toEqual({ forumPostList: null });
    const message = '`category` is no category that you can see: `forumCategories` has their names.';
    expect(errors).toMatchObject([
      { message, extensions: { code: 'BAD_USER_INPUT', fields: [{ field: 'category' }], upstream: { status: 404 } } },
    ]);
    expect(calls()).toEqual(['GET /canary?page=2']);
  });

  test.each(READS.filter(([field]) => !/category:|forumPost\(/.test(field)))(
    'is a failure of %s',
    async (field, endpoint) => {
      const { execute } = await forumOver(gone);
      const { data, errors } = await execute(`{ it: ${field} }`);
      expect(data).toEqual({ it: null });
      expect(errors).toMatchObject([
        { extensions: { code: 'UPSTREAM_BAD_RESPONSE', upstream: { endpoint, status: 404 } } },
      ]);
    },
  );
});

// `test/outcomes` has the result of each mutation by the status.

const DELETE = `mutation { it: deleteForumPost(id: 7) { ${REFUSAL} } }`;

test.each([
  [404, 'NotFoundError', 'There is no such record, or it is not visible to you.'],
  [403, 'ForbiddenError', 'The forum API does not allow this to the caller.'],
])('a mutation that is refused with %i is a %s that says: %s', async (status, __typename, message) => {
  const { ask } = await forumOver(saysXml('<errors><error>Tylko administrator</error></errors>', { status }));
  expect(await ask(DELETE)).toEqual({ it: { __typename, message } });
});

test.each([
  [422, 'application/xml', '<errors type="array"><error>Nie mo&#380;na</error></errors>'],
  [400, 'text/plain', ' Nie można\n'],
  [422, 'text/plain; charset=utf-8', 'Nie można'],
  [422, '', 'Nie można'],
  [422, 'application/json', '"Nie można"'],
  [200, 'application/xml', '<hash><status>error</status><message> Nie mo&#380;na </message></hash>'],
  [200, 'application/xml', '<hash><errors type="array"><error>Nie można</error></errors></hash>'],
  [200, 'application/xml', '<errors><error>Nie można</error></errors>'],
])('a ValidationError has the text of %i, as %j: %s', async (status, type, body) => {
  const { ask } = await forumOver(saysXml(body, { status, headers: { 'content-type': type } }));
  const data = await ask(DELETE);
  const it = { __typename: 'ValidationError', message: 'Nie można', fields: [] };
  expect(data).toEqual({ it });
});

test.each(WRITES)(
  'a write is never sent twice; the record of a deletion is looked for: %s',
  async (field, endpoint) => {
    const upstream = await rawUpstream((socket) => socket.destroy());
    const { execute } = await gatewayOver(upstream.url, { FORUM_URL: new URL(upstream.url) }, 'secret');
    const { errors } = await execute(`mutation { it: ${field} { __typename } }`, { headers: asAda });
    expect(errors).toMatchObject([
      { message: expect.stringMatching(/not known/), extensions: { outcome: 'UNKNOWN', upstream: { endpoint } } },
    ]);
    // A read is tried again on another connection.
    const looks = endpoint.startsWith('DELETE') ? ['GET /app/posts/4711.xml', 'GET /app/posts/4711.xml'] : [];
    expect(upstream.received.slice(1)).toEqual(looks);
  },
);
