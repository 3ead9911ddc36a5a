import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Upstreams } from '../../src/apis/upstreams.ts';
import { expectHealthy, TOKENS, wellBehaved } from '../support/failures.ts';
import { gatewayOver } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';
import { sendRaw } from './wire.ts';

const ENABLE = 'mutation Enable { enableDashboards { __typename } }';
const NO_TRACE = /node_modules|\.(ts|js|mjs):\d|\n\s+at /;

async function overStub(settings: Parameters<typeof gatewayOver>[1] = {}) {
  const upstream = await stubUpstream(wellBehaved);
  const over = await gatewayOver(upstream.url, settings, 'token');
  const post = async (body: BodyInit, headers: Record<string, string> = {}) => {
    const authorized = { authorization: 'Bearer token', ...headers };
    const response = await fetch(`${over.url}/graphql`, { method: 'POST', headers: authorized, body });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { ...over, upstream, post };
}

const json = { 'content-type': 'application/json' };

describe('a request line or a Host header of which no address can be made', () => {
  const body = JSON.stringify({ query: TOKENS });
  const rest = ['content-type: application/json', `content-length: ${body.length}`, 'connection: close'];

  test.each([
    ['a space', 'POST /graphql HTTP/1.1', 'host: a b'],
    ['an open bracket', 'POST /graphql HTTP/1.1', 'host: [::1'],
    ['a port that is none', 'POST /graphql HTTP/1.1', 'host: localhost:x'],
    ['a port too large', 'POST /graphql HTTP/1.1', 'host: localhost:99999'],
    ['a tag', 'POST /graphql HTTP/1.1', 'host: <script>'],
    ['nothing', 'POST /graphql HTTP/1.1', 'host:'],
    ['none at all', 'POST /graphql HTTP/1.1', 'x: y'],
    ['two of them', 'POST /graphql HTTP/1.1', 'host: localhost\r\nhost: other'],
    ['two, of which one is empty', 'POST /graphql HTTP/1.1', 'host: localhost\r\nhost:'],
    ['a path of two slashes and a bracket', 'POST //[ HTTP/1.1', 'host: localhost'],
    ['a path of two slashes and a bracket to read', 'GET //[ HTTP/1.1', 'host: localhost'],
    ['an address for a path', 'POST http://[/graphql HTTP/1.1', 'host: localhost'],
  ])('%s is a 4xx without a stack trace', async (_name, requestLine, host) => {
    const { url, execute, logs } = await overStub();
    const answered = await sendRaw(url, [requestLine, host, ...rest], body);
    expect(answered).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(answered).not.toMatch(NO_TRACE);
    expect(logs.join('')).not.toContain('"level":50');
    await expectHealthy(execute);
  });

  test.each([
    ['/graphql', 'http://other.example:8080/graphql'],
    ['/graphql, in capitals', 'HTTP://OTHER.example/graphql'],
    ['/graphql by https', 'https://other.example/graphql'],
    ['/graphql with a search', 'http://other.example/graphql?x=y'],
  ])('an absolute target is its path: %s', async (_name, target) => {
    // RFC 9112, 3.2.2: a server must accept it, and its host is that of the request
    for (const host of ['other.example', 'a.b']) {
      const { url, upstream } = await overStub();
      const lines = [`POST ${target} HTTP/1.1`, `host: ${host}`, 'authorization: Bearer token', ...rest];
      expect(await sendRaw(url, lines, body)).toMatch(/^HTTP\/1\.1 200 /);
      expect(upstream.received).toHaveLength(1);
    }
  });

  test.each([
    ['http://other.example', 200],
    ['http://other.example/', 200],
    ['http://other.example?x', 200],
    ['http://other.example/health', 200],
    ['http://other.example/nothing', 404],
    ['ftp://other.example/graphql', 404],
    ['http://user:secret@other.example/graphql', 400],
    ['http:///graphql', 404],
  ])('the target %s is answered with %i', async (target, status) => {
    const { url } = await overStub();
    const answered = await sendRaw(url, [`GET ${target} HTTP/1.1`, 'host: other.example', 'connection: close']);
    expect(answered).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answered).not.toContain('secret');
  });

  test.each(['localhost/x', 'localhost/x?', 'localhost?', 'localhost#', 'user:secret@localhost', '\\..\\', 'a\\b'])(
    'the host %j is more than a host',
    async (host) => {
      const { url, upstream } = await overStub();
      for (const method of ['POST', 'GET', 'DELETE']) {
        const answered = await sendRaw(url, [`${method} /graphql HTTP/1.1`, `host: ${host}`, ...rest], body);
        expect(answered).toMatch(/^HTTP\/1\.1 400 /);
        expect(answered).toContain('The Host header names no host.');
      }
      expect(upstream.received).toEqual([]);
    },
  );

  test('the star of OPTIONS is no path', async () => {
    const { url, execute } = await overStub();
    const answered = await sendRaw(url, ['OPTIONS * HTTP/1.1', 'host: localhost:4000', 'connection: close']);
    expect(answered).toMatch(/^HTTP\/1\.1 [24]\d\d /);
    expect(answered).not.toMatch(NO_TRACE);
    await expectHealthy(execute);
  });

  test('what is no HTTP', async () => {
    const { url, execute } = await overStub();
    expect(await sendRaw(url, ['\x16\x03\x01 hello'])).toMatch(/^HTTP\/1\.1 400 /);
    await expectHealthy(execute);
  });

  test('the Host header does not choose what is served', async () => {
    const { url } = await overStub();
    const answered = await sendRaw(url, ['GET /nowhere HTTP/1.1', 'host: evil.example', 'connection: close']);
    expect(answered).toMatch(/^HTTP\/1\.1 404 /);
    expect(answered).not.toContain('evil');
  });
});

