import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { gatewayOver, type Result } from '../support/gateway.ts';
import { rawUpstream } from '../support/stub-upstream.ts';

// Responses as bytes: those that RFC 9110 and 9112 allow, and some that they do not. Each one answers a read, a list and three writes.

/** The expected results: the data, or the code of the error; the outcome of a write. */
interface Told {
  readonly read: string;
  readonly list?: string;
  readonly created: string;
  readonly updated: string;
  readonly deleted: string;
}

type Row = readonly [name: string, bytes: (body: string, status: number) => string | readonly string[], told: Told];

const head = (status: number | string, ...lines: string[]) => [`HTTP/1.1 ${status}`, ...lines, '', ''].join('\r\n');
const JSON_TYPE = 'content-type: application/json';
const sized = (body: string) => `content-length: ${Buffer.byteLength(body)}`;
const whole = (body: string, status: number | string, ...lines: string[]) =>
  head(status, JSON_TYPE, sized(body), ...lines) + body;

const WELL: Told = { read: 'Ada', list: '1', created: 'APPLIED', updated: 'APPLIED', deleted: 'APPLIED' };
/** A success without a record. */
const EMPTY: Told = { ...WELL, read: 'UPSTREAM_BAD_RESPONSE', list: 'UPSTREAM_BAD_RESPONSE' };
const unknown = (code: string): Told => ({
  read: code,
  list: code,
  created: 'UNKNOWN',
  updated: 'UNKNOWN',
  deleted: 'UNKNOWN',
});
/** Upstream has taken the request, which a read cannot tell from its result. */
const TAKEN: Told = { ...unknown(''), read: 'Ada', list: '1' };
const GONE: Told = {
  ...{ read: 'null', list: 'UPSTREAM_BAD_RESPONSE' },
  ...{ created: 'REFUSED', updated: 'REFUSED', deleted: 'REFUSED' },
};

const CONTINUE = head('100 Continue');
const HINTS = head('103 Early Hints', 'link: </a>; rel=preload');
const long = (line: string) => head('100 Continue', `x: ${line}`);

