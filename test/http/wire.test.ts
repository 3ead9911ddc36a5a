import { describe, expect, test } from 'vitest';
import { gatewayOver, type Result } from '../support/gateway.ts';
import { rawUpstream } from '../support/stub-upstream.ts';
import { head, JSON_TYPE, ROWS, type Row, sized, type Told, whole, XML_ROWS } from './wire-rows.ts';

const RECORD = '{"id":1,"name":"Ada"}';
const POST = '<post><id>1</id><title>Ada</title></post>';

/** The error code of a read or a list; without an error the name of the record, or the number of rows. */
function shown({ data, errors }: Result): string {
  const [error] = errors;
  if (error) return String(error.extensions['code']);
  const [value]: unknown[] = Object.values(Object(data));
  const [inner]: unknown[] = Object.values(Object(value));
  return String(value === null ? null : Array.isArray(inner) ? inner.length : inner);
}

/** The outcome of a write. */
function outcome({ data, errors }: Result): string {
  const [error] = errors;
  if (error) return String(error.extensions['outcome'] ?? error.extensions['code']);
  const [value]: unknown[] = Object.values(Object(data));
  return String(Reflect.get(Object(value), '__typename')).endsWith('Error') ? 'REFUSED' : 'APPLIED';
}

interface Kind {
  readonly operation: string;
  readonly method: string;
  readonly body: string;
  readonly status: number;
  readonly result: (result: Result) => string;
}

const kind = (operation: string, method: string, body: string, status: number, result: Kind['result']): Kind => ({
  ...{ operation, method, body, status, result },
});
const READ = '{ client(id: 1) { name } }';
const FORUM_READ = '{ forumPost(id: 1) { title } }';

/** An API whose answers are rows: its operations, and what it answers without a row. */
interface OverRows {
  readonly kinds: Readonly<Partial<Record<keyof Told, Kind>>>;
  readonly old: string;
  readonly kept: string;
}

const CRM: OverRows = {
  old: whole('{"id":1,"name":"Old"}', 200),
  kept: whole('{"id":1,"name":"Kept"}', 200, 'etag: "v1"'),
  kinds: {
    read: kind(READ, 'GET', RECORD, 200, shown),
    list: kind('{ clients { nodes { name } } }', 'GET', `[${RECORD}]`, 200, shown),
    again: kind(READ, 'GET', RECORD, 200, shown),
    created: kind('mutation { createClient(input: { name: "Ada" }) { __typename } }', 'POST', RECORD, 201, outcome),
    updated: kind(
      'mutation { updateClient(id: 1, input: { name: "Ada" }) { __typename } }',
      'PUT',
      RECORD,
      200,
      outcome,
    ),
    deleted: kind('mutation { deleteClient(id: 1) { __typename } }', 'DELETE', '{"status":"ok"}', 200, outcome),
  },
};

const suggestion = (title: string) => POST.replace('Ada', title);
const FORUM: OverRows = {
  old: xmlAnswer(suggestion('Old')),
  kept: xmlAnswer(suggestion('Kept'), 'etag: "v1"'),
  kinds: {
    read: kind(FORUM_READ, 'GET', POST, 200, shown),
    list: kind('{ forumPosts { nodes { title } } }', 'GET', `<posts type="array">${POST}</posts>`, 200, shown),
    again: kind(FORUM_READ, 'GET', POST, 200, shown),
    created: kind(
      'mutation { createForumPost(input: { title: "Ada", content: "x" }) { __typename } }',
      ...(['POST', POST, 201, outcome] as const),
    ),
    deleted: kind('mutation { deleteForumPost(id: 1) { __typename } }', 'DELETE', '<ok/>', 200, outcome),
  },
};

function xmlAnswer(body: string, ...lines: string[]): string {
  return head(200, 'content-type: application/xml', `content-length: ${body.length}`, ...lines) + body;
}

/** Runs an operation of each kind, whose request has the row as its answer. All others have the old record. */
async function resultsOf({ bytes, told }: Row, { kinds, old, kept }: OverRows): Promise<Record<string, string>> {
  let answer: (request: string) => string | readonly string[] = () => old;
  const upstream = await rawUpstream((socket, request) => {
    const made = answer(request);
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
  const url = new URL(upstream.url);
  const { execute, reset } = await gatewayOver(upstream.url, { CRM_URL: url, FORUM_URL: url }, 'token');
  const run = async (operation: string) =>
    execute(operation, { headers: { 'x-crm-token': 'crm', 'x-forum-authorization': 'Basic YTpi' } });
  const results: [string, string][] = [];
  for (const [name, { operation, method, body, status, result }] of Object.entries(kinds)) {
    await reset();
    answer = () => kept;
    if (name === 'again') await run(operation);
    answer = (request) => (request.startsWith(method) ? bytes(body, status) : old);
    results.push([name, result(await run(operation))]);
  }
  return Object.fromEntries(results);
}

test.each(ROWS)('$source: $name', async (row) => {
  expect(await resultsOf(row, CRM)).toEqual(row.told);
});

test.each(XML_ROWS)('of the forum: $source: $name', async (row) => {
  const { updated: _none, ...told } = row.told; // the forum has no update
  expect(await resultsOf(row, FORUM)).toEqual(told);
});

test('there are 120 of them at least, of different names', () => {
  expect(new Set(ROWS.map(({ name }) => name)).size).toBe(ROWS.length);
  expect(ROWS.length).toBeGreaterThanOrEqual(120);
});

test('each response of a kept connection may have interim ones before it', async () => {
  const connections = new Set<unknown>();
  const upstream = await rawUpstream((socket) => {
    connections.add(socket);
    socket.write(head('100 Continue') + whole(RECORD, 200));
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
