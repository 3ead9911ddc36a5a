import { describe, expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { rawUpstream } from '../support/stub-upstream.ts';
import { book, CREATE, EVERY, gatewayOverReplies, KEY, LISTED, MAKE, NOBODY } from './public-support.ts';

// Public methods receive only the caller's address and the allow-listed cookies.

/** A database whose records belong to the holder of their cookie key. */
async function scoped() {
  const own = { auto_fields: { key: '{cookie_key}' }, scope_by: 'key' };
  return book({ list: own, get: own, search: own, create: own, update: own, delete: own });
}

const cookiesOf = (headers: Headers) => headers.getSetCookie();
/** A caller with this cookie and no credential. */
const holder = (cookie: string) => ({ token: null, headers: { cookie } });

describe('credentials of public methods', () => {
  test('the gateway forwards no credential to a public method, even if the caller sent one', async () => {
    const canary = 'canary-3f9c';
    for (const operation of EVERY) {
      const origin = `http://${canary}.example`;
      const { execute, headers } = await gatewayOverReplies([], { CORS_ORIGINS: [origin] });

      await execute(operation, {
        token: canary,
        headers: {
          cookie: `session=${canary}; flex_key=${KEY}; flex_key2=${canary}`,
          'x-crm-token': canary,
          'x-forum-authorization': `Basic ${canary}`,
          'proxy-authorization': canary,
          'x-api-key': canary,
          'x-forwarded-for': canary,
          forwarded: canary,
          referer: `http://${canary}.example/`,
          origin,
          'user-agent': canary,
        },
      });

      expect(headers).not.toEqual([]);
      expect(JSON.stringify(headers)).not.toContain('canary');
      for (const sent of headers) {
        expect(sent).toMatchObject({ cookie: `flex_key=${KEY}`, 'x-forwarded-for': '127.0.0.1' });
        expect(sent).not.toHaveProperty('authorization');
      }
    }
  });

  test('a public method needs no credential and ignores a malformed one', async () => {
    const { execute } = await scoped();

    expect((await execute(LISTED, { token: null })).errors).toEqual([]);
    expect((await execute(LISTED, { token: null, headers: { authorization: 'Basic x' } })).errors).toEqual([]);
  });

  test('calls that need authorization carry neither cookie nor address', async () => {
    const { execute, headers } = await gatewayOverReplies([{ setCookie: ['flex_key=private'] }]);

    const { headers: answered } = await execute('{ flexDbs { id } }', {
      token: 'secret',
      headers: { cookie: `flex_key=${KEY}` },
    });

    expect(headers).toMatchObject([{ authorization: 'Bearer secret' }]);
    expect(headers[0]).not.toHaveProperty('cookie');
    expect(headers[0]).not.toHaveProperty('x-forwarded-for');
    expect(cookiesOf(answered)).toEqual([]);
  });
});

describe('the cookies of public methods', () => {
  test('the cookie passes in both directions: only its holder sees the records of its key', async () => {
    const { execute } = await scoped();

    const first = await execute(MAKE, { token: null, variables: { data: { n: 1 } } });
    const [cookie = ''] = cookiesOf(first.headers);
    expect(cookie).toMatch(/^flex_key=[0-9a-z]{32}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/);

    const [pair = ''] = cookie.split(';');
    const own = await execute(LISTED, holder(pair));
    expect(own.data).toMatchObject({
      publicFlexDb: { list: { nodes: [{ data: { n: 1, key: pair.replace('flex_key=', '') } }] } },
    });
    expect(cookiesOf(own.headers)).toEqual([]);
    const other = await execute(LISTED, holder(`flex_key=${KEY}`));
    expect(other.data).toEqual({ publicFlexDb: { list: { nodes: [] } } });
    const none = await execute(LISTED, { token: null });
    expect(none.data).toEqual({ publicFlexDb: { list: { nodes: [] } } });
  });

  test('a stolen value of scope_by gives no access, neither in the data, nor in an update, nor by id', async () => {
    const { execute, ask } = await scoped();
    const victim = await execute(MAKE, { ...holder(`flex_key=${KEY}`), variables: { data: { n: 1 } } });
    const [, id] = /"upstreamId":"([^"]+)"/.exec(JSON.stringify(victim.data)) ?? [];
    const thief = holder('flex_key=ffffffffffffffffffffffffffffffff');

    const forged = await execute(MAKE, { ...thief, variables: { data: { key: KEY } } });
    expect(JSON.stringify(forged.data)).not.toContain(KEY);
    const data = await ask(
      `query ($id: ID!, $key: String!) { publicFlexDb(code: "book") { get(id: $id) { id } search(query: $key) { nodes { data } } list { nodes { data } } } }`,
      { ...thief, variables: { id, key: KEY } },
    );
    expect(data).toMatchObject({ publicFlexDb: { get: null, search: { nodes: [] } } });
    expect(JSON.stringify(data)).not.toContain(KEY);
    for (const change of ['update', 'delete']) {
      const args = change === 'update' ? 'id: $id, data: { n: 2 }' : 'id: $id';
      const refused = await execute(
        `mutation ($id: ID!) { result: ${change}PublicFlexRecord(code: "book", ${args}) { __typename } }`,
        { ...thief, variables: { id } },
      );
      expect(refused.data).toEqual({ result: { __typename: 'NotFoundError' } });
    }
    const own = await execute(LISTED, holder(`flex_key=${KEY}`));
    expect(own.data).toEqual({ publicFlexDb: { list: { nodes: [{ upstreamId: id, data: { n: 1, key: KEY } }] } } });
  });

  test.each([
    [
      'a foreign Domain, and another Path',
      'flex_key=a; Domain=flex.example; Path=/flex; HttpOnly',
      'flex_key=a; Path=/; HttpOnly',
    ],
    [
      'in other letters',
      'flex_key=a;DOMAIN=.flex.example;path=/flex;HTTPONLY;samesite=None;Secure',
      'flex_key=a; Path=/; HTTPONLY; samesite=None; Secure',
    ],
    [
      'with a date',
      'flex_key=a; Expires=Wed, 01 Apr 2026 08:00:00 GMT; Max-Age=60; SameSite=Strict',
      'flex_key=a; Path=/; Expires=Wed, 01 Apr 2026 08:00:00 GMT; Max-Age=60; SameSite=Strict',
    ],
    ['with what nobody knows', 'flex_key=a; Priority=High; Domain; X=Domain=b.example', 'flex_key=a; Path=/'],
    ['with nothing', 'flex_key=a', 'flex_key=a; Path=/'],
    ['with signs in its value', 'flex_key=a=b%3B~"', 'flex_key=a=b%3B~"; Path=/'],
  ])('the cookie returns for the gateway’s own host: %s', async (_name, sent, received) => {
    const { execute } = await gatewayOverReplies([{ setCookie: [sent] }]);

    expect(cookiesOf((await execute(LISTED, { token: null })).headers)).toEqual([received]);
  });

  test('a cookie that is not allow-listed is not forwarded in either direction', async () => {
    const { execute, headers } = await gatewayOverReplies([
      { setCookie: ['session=a; Path=/', 'flex_key2=b', 'Flex_Key=c', 'x=flex_key=d', 'flex_key', '=flex_key'] },
    ]);

    const result = await execute(LISTED, holder('session=a; Flex_Key=c; x=flex_key=d'));

    expect(cookiesOf(result.headers)).toEqual([]);
    expect(headers[0]).not.toHaveProperty('cookie');
  });

  test('every allow-listed cookie passes', async () => {
    const { execute, headers } = await gatewayOverReplies([{ setCookie: ['b=2; HttpOnly', 'c=3'] }], {
      FLEX_COOKIES: ['a', 'b'],
    });

    const result = await execute(LISTED, holder('c=9; b=1;a=0 ; d=8'));

    expect(headers[0]?.cookie).toBe('b=1; a=0');
    expect(cookiesOf(result.headers)).toEqual(['b=2; Path=/; HttpOnly']);
  });

  test('no cookie passes with an empty allow-list', async () => {
    const { execute, headers } = await gatewayOverReplies([{ setCookie: ['flex_key=a'] }], { FLEX_COOKIES: [] });

    const result = await execute(LISTED, holder(`flex_key=${KEY}`));

    expect(headers[0]).not.toHaveProperty('cookie');
    expect(cookiesOf(result.headers)).toEqual([]);
  });

  test('the cookie of a refused call passes, too', async () => {
    const { execute } = await gatewayOverReplies([
      { status: 422, body: { errors: { a: ['b'] } }, setCookie: ['flex_key=a'] },
    ]);

    expect(cookiesOf((await execute(MAKE, { token: null })).headers)).toEqual(['flex_key=a; Path=/']);
  });
});

