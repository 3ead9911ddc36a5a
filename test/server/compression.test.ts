import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createGunzip, gunzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../src/observe/log.ts';
import { listen } from '../../src/system.ts';
import { acceptedEncoding } from '../../src/operation/accept.ts';
import { compressResponses } from '../../src/edge/compression.ts';
import { Connections } from '../../src/edge/connections.ts';
import { createHttpServer, type WatchedResponse } from '../../src/edge/http-server.ts';
import { ada, DEFERRED, FIRST, ME, slowForum } from '../incremental/support.ts';
import { gateway, gatewayOver, testConfig } from '../support/gateway.ts';
import { saysJson } from '../support/stub-crm.ts';
import { stubUpstream } from '../support/stub-upstream.ts';
import { openConnection, postOf } from './connection.ts';

// RESPONSE_COMPRESSION: bodies are compressed for callers that accept gzip. These tests read the bytes as they were sent.

type Headers = Readonly<Record<string, string>>;

interface Sent {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
  /** The body, unpacked where it was packed. */
  readonly text: string;
}

async function responseTo(url: string, headers: Headers, body?: string, method = 'POST'): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers }, resolve).once('error', reject).end(body);
  });
}

async function send(url: string, headers: Headers, body?: string, method?: string): Promise<Sent> {
  const response = await responseTo(url, headers, body, method);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const isPacked = response.headers['content-encoding'] === 'gzip' && bytes.length > 0; // HEAD has no body
  const text = (isPacked ? gunzipSync(bytes) : bytes).toString();
  return { status: response.statusCode, headers: response.headers, bytes, text };
}

const JSON_AND_GZIP = { 'content-type': 'application/json', 'accept-encoding': 'gzip' };

/** A field under so many long names that they have this many bytes together, and a few more. */
function longNames(bytes: number, field: string): string {
  const count = Math.ceil(bytes / 225);
  return Array.from({ length: count }, (_none, index) => `${`x${index}`.padEnd(225, 'x')}: ${field}`).join(' ');
}

const answerOf = (bytes: number) => JSON.stringify({ query: `{ ${longNames(bytes, '__typename')} }` });

/** A gateway over a CRM whose clients have names that no program makes shorter. */
async function gatewayOfNames(count: number, bytes: number, settings: Parameters<typeof gatewayOver>[1] = {}) {
  const clients = Array.from({ length: count }, (_none, index) => ({
    id: index + 1,
    name: randomBytes((bytes / 4) * 3).toString('base64'),
  }));
  const upstream = await stubUpstream(saysJson(clients));
  return gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url), CRM_SHARES_TOKEN: 'true', ...settings }, 'token');
}

const NAMES = JSON.stringify({ query: '{ clients(first: 1000) { nodes { name } } }' });
const WITH_TOKEN = { ...JSON_AND_GZIP, authorization: 'Bearer token' };

test.each([
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip, deflate, br, zstd', 'gzip'],
  ['deflate, gzip;q=0.1', 'gzip'],
  ['*', 'gzip'],
  ['br, *;q=0.5', 'gzip'],
  ['gzip ; q=0.8, identity ; q=0.5', 'gzip'],
  ['', undefined],
  ['identity', undefined],
  ['br', undefined],
  ['gzip;q=0', undefined],
  ['gzip;q=0.000, *', undefined],
  ['*;q=0', undefined],
  ['gzip;q=0.5, identity', undefined],
  ['gzip;q=x', undefined],
  ['gzipped', undefined],
])('Accept-Encoding: %s', (header, encoding) => {
  expect(acceptedEncoding(header, ['gzip'])).toBe(encoding);
});

