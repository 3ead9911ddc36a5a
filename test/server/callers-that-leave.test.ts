import { type RequestListener, ServerResponse } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { HELD } from '../support/deadlines.ts';
import { gatewayOver } from '../support/gateway.ts';
import { clientsUpTo, saysJson } from '../support/stub-crm.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

// A caller that closes the connection: its reads are given up and none starts any more; a write that was sent goes on.

/** An upstream that answers lists at once, and everything else when the test says so. */
async function holding(lists: RequestListener) {
  const held: { readonly call: string; readonly response: ServerResponse }[] = [];
  let closed = 0;
  const upstream = await stubUpstream((request, response) => {
    if (request.method === 'GET' && !/\d+\.json/.test(request.url ?? '')) return lists(request, response);
    response.once('close', () => (closed += Number(!response.writableFinished)));
    held.push({ call: `${request.method} ${request.url?.split('?')[0]}`, response });
  });
  return { ...upstream, held, closed: () => closed };
}

/** A request whose caller can leave. */
function send(url: string, query: string, headers: Readonly<Record<string, string>> = {}) {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const answer = fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer token', ...headers },
    body: JSON.stringify({ query }),
    signal: leaving.signal,
  }).then(
    (response) => response.text(),
    () => 'left',
  );
  return { answer, leave: () => leaving.abort() };
}

const posts = Array.from({ length: 300 }, (_none, index) => ({ id: index + 1, client_id: index + 1 }));
const CLIENTS_OF_POSTS = '{ posts(first: 300) { nodes { client { name } } } }';

/** The log line of the one operation, once it is written. */
async function lineOf(logs: readonly string[]): Promise<unknown> {
  await expect.poll(() => logs.filter((line) => line.includes('"msg":"operation"'))).toHaveLength(1);
  return JSON.parse(logs.find((line) => line.includes('"msg":"operation"')) ?? '');
}

/** A caller of 300 posts whose clients are read by id, eight of them at once, which have come. */
async function callerOfReads() {
  const upstream = await holding(saysJson(posts));
  const settings = { CRM_URL: new URL(upstream.url), BATCH_READS: 'by-id', READS_AT_ONCE: 8 } as const;
  const { url, logs } = await gatewayOver(upstream.url, { ...settings, ...HELD });
  const caller = send(url, CLIENTS_OF_POSTS);
  await expect.poll(() => upstream.held).toHaveLength(8);
  return { ...caller, upstream, logs };
}

test('open reads are given up when their caller leaves, and no further one starts', async () => {
  const { answer, leave, upstream, logs } = await callerOfReads();

  leave();
  expect(await answer).toBe('left');
  await expect.poll(() => upstream.closed()).toBe(8);

  expect(await lineOf(logs)).toMatchObject({ upstreamCalls: 9, errors: { CALLER_GONE: 300 } });
  expect(upstream.held).toHaveLength(8);
});

test('no response is made for a caller that has left', async () => {
  const head = vi.spyOn(ServerResponse.prototype, 'writeHead');
  onTestFinished(() => head.mockRestore());
  const { leave, logs } = await callerOfReads();

  leave();

  await lineOf(logs);
  const urls = head.mock.contexts.map((response) => response instanceof ServerResponse && response.req.url);
  expect(urls).not.toContain('/graphql');
});

test('a list that is being read is given up when its caller leaves', async () => {
  let response: ServerResponse | undefined;
  const upstream = await holding((_request, open) => {
    response = open;
    open.writeHead(200, { 'content-type': 'application/json' }).write('[{"id":1}');
  });
  const { url, logs } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url) });
  const { leave } = send(url, '{ clients { totalCount } }');
  await expect.poll(() => response?.headersSent).toBe(true);

  leave();

  await expect.poll(() => response?.destroyed, { interval: 5 }).toBe(true);
  expect(await lineOf(logs)).toMatchObject({ errors: { CALLER_GONE: 1 } });
});

test.each([
  ['APPLIED', 201, { id: 7 }],
  ['REFUSED', 422, { name: ['is odd'] }],
  ['UNKNOWN', 503, {}],
] as const)(
  'a write that was sent goes on when its caller leaves, what became of it (%s) is logged, and no further one starts',
  async (outcome, status, body) => {
    const upstream = await holding(saysJson([]));
    const { url, logs } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url) });
    const { leave } = send(
      url,
      'mutation { a: createContact(input: { name: "a" }) { __typename } b: createContact(input: { name: "b" }) { __typename } }',
    );
    await expect.poll(() => upstream.held).toHaveLength(1);

    leave();
    await expect(fetch(`${url}/graphql?query={__typename}`).then(({ status }) => status)).resolves.toBe(200);
    expect(upstream.closed()).toBe(0);
    const [first] = upstream.held;
    first?.response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

    await expect.poll(() => logs.filter((line) => line.includes('its caller had left'))).toHaveLength(1);
    const late: unknown = JSON.parse(logs.find((line) => line.includes('its caller had left')) ?? '');
    expect(late).toMatchObject({ level: 40, api: 'crm', endpoint: 'POST /app/contacts.json', outcome });
    await expect.poll(() => logs.some((line) => line.includes('CALLER_GONE'))).toBe(true);
    expect(upstream.held).toHaveLength(1);
  },
);

test('a write that waits for a connection is not sent any more when its caller leaves', async () => {
  const upstream = await holding(saysJson([]));
  const { url, logs } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url), UPSTREAM_CONNECTIONS: 1 });
  const mutation = (name: string) => `mutation { createContact(input: { name: "${name}" }) { __typename } }`;
  const first = send(url, mutation('first'));
  await expect.poll(() => upstream.held).toHaveLength(1);
  const second = send(url, mutation('second'));
  await expect(fetch(`${url}/graphql?query={__typename}`).then(({ status }) => status)).resolves.toBe(200);

  second.leave();
  await expect.poll(() => logs.some((line) => line.includes('CALLER_GONE'))).toBe(true);

  for (const { response } of upstream.held) saysJson({ id: 1 }, 201)(response.req, response);
  await first.answer;
  expect(upstream.received).toEqual(['POST /app/contacts.json']);
});

test('a caller that stays is answered while others leave', async () => {
  const upstream = await holding(saysJson(clientsUpTo(3)));
  const { url, execute } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url) }, 'token');
  const leaving = Array.from({ length: 20 }, (_none, id) => send(url, `{ client(id: ${id + 1}) { name } }`));
  await expect.poll(() => upstream.held).toHaveLength(20);
  const staying = execute('{ clients { totalCount } }');
  for (const { leave } of leaving) leave();
  expect(await staying).toMatchObject({ data: { clients: { totalCount: 3 } }, errors: [] });
});