describe('a POST that is not JSON is refused: any web page could make a browser send it', () => {
  const form = new FormData();
  form.set('operations', JSON.stringify({ query: ENABLE }));
  form.set('map', '{}');
  test.each([
    ['a form', new URLSearchParams({ query: ENABLE }), {}],
    ['a form with files', form, {}],
    ['plain text', JSON.stringify({ query: ENABLE }), { 'content-type': 'text/plain' }],
    ['GraphQL itself', ENABLE, { 'content-type': 'application/graphql' }],
    ['a type that begins like JSON', JSON.stringify({ query: ENABLE }), { 'content-type': 'application/jsonx' }],
    ['text with JSON as a parameter', '{}', { 'content-type': 'text/plain; application/json' }],
    ['two types', '{}', { 'content-type': 'text/plain, application/json' }],
    ['bytes without a type', Buffer.from(JSON.stringify({ query: ENABLE })), {}],
  ])('%s', async (_name, body, headers) => {
    const { post, execute, upstream } = await overStub();
    const { status, text } = await post(body, headers);
    expect(status).toBe(415);
    expect(text).toContain('Content-Type: application/json');
    expect(upstream.received).toEqual([]);
    await expectHealthy(execute);
  });

  test('JSON is taken with a charset, and in any case', async () => {
    const { post } = await overStub();
    for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/json ;charset=utf-8']) {
      const { status, text } = await post(JSON.stringify({ query: TOKENS }), { 'content-type': type });
      expect({ status, text }).toEqual({ status: 200, text: '{"data":{"apiTokens":[{"upstreamId":"1"}]}}' });
    }
  });
});

