import { describe, expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { rawUpstream } from '../support/stub-upstream.ts';
import { EVERY, gatewayOverReplies, LISTED, NOBODY } from './public-support.ts';

describe('the address of the caller', () => {
  test.each([
    [0, undefined, '127.0.0.1'],
    [0, '6.6.6.6', '127.0.0.1'],
    [1, undefined, '127.0.0.1'],
    [1, '203.0.113.7', '203.0.113.7'],
    [1, '6.6.6.6, 203.0.113.7', '203.0.113.7'],
    [1, '6.6.6.6,203.0.113.7 ', '203.0.113.7'],
    [1, '203.0.113.7, ', '127.0.0.1'],
    [2, '6.6.6.6, 203.0.113.7, 10.0.0.1', '203.0.113.7'],
    [2, '10.0.0.1', '127.0.0.1'],
    [1, '2001:db8::7', '2001:db8::7'],
    [1, '[2001:db8::7]', '2001:db8::7'],
    [1, '[2001:db8::7]:4711', '2001:db8::7'],
    [1, '203.0.113.7:4711', '203.0.113.7'],
    [1, '::FFFF:203.0.113.7', '203.0.113.7'],
    [1, '::fffe:203.0.113.7', '::fffe:203.0.113.7'],
    ...[
      'unknown',
      '_hidden',
      '203.0.113',
      '203.0.113.256',
      '203.0.113.7:',
      '203.0.113.7:port',
      '203.0.113.7:471100',
      '203.0.113.7/24',
      '[203.0.113.7]',
      '[2001:db8::7',
      '[2001:db8::7]4711',
      '2001:db8::7]:4711',
      'fe80::1%eth0',
      'for=203.0.113.7',
      '<script>',
      '"203.0.113.7"',
    ].map((forwarded): [number, string, string] => [1, forwarded, '127.0.0.1']),
    [2, '203.0.113.7, unknown, 10.0.0.1', '127.0.0.1'],
  ])(
    'TRUST_PROXY %i and X-Forwarded-For %j: upstream receives the address %s',
    async (TRUST_PROXY, forwarded, told) => {
      const { execute, headers } = await gatewayOverReplies([], { TRUST_PROXY });

      await execute(LISTED, { token: null, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } });

      expect(headers.map((sent) => sent['x-forwarded-for'])).toEqual([told]);
    },
  );
});

test('a public call is never retried, even a read: it is made once when the connection closes, and the record of a write is read once', async () => {
  for (const operation of EVERY) {
    let calls = 0;
    const upstream = await rawUpstream((socket) => {
      calls += 1;
      if (calls === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n[]');
      else socket.destroy();
    });
    const { execute } = await gatewayOver(upstream.url);
    await execute(LISTED, { token: null }); // opens a connection that the next call reuses

    expect((await execute(operation, { token: null })).errors).toMatchObject([
      { extensions: { code: 'UPSTREAM_UNAVAILABLE' } },
    ]);
    const [, call = '', ...looks] = upstream.received;
    const namesRecord = call.endsWith('/update') || call.endsWith('/delete');
    expect(looks).toEqual(namesRecord ? ['POST /flex/db/book/get'] : []);
  }
});

describe('a list by POST is a window, whose request has input:', () => {
  const FIELDS = ['list(first: 1)', 'search(query: "x", first: 1)'].map(
    (field) => `{ publicFlexDb(code: "book") { rows: ${field} { nodes { upstreamId } pageInfo { hasNextPage } } } }`,
  );

  test.each(FIELDS)('more rows than the window are no missing ones: %s', async (query) => {
    const body = { records: [{ id: 1 }, { id: 2 }], total: 50, has_more: true };
    const { ask } = await gatewayOverReplies([{ body }]);
    const rows = { nodes: [{ upstreamId: '1' }], pageInfo: { hasNextPage: true } };
    expect(await ask(query, NOBODY)).toEqual({ publicFlexDb: { rows } });
  });

  test.each(FIELDS)('a refusal with the status 200 is about the input: %s', async (query) => {
    const { execute } = await gatewayOverReplies([{ body: { errors: { q: ['is too short'] } } }]);
    const { errors } = await execute(query, NOBODY);
    expect(errors).toMatchObject([{ message: 'q: is too short', extensions: { code: 'BAD_USER_INPUT' } }]);
  });
});