describe.each([
  ['directly', '/graphql'],
  ['by Yoga', '/graphql?through=yoga'],
])('an answer %s', (_way, path) => {
  test.each([1_100, 20_000])('of more than %d bytes is shorter, and the same', async (bytes) => {
    const { url } = await gateway({ MAX_ALIASES: 100 });
    const body = answerOf(bytes);
    const plain = await send(url + path, { 'content-type': 'application/json' }, body);
    const packed = await send(url + path, JSON_AND_GZIP, body);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.text.length).toBeGreaterThan(bytes);
    expect(packed.text).toBe(plain.text);
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 5);
    expect(packed.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'application/json; charset=utf-8',
      'transfer-encoding': 'chunked',
      vary: 'Origin, Accept-Encoding',
    });
    expect(packed.headers['content-length']).toBeUndefined();
    expect(packed.status).toBe(200);
  });

  test.each([
    ['of 400 kB', 100, 4_000],
    ['in many pieces', 1_000, 4_000],
  ])('%s is the same', async (_name, count, bytes) => {
    const { url } = await gatewayOfNames(count, bytes);
    const plain = await send(url + path, { ...WITH_TOKEN, 'accept-encoding': 'identity' }, NAMES);
    const packed = await send(url + path, WITH_TOKEN, NAMES);
    expect(plain.bytes.length).toBeGreaterThan(count * bytes);
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', 'transfer-encoding': 'chunked' });
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length * 0.8);
    expect(packed.text === plain.text).toBe(true);
  });

  test.each<[name: string, bytes: number, headers: Headers, settings: Parameters<typeof gateway>[0]]>([
    ['of less than a kilobyte', 900, {}, {}],
    ['to a request with a cookie', 9_000, { cookie: 'session=1' }, {}],
    ['with RESPONSE_COMPRESSION=false', 9_000, {}, { RESPONSE_COMPRESSION: 'false' }],
    ['to a caller that forbids it', 9_000, { 'accept-encoding': 'gzip;q=0, *' }, {}],
  ])('%s is not compressed', async (_name, bytes, headers, settings) => {
    const { url } = await gateway(settings);
    const sent = await send(url + path, { ...JSON_AND_GZIP, ...headers }, answerOf(bytes));
    expect(sent.status).toBe(200);
    expect(sent.headers['content-encoding']).toBeUndefined();
    expect(sent.text.length).toBeGreaterThan(bytes);
    expect(Number(sent.headers['content-length'])).toBe(sent.bytes.length);
  });

  test('with a raw token is not compressed, nor are its parts; another mutation is', async () => {
    const { url, admin } = await gateway();
    const long = (field: string) => longNames(2_000, field);
    const token = `createApiToken(input: { name: "ci" }) { ... on CreatedApiToken { ${long('token')} } }`;
    const account = `createAccount(input: { prefix: "ada", user: { email: "ada@example.com", login: "ada", password: "pw-of-ada-1" } }) { ... on CreatedAccount { ${long('apiToken')} } }`;
    const authorized = { ...JSON_AND_GZIP, authorization: `Bearer ${admin.token}` };
    const mutate = (selected: string, accept = 'application/json') =>
      send(url + path, { ...authorized, accept }, JSON.stringify({ query: `mutation { ${selected} }` }));
    const created = await mutate(token);
    expect(created.text).toMatch(/x": ?"[^"]+"/);
    expect(created.headers['content-encoding']).toBeUndefined();
    const deferred = token.replace('{ ... on', '{ __typename ... @defer { ... on').replace(/$/, ' }');
    const inParts = await mutate(deferred, 'multipart/mixed');
    expect(inParts.headers['content-type']).toContain('multipart/mixed');
    expect(inParts.headers['content-encoding']).toBeUndefined();
    const opened = await mutate(account);
    expect(opened.text.length).toBeGreaterThan(2_000);
    expect(opened.headers['content-encoding']).toBeUndefined();
    const other = await mutate(`enableDashboards { ${long('__typename')} }`);
    expect(other.text.length).toBeGreaterThan(2_000);
    expect(other.headers['content-encoding']).toBe('gzip');
  });
});

test('introspection is an eighth of its bytes', async () => {
  const { url } = await gateway();
  const query = '{ __schema { types { name description fields { name description args { name description } } } } }';
  const sent = await send(`${url}/graphql`, JSON_AND_GZIP, JSON.stringify({ query }));
  expect(sent.headers['content-encoding']).toBe('gzip');
  expect(sent.bytes.length).toBeLessThan(sent.text.length / 5);
  expect(JSON.parse(sent.text).data.__schema.types.length).toBeGreaterThan(100);
});

test.each(['/graphql', '/', '/schema.graphql'])('the page at %s is compressed', async (path) => {
  const { url } = await gateway();
  const headers = { accept: 'text/html', 'accept-encoding': 'gzip' };
  const sent = await send(url + path, headers, undefined, 'GET');
  expect(sent.status).toBe(200);
  expect(sent.headers).toMatchObject({
    'content-encoding': 'gzip',
    vary: expect.stringContaining('Accept-Encoding'),
    'x-content-type-options': 'nosniff',
  });
  expect(sent.text.length).toBeGreaterThan(sent.bytes.length);
  const head = await send(url + path, headers, undefined, 'HEAD');
  expect([head.status, head.bytes.length]).toEqual([200, 0]);
});