describe('a body that is no operation', () => {
  test.each([
    ['nothing', '', 400],
    ['broken JSON', '{"query":"{ apiTokens', 400],
    ['no JSON', '{ apiTokens { name } }', 400],
    ['null', 'null', 422],
    ['a number', '1', 422],
    ['a text', '"{ apiTokens { name } }"', 422],
    ['an object without a query', '{}', 422],
    ['a query that is a number', '{"query":1}', 422],
    ['a query that is null', '{"query":null}', 422],
    ['an empty query', '{"query":""}', 400],
    ['variables that are a text', '{"query":"{ __typename }","variables":"x"}', 422],
    ['variables that are a list', '{"query":"{ __typename }","variables":[]}', 422],
    ['an operation name that is a number', '{"query":"{ __typename }","operationName":1}', 422],
    ['a list of operations', '[{"query":"{ __typename }"},{"query":"{ __typename }"}]', 422],
    ['an empty list', '[]', 422],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 400],
  ])('%s is refused in words, with its status', async (_name, body, expected) => {
    const { post, execute, upstream, logs } = await overStub();
    const { status, text } = await post(body, { ...json, accept: 'application/graphql-response+json' });
    expect(status).toBe(expected);
    expect(JSON.parse(text)).toMatchObject({ errors: [{ message: expect.stringMatching(/./) }] });
    expect(text).not.toMatch(NO_TRACE);
    expect(text).not.toContain('INTERNAL_SERVER_ERROR');
    expect(logs.join('')).not.toContain('"level":50');
    expect(upstream.received).toEqual([]);
    await expectHealthy(execute);
  });

  test('a body too large is a 413, with its length told or not', async () => {
    const { post, url, execute } = await overStub({ MAX_REQUEST_BYTES: 1_000 });
    const body = JSON.stringify({ query: `{ __typename } #${'x'.repeat(1_000)}` });
    expect((await post(body, json)).status).toBe(413);
    const stream = new Blob([body]).stream();
    const chunked = { method: 'POST', headers: json, body: stream, duplex: 'half' } as const;
    expect((await fetch(`${url}/graphql`, chunked)).status).toBe(413);
    await expectHealthy(execute);
  });

  test('a length that is a lie does not hold anything up', async () => {
    const { url, execute } = await overStub();
    const lines = ['POST /graphql HTTP/1.1', 'host: localhost', 'content-type: application/json'];
    expect(await sendRaw(url, [...lines, 'content-length: -1'])).toMatch(/^HTTP\/1\.1 400 /);
    expect(await sendRaw(url, [...lines, 'content-length: 5', 'transfer-encoding: chunked'])).toMatch(
      /^HTTP\/1\.1 400 /,
    );
    await expectHealthy(execute);
  });
});

describe('GET', () => {
  const get = (url: string, query: string) => fetch(`${url}/graphql?${new URLSearchParams({ query })}`);

  test('runs a query', async () => {
    const { url } = await overStub();
    const response = await get(url, '{ __typename }');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ data: { __typename: 'Query' } });
  });

  test('refuses a mutation, which a link could carry', async () => {
    const { url, upstream } = await overStub();
    const response = await get(url, ENABLE);
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
    expect(upstream.received).toEqual([]);
  });

  test('refuses variables that are no JSON, and a missing query', async () => {
    const { url } = await overStub();
    const headers = { accept: 'application/graphql-response+json' };
    for (const [search, status] of [
      ['query={__typename}&variables={', 400],
      ['query={__typename}&extensions=x', 400],
      ['', 422],
      ['variables={}', 422],
    ]) {
      const response = await fetch(`${url}/graphql?${search}`, { headers });
      expect(response.status).toBe(status);
      expect(await response.text()).not.toContain('INTERNAL_SERVER_ERROR');
    }
  });
});

test.each(['PUT', 'PATCH', 'DELETE'])('%s is refused', async (method) => {
  const { url, upstream } = await overStub();
  const request = { method, headers: json, body: JSON.stringify({ query: ENABLE }) };
  const response = await fetch(`${url}/graphql`, request);
  expect([404, 405]).toContain(response.status);
  expect(await response.text()).not.toMatch(NO_TRACE);
  expect(upstream.received).toEqual([]);
});

