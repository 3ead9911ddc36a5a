import { describe, expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

// Texts of the caller that travel in the query of an upstream call: they arrive as they were, and nowhere else.

const TEXTS: readonly [name: string, text: string][] = [
  ['dots and slashes', '../../account/api_tokens'],
  ['a query', 'a?b=c&d=e'],
  ['a fragment', 'a#b'],
  ['an encoded slash', '%2f%00'],
  ['a plus sign and spaces', 'a + b'],
  ['a semicolon', 'a;b'],
  ['NUL', 'a\0b'],
  ['a line end and a header', 'a\r\nx-smuggled: yes\r\n\r\nGET /other HTTP/1.1'],
  ['letters of all sorts', 'żółć 😀 \u202e'],
  ['nothing', ''],
  ['a colon', 'flex_app:3f2a9c54-7d1e-4b86-9a0f-5c8e21d47b10'],
];

async function recording() {
  const upstream = await stubUpstream((_request, response) => {
    response.end('{"key":"k","name":"Name"}');
  });
  return { ...(await gatewayOver(upstream.url, {}, 'token')), upstream };
}

function asked(line: string | undefined) {
  const [method, target = ''] = (line ?? '').split(' ');
  const { pathname, searchParams, hash } = new URL(target, 'http://upstream.test');
  return { call: `${method} ${pathname}${hash}`, query: [...searchParams] };
}

const WIDGET = 'query ($key: String!) { dashboardWidget(key: $key) { key name } }';
const SET = `mutation ($value: String!) {
  setAccountField(input: { key: $value, actionType: $value, value: $value }) { __typename }
}`;

describe.each(TEXTS)('%s', (_name, text) => {
  test('as the key of a tile', async () => {
    const { ask, upstream } = await recording();
    expect(await ask(WIDGET, { variables: { key: text } })).toEqual({ dashboardWidget: { key: text, name: 'Name' } });
    expect(upstream.received).toHaveLength(1);
    expect(asked(upstream.received[0])).toEqual({
      call: 'GET /toolkit/dashboards/widget.json',
      query: [['key', text]],
    });
  });

  test('as the parts of a changed account field', async () => {
    const { execute, upstream } = await recording();
    expect((await execute(SET, { variables: { value: text } })).errors).toEqual([]);
    expect(upstream.received).toHaveLength(1);
    expect(asked(upstream.received[0])).toEqual({
      call: 'POST /account/set_field.json',
      query: [
        ['key', text],
        ['action_type', text],
        ['value', text],
      ],
    });
  });
});

test('half of a surrogate pair is refused: it could not arrive as it is', async () => {
  const { execute, upstream } = await recording();
  const widget = await execute(WIDGET, { variables: { key: 'a\ud800' } });
  expect(widget.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  const changed = await execute(SET, { variables: { value: '\udc00' } });
  expect(changed.data).toEqual({ setAccountField: { __typename: 'ValidationError' } });
  expect(upstream.received).toEqual([]);
});

test('10,000 characters arrive, or are refused in words', async () => {
  const { execute, ask, upstream } = await recording();
  const data = await ask(WIDGET, { variables: { key: 'x'.repeat(10_000) } });
  expect(data).toMatchObject({ dashboardWidget: { name: 'Name' } });
  expect(upstream.received[0]).toHaveLength('GET /toolkit/dashboards/widget.json?key='.length + 10_000);

  const longer = await execute(WIDGET, { variables: { key: 'ż'.repeat(10_000) } }); // 60,000 when encoded: 431
  expect(longer.errors).toMatchObject([
    { extensions: { code: 'UPSTREAM_BAD_RESPONSE', upstream: { endpoint: 'GET /toolkit/dashboards/widget.json' } } },
  ]);
  expect(JSON.stringify(longer.errors).length).toBeLessThan(500);
});

test.each([
  ['a body', 'mutation ($x: String!) { createApiToken(input: { name: $x, code: $x }) { __typename } }'],
  ['a list in a body', 'mutation ($x: String!) { createApiToken(input: { privileges: [$x, $x] }) { __typename } }'],
])('in %s the same texts arrive as they are', async (_name, mutation) => {
  const bodies: string[] = [];
  const upstream = await stubUpstream((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      bodies.push(body);
      response.writeHead(201).end('{"id":1,"token":"t"}');
    });
  });
  const { execute } = await gatewayOver(upstream.url, {}, 'token');
  for (const [, text] of TEXTS) {
    const { data } = await execute(mutation, { variables: { x: text } });
    expect(data).toEqual({ createApiToken: { __typename: 'CreatedApiToken' } });
    expect(bodies.pop()).toContain(JSON.stringify(text));
  }
  expect(new Set(upstream.received)).toEqual(new Set(['POST /account/api_tokens.json']));
});