test.each(['multipart/mixed', 'text/event-stream'])('each part of %s is sent when it is there', async (accept) => {
  const { url, forum } = await slowForum();
  const headers = { ...WITH_TOKEN, 'x-forum-authorization': 'Basic YTpi', accept };
  const response = await responseTo(`${url}/graphql`, headers, JSON.stringify({ query: DEFERRED }));
  expect(response.headers['content-encoding']).toBe('gzip');
  let text = '';
  const unpacked = response.pipe(createGunzip()).on('data', (chunk: Buffer) => (text += chunk.toString()));
  await expect.poll(() => text).toContain(JSON.stringify(FIRST.data));
  expect(text).not.toContain('ada');
  await forum.answer(ME, ada);
  await once(unpacked, 'end');
  expect(text).toContain('ada');
});

/** A server that compresses, whose answers the test writes. */
async function compressing() {
  const config = testConfig();
  const log = createLog('silent', { write: () => {} });
  const server = createHttpServer(config, undefined);
  const connections = new Connections(server, config, log);
  const compress = compressResponses(log);
  let asked: (response: WatchedResponse) => void = () => {};
  server.on('request', (request, response) =>
    connections.letIn(request, response, () => compress(request, response, () => asked(response))),
  );
  const url = await listen(server, { port: 0, host: '127.0.0.1' }, 'http');
  onTestFinished(() => void server.close().closeAllConnections());
  return {
    /** The bytes of answers that count as unread. */
    unread: () => [...connections.open.values()].reduce((sum, { unread }) => sum + unread, 0),
    /** Sends a request. @param headers those of its answer, which the test has to write */
    async request(...headers: readonly string[]) {
      const begun = new Promise<WatchedResponse>((resolve) => (asked = resolve));
      const received = send(url, { 'accept-encoding': 'gzip' }, undefined, 'GET');
      const response = await begun;
      response.writeHead(200, ['content-type', 'application/json', ...headers]);
      return { response, received };
    },
  };
}

test('of whole bodies 32 MB wait to be compressed, those beyond are sent as they are', async () => {
  const { request } = await compressing();
  const body = Buffer.alloc(20 * 1024 * 1024, 'a');
  const ask = () => request('content-length', String(body.length));
  const first = await ask();
  const second = await ask();
  const short = await request('content-length', '2000');
  for (const { response } of [first, second]) response.end(body);
  short.response.end('a'.repeat(2_000));

  const encodings = [first, second, short].map(async ({ received }) => {
    const { headers } = await received;
    return headers['content-encoding'];
  });
  expect(await Promise.all(encodings)).toEqual(['gzip', undefined, 'gzip']);
  expect((await second.received).bytes).toHaveLength(body.length);

  const third = await ask(); // nothing waits any more
  third.response.end(body);
  expect((await third.received).headers['content-encoding']).toBe('gzip');
});

test('parts that wait to be compressed count as unread', async () => {
  const { request, unread } = await compressing();
  const { response, received } = await request();
  response.write(randomBytes(1_000_000));
  expect(unread()).toBeGreaterThanOrEqual(1_000_000);
  response.end();
  await received;
  expect(unread()).toBe(0);
});

test('callers that read at once are served, however much waits to be compressed', async () => {
  const { url } = await gatewayOfNames(1_000, 6_000, { MAX_UNREAD_BYTES: 32 * 1024 * 1024 });
  const answers = await Promise.all(Array.from({ length: 10 }, async () => send(`${url}/graphql`, WITH_TOKEN, NAMES)));
  for (const { status, text } of answers) expect([status, text.length > 6_000_000]).toEqual([200, true]);
});

test('callers that leave while their answers are compressed cost nobody anything', async () => {
  const { url, execute, logs } = await gatewayOfNames(1_000, 8_000);
  for (let index = 0; index < 10; index += 1) {
    const connection = openConnection(url);
    connection.socket.write(postOf(JSON.parse(NAMES).query, ['Accept-Encoding: gzip']));
    await once(connection.socket, 'data');
    connection.socket.destroy();
  }
  expect((await execute('{ __typename }')).data).toEqual({ __typename: 'Query' });
  expect(logs.join('')).not.toContain('"level":50');
});