describe('deep and large documents', () => {
  const create =
    'mutation ($raw: JSONObject) { createDashboard(input: { name: "x", layout: [{ key: "kpi", config: { raw: $raw } }] }) { __typename } }';
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

  test.each([
    [240, 200],
    [1_000, 413],
    [100_000, 413],
  ])('variables of %d levels are answered, by %d', async (levels, expected) => {
    const { post, execute, logs } = await overStub();
    const body = `{"query":${JSON.stringify(create)},"variables":{"raw":${nested(levels)}}}`;
    const { status, text } = await post(body, json);
    expect(status).toBe(expected);
    expect(text).not.toContain('INTERNAL_SERVER_ERROR');
    expect(logs.join('')).not.toContain('"level":50');
    await expectHealthy(execute);
  });

  test('undeclared variables may be as deep as declared ones', async () => {
    const { post, execute } = await overStub();
    const body = `{"query":"{ __typename }","variables":{"x":${nested(250)}},"extensions":${nested(250)}}`;
    expect((await post(body, json)).status).toBe(200);
    await expectHealthy(execute);
  });

  test('a list of lists for a variable that is a list of ids', async () => {
    const { post, execute } = await overStub();
    const body = `{"query":"query($i:[ID!]!){nodes(ids:$i){id}}","variables":{"i":${'['.repeat(200)}${']'.repeat(200)}}}`;
    expect((await post(body, json)).text).toContain('BAD_USER_INPUT');
    await expectHealthy(execute);
  });

  test.each([
    ['fields', `{ ${'a '.repeat(500_000)}}`],
    ['braces', '{a'.repeat(500_000)],
    ['brackets', `{ apiToken(id: ${'['.repeat(900_000)}) { name } }`],
  ])('a megabyte of %s is refused by its number of tokens', async (_name, query) => {
    const { execute } = await overStub();
    const { errors } = await execute(query);
    expect(errors).toMatchObject([{ extensions: { code: 'QUERY_LIMIT_EXCEEDED' } }]);
    expect(JSON.stringify(errors).length).toBeLessThan(1_000);
    await expectHealthy(execute);
  });

  test('a megabyte of comment, and a megabyte of text, are nothing to fear', async () => {
    const { execute } = await overStub({ MAX_TOKENS: 10_000 });
    expect((await execute(`{ __typename } #${'x'.repeat(1_000_000)}`)).data).toEqual({ __typename: 'Query' });
    const { errors } = await execute(`{ apiToken(id: "${'x'.repeat(1_000_000)}") { name } }`);
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(JSON.stringify(errors).length).toBeLessThan(1_000);
    await expectHealthy(execute);
  });
});

test('a connection without a request does not hold up the end', async () => {
  const { url, close } = await overStub({ SHUTDOWN_TIMEOUT_MS: 600_000 });
  const { hostname, port } = new URL(url);
  const reserve = connect(Number(port), hostname);
  await once(reserve, 'connect');
  await fetch(`${url}/health`); // behind which the gateway has noticed
  const ended = once(reserve, 'close');

  await close();
  await ended;
});

test('a gateway that cannot listen closes the connections to its upstreams', async () => {
  const close = vi.spyOn(Upstreams.prototype, 'close');
  onTestFinished(() => close.mockRestore());
  const first = await gatewayOver('http://127.0.0.1:1');
  const PORT = Number(new URL(first.url).port);

  await expect(gatewayOver('http://127.0.0.1:1', { PORT })).rejects.toThrow('EADDRINUSE');

  expect(close).toHaveBeenCalledTimes(1);
});

describe('a body', () => {
  const packed = gzipSync(JSON.stringify({ query: TOKENS }));

  test.each(['gzip', 'GZIP', 'br', 'gzip, identity', 'none'])(
    'in the coding %s is 415, with the ones that it may have',
    async (coding) => {
      const { post, upstream } = await overStub();
      const { status, headers, text } = await post(packed, { ...json, 'content-encoding': coding });
      expect([status, headers.get('accept-encoding')]).toEqual([415, 'identity']);
      expect(text).toContain('without `Content-Encoding`');
      expect(upstream.received).toEqual([]);
    },
  );

  test.each(['utf-16', 'iso-8859-1', '"utf-16"', 'x'])('in the charset %s is 415', async (charset) => {
    const { post, upstream } = await overStub();
    const type = { 'content-type': `application/json; charset=${charset}` };
    const { status, text } = await post(JSON.stringify({ query: TOKENS }), type);
    expect([status, text]).toEqual([415, expect.stringContaining('UTF-8')]);
    expect(upstream.received).toEqual([]);
  });

  test.each([
    ['charset="utf-8"', 'identity'],
    ['charset=UTF8', 'Identity'],
    ['CHARSET=us-ascii', ''],
    ['x=y', 'identity'],
  ])('of the type application/json; %s, in the coding %j, is read', async (parameter, coding) => {
    const { post } = await overStub();
    const headers = { 'content-type': `application/json; ${parameter}`, ...(coding && { 'content-encoding': coding }) };
    expect((await post(JSON.stringify({ query: TOKENS }), headers)).status).toBe(200);
  });
});