describe('the first calls of a browser without a cookie', () => {
  const several = `{ a: publicFlexDb(code: "book") { list { nodes { id } } search { nodes { id } } } b: publicFlexDb(code: "book") { list { nodes { id } } } }`;

  test('queries without a cookie are called one after the other, so that the browser gets one key', async () => {
    const { execute, sandbox } = await scoped();

    const { headers, errors } = await execute(several, { token: null });

    expect(errors).toEqual([]);
    expect(cookiesOf(headers)).toHaveLength(1);
    const [pair] = cookiesOf(headers)[0]?.split(';') ?? [];
    expect(sandbox.requests.map(({ headers }) => headers['cookie'])).toEqual([undefined, pair, pair]);
  });

  test('two mutations without a cookie create records of the same key', async () => {
    const { execute, sandbox } = await scoped();

    const { data, headers } = await execute(
      `mutation {
        a: createPublicFlexRecord(code: "book", data: {}) { ... on PublicFlexRecord { data } }
        b: createPublicFlexRecord(code: "book", data: {}) { ... on PublicFlexRecord { data } }
      }`,
      { token: null },
    );

    const [, key] = /flex_key=(\w+)/.exec(cookiesOf(headers).join()) ?? [];
    expect(data).toEqual({ a: { data: { key } }, b: { data: { key } } });
    expect(sandbox.calls()).toEqual([CREATE, CREATE]);
  });

  test('a failed first call does not stop the next one', async () => {
    const { execute, headers } = await gatewayOverReplies([{ status: 503 }, {}, {}]);

    const { errors, data } = await execute(several, { token: null });

    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }]);
    expect(data).toEqual({ a: { list: null, search: { nodes: [] } }, b: { list: { nodes: [] } } });
    expect(headers).toHaveLength(3);
  });

  test('calls with the cookie are made in parallel', async () => {
    const waiting: (() => void)[] = [];
    const upstream = await rawUpstream((socket) => {
      waiting.push(() =>
        socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n[]'),
      );
      if (waiting.length === 3) for (const answer of waiting) answer();
    });
    const { ask } = await gatewayOver(upstream.url, { FLEX_COOKIES: ['flex_key'] });

    await ask(several, holder(`flex_key=${KEY}`));
    expect(upstream.received).toHaveLength(3);
  });

  test('calls with only some of the allow-listed cookies are made one after the other', async () => {
    const { execute, headers } = await gatewayOverReplies([{ setCookie: ['flex_key=a'] }, {}, {}], {
      FLEX_COOKIES: ['flex_key', 'session'],
    });

    await execute(several, holder('session=s'));

    expect(headers.map(({ cookie }) => cookie)).toEqual([
      'session=s',
      'session=s; flex_key=a',
      'session=s; flex_key=a',
    ]);
  });
});

