import { describe, expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { ask, next, partsOf, rest } from '../support/parts.ts';
import { saysJson } from '../support/stub-crm.ts';
import { heldUpstream, says } from '../support/stub-upstream.ts';
import { sendRaw } from '../server/wire.ts';
import { ada, DEFERRED, ME, slowForum } from './support.ts';

// The head of a response in parts is sent with the first part. Later parts cannot add headers.

const LIST = '/flex/db/book/list';
const CLIENTS = '/app/clients.json';

/** A gateway over one upstream that answers some paths when the test says so. */
async function held(...paths: readonly string[]) {
  const upstream = await heldUpstream(says('[]', { headers: { 'set-cookie': 'flex_key=early' } }), ...paths);
  const address = new URL(upstream.url);
  // An idle connection stays open: one that is closed was closed at the end of its response.
  const KEEP_ALIVE_TIMEOUT_MS = 600_000;
  const settings = { CRM_URL: address, FLEX_COOKIES: ['flex_key'], KEEP_ALIVE_TIMEOUT_MS };
  const over = await gatewayOver(upstream.url, settings);
  return { ...over, upstream };
}

test.each(['multipart/mixed', 'text/event-stream'])('nobody may store an answer in parts: %s', async (accept) => {
  const { ask, forum } = await slowForum();
  const response = await ask(DEFERRED, { headers: { accept } });
  expect(response.headers.get('cache-control')).toBe('private, no-store');
  await forum.answer(ME, ada);
  await response.text();
});

describe('an answer in parts leaves the connection to node', () => {
  const body = JSON.stringify({ query: '{ __typename ... @defer { apiTokens { name } } }' });
  const answered = async (version: string, ...more: string[]) => {
    const { url } = await held();
    const headers = ['host: x', 'accept: multipart/mixed', 'content-type: application/json', ...more];
    const text = await sendRaw(
      url,
      [`POST /graphql HTTP/${version}`, ...headers, `content-length: ${body.length}`],
      body,
    );
    expect(text).toMatch(/"hasNext":false\}\r\n(?:\w+\r\n|)---/);
    return text.slice(0, text.indexOf('\r\n\r\n')).toLowerCase();
  };

  test('a response to HTTP/1.0 has no chunks, and ends with the connection', async () => {
    const head = await answered('1.0');
    expect(head).toContain('connection: close');
    expect(head).not.toContain('transfer-encoding');
  });

  test('the connection is closed when the caller asks for it', async () => {
    const head = await answered('1.1', 'connection: close');
    expect(head).toContain('connection: close');
    expect(head).toContain('transfer-encoding: chunked');
  });
});

test('an event stream with a secret is no-store', async () => {
  const { url } = await held();
  const query = 'mutation { createApiToken(input: { name: "x" }) { __typename } }';
  const response = await ask(url, query, { headers: { accept: 'text/event-stream' } });
  expect(response.headers.get('cache-control')).toBe('private, no-store');
  await response.text();
});

test('a later part may hold a secret', async () => {
  const { url, upstream } = await held(CLIENTS);
  const parts = partsOf(await ask(url, '{ __typename ... @defer { clients { nodes { token } } } }'));
  await next(parts);
  await upstream.answer(CLIENTS, saysJson([{ id: 1, token: 'secret' }]));
  expect(await rest(parts)).toEqual([{ path: [], data: { clients: { nodes: [{ token: 'secret' }] } } }]);
});

test('a cookie of the first part reaches the caller, one of a later part does not, and its field is answered', async () => {
  const { url, upstream } = await held(LIST);
  const query =
    '{ publicFlexDb(code: "other") { list { nodes { id } } } ... @defer { late: publicFlexDb(code: "book") { list { nodes { id } } } } }';
  const response = await ask(url, query);
  const parts = partsOf(response);
  expect(response.headers.getSetCookie()).toEqual(['flex_key=early; Path=/']);
  await next(parts);

  await upstream.answer(LIST, says('[{"id":"7"}]', { headers: { 'set-cookie': 'flex_key=late' } }));
  expect(await rest(parts)).toEqual([
    { path: [], data: { late: { list: { nodes: [{ id: 'PublicFlexRecord:book:7' }] } } } },
  ]);
});