const ROWS: readonly Row[] = [
  ['a body of its length', (body, status) => whole(body, status), WELL],
  ['a reason in other words', (body, status) => whole(body, `${status} Fine, thanks`), WELL],
  ['no reason', (body, status) => whole(body, `${status} `), WELL],
  [
    'names of headers in any case',
    (body, status) => head(status, JSON_TYPE.toUpperCase(), sized(body).toUpperCase()) + body,
    WELL,
  ],
  [
    'no blank behind a colon',
    (body, status) => head(status, JSON_TYPE, `content-length:${Buffer.byteLength(body)}`) + body,
    WELL,
  ],
  [
    'blanks around a value',
    (body, status) => head(status, JSON_TYPE, `content-length: \t ${Buffer.byteLength(body)} `) + body,
    WELL,
  ],
  [
    'a body until the end of the connection',
    (body, status) => head(status, JSON_TYPE, 'connection: close') + body,
    WELL,
  ],
  [
    'a body in a chunk',
    (body, status) =>
      `${head(status, JSON_TYPE, 'transfer-encoding: chunked')}${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    WELL,
  ],
  [
    'a chunk with an extension, and a trailer',
    (body, status) =>
      `${head(status, JSON_TYPE, 'transfer-encoding: Chunked')}${Buffer.byteLength(body).toString(16)};a=b\r\n${body}\r\n0\r\nx: y\r\n\r\n`,
    WELL,
  ],
  ['a body in two parts', (body, status) => [whole(body, status).slice(0, -5), body.slice(-5)], WELL],
  ['HTTP/1.0', (body, status) => whole(body, status).replace('HTTP/1.1', 'HTTP/1.0'), WELL],
  // 9110 15.2: a client passes over interim responses that it has not asked for
  ['100 before it', (body, status) => CONTINUE + whole(body, status), WELL],
  ['100 in a part of its own', (body, status) => [CONTINUE, whole(body, status)], WELL],
  ['100 in two parts', (body, status) => ['HTTP/1.1 10', `0 Continue\r\n\r\n${whole(body, status)}`], WELL],
  ['100 whose end is cut in two', (body, status) => [CONTINUE.slice(0, -2), `\r\n${whole(body, status)}`], WELL],
  ['100 three times', (body, status) => CONTINUE.repeat(3) + whole(body, status), WELL],
  ['100 with headers', (body, status) => [long('y'.repeat(1_000)), whole(body, status)], WELL],
  ['102 before it', (body, status) => head('102 Processing') + whole(body, status), WELL],
  ['103 before it', (body, status) => HINTS + whole(body, status), WELL],
  ['103, and then 100', (body, status) => HINTS + CONTINUE + whole(body, status), WELL],
  ['100 alone', () => CONTINUE, unknown('UPSTREAM_UNAVAILABLE')],
  ['100 without an end', () => long('y'.repeat(64 * 1024)), unknown('UPSTREAM_UNAVAILABLE')],
  // 9112 6.3: a 204 ends with its head
  ['204', () => head(204), EMPTY],
  ['204 with a length of 0', () => head(204, 'content-length: 0'), EMPTY],
  ['204 with a length', () => head(204, 'content-length: 2'), EMPTY],
  ['204 with a length, and bytes behind it', () => `${head(204, 'content-length: 2')}{}`, EMPTY],
  ['204 with a length, and bytes that come later', () => [head(204, 'content-length: 2'), '{}'], EMPTY],
  ['304 that nobody asked for', () => head(304), unknown('UPSTREAM_BAD_RESPONSE')],
  ['304 with the length of a body', () => head(304, 'content-length: 23'), unknown('UPSTREAM_BAD_RESPONSE')],
  // 9110 15.3.3, 15.3.7; RFC 4918 13
  ['202 with a record', (body) => whole(body, 202), TAKEN],
  [
    '202 with the id of a job',
    () => whole('{"id":"82de","status":"queued"}', 202),
    { ...unknown('UPSTREAM_BAD_RESPONSE') },
  ],
  ['202 without a body', () => head(202, 'content-length: 0'), unknown('UPSTREAM_BAD_RESPONSE')],
  [
    '206 that nobody asked for',
    (body) => whole(body, 206, 'content-range: items 0-0/250'),
    { ...WELL, read: 'UPSTREAM_BAD_RESPONSE', list: 'UPSTREAM_BAD_RESPONSE' },
  ],
  ['207 with a record', (body) => whole(body, 207), TAKEN],
  ['207 with a result', () => whole('{"results":[{"id":1,"status":200}]}', 207), unknown('UPSTREAM_BAD_RESPONSE')],
  [
    '207 with a refusal',
    () => whole('{"results":[{"status":422,"errors":{"name":["bad"]}}]}', 207),
    { ...unknown('UPSTREAM_BAD_RESPONSE'), created: 'REFUSED', updated: 'REFUSED', deleted: 'REFUSED' },
  ],
  ['404', () => whole('{}', 404), GONE],
  ['410', () => whole('{}', 410), GONE],
  ['410 without a body', () => head(410, 'content-length: 0'), GONE],
  // 9110 8.4.1: codings are case-insensitive
  ...['identity', 'Identity', ' IDENTITY '].map((coding): Row => [
    `the coding ${coding}`,
    (body, status) => whole(body, status, `content-encoding: ${coding}`),
    WELL,
  ]),
  [
    'gzip, in capitals',
    (body, status) => {
      const packed = gzipSync(body).toString('latin1');
      return head(status, JSON_TYPE, 'content-encoding: GZIP', `content-length: ${packed.length}`) + packed;
    },
    WELL,
  ],
  // what HTTP does not allow
  ['nothing', () => '', unknown('UPSTREAM_UNAVAILABLE')],
  ['less than its length', (body, status) => whole(body, status).slice(0, -1), unknown('UPSTREAM_UNAVAILABLE')],
  [
    'two lengths',
    (body, status) => head(status, JSON_TYPE, sized(body), 'content-length: 1') + body,
    unknown('UPSTREAM_UNAVAILABLE'),
  ],
  [
    'a length that is no number',
    (body, status) => head(status, JSON_TYPE, 'content-length: x') + body,
    unknown('UPSTREAM_UNAVAILABLE'),
  ],
  [
    'a chunk of no size',
    (_body, status) => `${head(status, JSON_TYPE, 'transfer-encoding: chunked')}zz\r\n`,
    unknown('UPSTREAM_UNAVAILABLE'),
  ],
  ['101', () => head('101 Switching Protocols', 'upgrade: x', 'connection: upgrade'), unknown('UPSTREAM_UNAVAILABLE')],
  ['a status that is none', (body) => whole(body, 99), unknown('UPSTREAM_UNAVAILABLE')],
];

const RECORD = '{"id":1,"name":"Ada"}';
const OLD = whole('{"id":1,"name":"Old"}', 200);

const outcome = ({ errors, data }: Result, name: string): string => {
  const [error] = errors;
  if (error) return String(error.extensions['outcome'] ?? error.extensions['code']);
  const value: unknown = Reflect.get(Object(data), name);
  return String(Reflect.get(Object(value), '__typename')).endsWith('Error') ? 'REFUSED' : 'APPLIED';
};

describe.each(ROWS)('%s', (_name, bytes, told) => {
  /** An operation, whose request of this method has the row as its answer. */
  async function run(query: string, method: string, body: string, status: number): Promise<Result> {
    const upstream = await rawUpstream((socket, request) => {
      if (!request.startsWith(method)) return void socket.write(OLD);
      const made = bytes(body, status);
      const parts = typeof made === 'string' ? [made] : [...made];
      // A connection stays open, unless it ends the body or cuts it: nothing else may depend on its end.
      const ends = told.read === 'UPSTREAM_UNAVAILABLE' || parts.join('').includes('connection: close');
      const next = () => {
        const part = parts.shift();
        if (part !== undefined) socket.write(part, 'latin1', () => setImmediate(next));
        else if (ends) socket.end();
      };
      next();
    });
    const { execute } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url) }, 'token');
    return execute(query, { headers: { 'x-crm-token': 'crm' } });
  }

  test('a read', async () => {
    const { data, errors } = await run('{ client(id: 1) { name } }', 'GET', RECORD, 200);
    const client: unknown = Reflect.get(Object(data), 'client');
    const name: unknown = client === null ? null : Reflect.get(Object(client), 'name');
    expect(errors[0]?.extensions['code'] ?? String(name)).toBe(told.read);
  });

  test('a list', async () => {
    const { data, errors } = await run('{ clients { totalCount } }', 'GET', `[${RECORD}]`, 200);
    const list: unknown = Reflect.get(Object(data), 'clients');
    expect(errors[0]?.extensions['code'] ?? String(Reflect.get(Object(list), 'totalCount'))).toBe(told.list);
  });

  test('a creation', async () => {
    const query = 'mutation { createClient(input: { name: "Ada" }) { __typename } }';
    expect(outcome(await run(query, 'POST', RECORD, 201), 'createClient')).toBe(told.created);
  });

  test('an update', async () => {
    const query = 'mutation { updateClient(id: 1, input: { name: "Ada" }) { __typename } }';
    expect(outcome(await run(query, 'PUT', RECORD, 200), 'updateClient')).toBe(told.updated);
  });

  test('a deletion', async () => {
    const query = 'mutation { deleteClient(id: 1) { __typename } }';
    expect(outcome(await run(query, 'DELETE', '{"status":"ok"}', 200), 'deleteClient')).toBe(told.deleted);
  });
});

test('each response of a kept connection may have interim ones before it', async () => {
  const connections = new Set<unknown>();
  const upstream = await rawUpstream((socket) => {
    connections.add(socket);
    socket.write(CONTINUE + whole(RECORD, 200));
  });
  const { ask } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url) }, 'token');
  const read = async () => ask('{ client(id: 1) { name } }', { headers: { 'x-crm-token': 'crm' } });
  for (let reads = 0; reads < 3; reads += 1) expect(await read()).toEqual({ client: { name: 'Ada' } });
  expect(connections.size).toBe(1);
});

describe('a kept answer that still holds, by a 304', () => {
  test.each([
    ['without more', []],
    ['with the length of the 200', [sized(RECORD)]], // RFC 9110, 8.6
    ['with a type and a length', [JSON_TYPE, sized(RECORD)]],
    ['with a length of 0', ['content-length: 0']],
    ['that ends the connection', [sized(RECORD), 'connection: close']],
  ])('%s', async (_name, lines) => {
    const validators = ['etag: "v1"', 'last-modified: Mon, 02 Mar 2026 08:00:00 GMT'];
    for (const validator of validators) {
      const upstream = await rawUpstream((socket, request) => {
        const isConditional = /\r\nif-(none-match|modified-since): /i.test(request);
        socket.write(isConditional ? head(304, validator, ...lines) : whole(RECORD, 200, validator));
      });
      const { ask } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url) }, 'token');
      const read = async () => ask('{ client(id: 1) { name } }', { headers: { 'x-crm-token': 'crm' } });
      for (let reads = 0; reads < 3; reads += 1) expect(await read()).toEqual({ client: { name: 'Ada' } });
      expect(upstream.received).toHaveLength(3);
    }
  });
});