describe('a cookie of a public method that FLEX_COOKIES does not list', () => {
  /** Settings of no other test: a process warns of a name once. */
  const ownGateway = { MAX_NODES: 4_321 };
  const warnings = (logs: readonly string[]) =>
    logs.flatMap((line) => {
      const { level, cookieName, msg } = JSON.parse(line) as Record<string, unknown>;
      return cookieName === undefined ? [] : [{ level, cookieName, msg }];
    });
  const warning = (cookieName: string) => ({
    level: 40,
    cookieName,
    msg: 'a public method set a cookie that is not passed on: its name is not in FLEX_COOKIES',
  });

  test('is warned of once, by its name and never by its value', async () => {
    const setCookie = [`own_key=${KEY}; Path=/`, `flex_key=${KEY}`, `${KEY}`, `=${KEY}`, 'lb=x'];
    for (const FLEX_COOKIES of [[], ['flex_key']]) {
      const { execute, logs } = await gatewayOverReplies([{ setCookie }, { setCookie }], {
        ...ownGateway,
        FLEX_COOKIES,
      });
      await execute(LISTED, NOBODY);
      await execute(LISTED, NOBODY);

      const names = ['own_key', 'flex_key', 'lb'].filter((name) => !FLEX_COOKIES.includes(name));
      expect(warnings(logs)).toEqual(names.map(warning));
      expect(logs.join('')).not.toContain(KEY);
    }
  });

  test('is warned of by 64 characters of its name, and so are 20 of them at most', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `${'n'.repeat(62)}${index + 10}-${KEY}`);
    const setCookie = names.map((name) => `${name}=1`);
    const settings = { ...ownGateway, FLEX_COOKIES: ['flex_key', 'other_key'] };
    const { execute, logs } = await gatewayOverReplies([{ setCookie }, { setCookie }], settings);
    await execute(LISTED, NOBODY);
    await execute(LISTED, NOBODY);

    expect(warnings(logs)).toEqual(names.slice(0, 20).map((name) => warning(name.slice(0, 64))));
  });

  test('of an endpoint with authorization is no cause for a warning', async () => {
    const { execute, logs } = await gatewayOverReplies([{ setCookie: [`session=${KEY}`] }], { FLEX_COOKIES: [] });
    await execute('{ flexDbs { id } }');

    expect(warnings(logs)).toEqual([]);
  });
});
