import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { stoppedClock } from '../support/clock.ts';
import { HELD, heldDeadlines } from '../support/deadlines.ts';
import { gatewayOver } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

// Identical reads of one credential that are under way at the same time share one call.

interface Call {
  /** Such as `GET /app/clients/1.json`. */
  readonly name: string;
  readonly request: IncomingMessage;
  readonly token: string;
  readonly response: ServerResponse;
  /** Whether the gateway gave it up. */
  isGivenUp: boolean;
}

/** APIs at one address that answer when they are told to, and a gateway over them. Time passes when the test says so. */
async function heldApis(settings: Partial<Config> = {}) {
  const { pass } = stoppedClock();
  const calls: Call[] = [];
  const upstream = await stubUpstream((request, response) => {
    const url = new URL(request.url ?? '', 'http://stub');
    const token = url.searchParams.get('api_token') ?? request.headers.authorization ?? '';
    const call: Call = { name: `${request.method} ${url.pathname}`, request, token, response, isGivenUp: false };
    response.once('close', () => (call.isGivenUp = !response.writableFinished));
    calls.push(call);
  });
  const address = new URL(upstream.url);
  const urls = { CRM_URL: address, FLEX_URL: address, FORUM_URL: address };
  const over = await gatewayOver(upstream.url, { ...urls, ...HELD, UPSTREAM_CONNECTIONS: 500, ...settings }, 'token');
  const named = (name: string) => calls.filter((call) => call.name === name);
  return {
    ...over,
    pass,
    named,
    /** Waits until so many calls of this name have arrived. */
    arrived: async (name: string, count: number) => {
      await expect.poll(() => named(name).length).toBe(count);
      return named(name);
    },
  };
}

function answer({ response }: Call, body: unknown, status = 200): void {
  if (response.writableEnded) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/**
 * Reads the client 1 and a contact that nobody else reads. Reads of one operation are sent in this order, so the call for
 * the contact says that the client was asked for, too.
 */
const clientAnd = (contact: number) => `{ client(id: 1) { name } contact(id: ${contact}) { name } }`;
const CLIENT = 'GET /app/clients/1.json';
const DEAL = 'GET /app/deals/7.json';
const contactCall = (contact: number) => `GET /app/contacts/${contact}.json`;
const crm = (token: string, more: Record<string, string> = {}) => ({ headers: { 'x-crm-token': token, ...more } });

/** Answers all calls with the name of their token's owner. */
function answerAll(calls: readonly Call[]): void {
  for (const call of calls) {
    const [id = '1'] = /\d+/.exec(call.name) ?? [];
    answer(call, { id, name: `of ${call.token}` });
  }
}

test('200 callers at once never see the answer to another credential, and two of one share a call', async () => {
  const apis = await heldApis();
  const callers = Array.from({ length: 200 }, (_none, index) => ({
    contact: index + 1,
    token: `token-${index % 100}`,
  }));

  const results = callers.map(({ contact, token }) => apis.execute(clientAnd(contact), crm(token)));
  for (const { contact } of callers) await apis.arrived(contactCall(contact), 1);
  const calls = apis.named(CLIENT);
  answerAll(calls);
  for (const { contact } of callers) answerAll(apis.named(contactCall(contact)));

  expect(new Set(calls.map(({ token }) => token)).size).toBe(100);
  expect(calls).toHaveLength(100);
  for (const [index, { data }] of (await Promise.all(results)).entries()) {
    const name = `of ${callers[index]?.token}`;
    expect(data).toEqual({ client: { name }, contact: { name } });
  }
});

test('lists are shared, too: each operation selects what it likes, and counts the call that it joins', async () => {
  const apis = await heldApis();
  const list = 'GET /app/clients.json';
  const results = [
    apis.execute('{ clients { totalCount } contact(id: 1) { name } }', crm('a')),
    apis.execute('{ clients(first: 1) { nodes { name } } contact(id: 2) { name } }', crm('a')),
  ];
  for (const contact of [1, 2]) answerAll(await apis.arrived(contactCall(contact), 1));
  for (const call of await apis.arrived(list, 1)) answer(call, [{ id: 1, name: 'One' }, { id: 2 }]);
  expect(await Promise.all(results)).toMatchObject([
    { data: { clients: { totalCount: 2 } }, errors: [] },
    { data: { clients: { nodes: [{ name: 'One' }] } }, errors: [] },
  ]);
  const lines = apis.logs.filter((line) => line.includes('"msg":"operation"')).map((line): unknown => JSON.parse(line));
  expect(lines).toMatchObject([{ upstreamCalls: 2 }, { upstreamCalls: 2 }]);
});

test('whether a kept answer still holds is asked once by two reads at the same time', async () => {
  const apis = await heldApis();
  const answers = { etag: '"v1"', 'content-type': 'application/json' };
  const first = apis.execute('{ client(id: 1) { name } }', crm('a'));
  for (const { response } of await apis.arrived(CLIENT, 1))
    response.writeHead(200, answers).end('{"id":1,"name":"kept"}');
  await first;
  const results = [1, 2].map((contact) => apis.execute(clientAnd(contact), crm('a')));
  for (const contact of [1, 2]) answerAll(await apis.arrived(contactCall(contact), 1));
  const [, question, another] = apis.named(CLIENT);
  expect([question?.request.headers['if-none-match'], another]).toEqual(['"v1"', undefined]);
  question?.response.writeHead(304).end();
  for (const { data } of await Promise.all(results)) expect(data).toMatchObject({ client: { name: 'kept' } });
});

const WRITE = 'mutation { createContact(input: { name: "x" }) { __typename } }';

test('a read that was begun before a write is joined neither after the write began nor after it ended', async () => {
  const apis = await heldApis();
  const read = async (contact: number, count: number) => {
    const result = apis.execute(clientAnd(contact), crm('a'));
    for (const call of await apis.arrived(contactCall(contact), 1)) answer(call, { id: contact });
    expect(apis.named(CLIENT)).toHaveLength(count);
    return { result };
  };

  const before = await read(1, 1);
  const writing = apis.execute(WRITE, crm('a'));
  const [write] = await apis.arrived('POST /app/contacts.json', 1);
  const during = await read(2, 2);
  const duringToo = await read(3, 2); // begun in the same generation
  if (write) answer(write, { id: 7 }, 201);
  await writing;
  const after = await read(4, 3);

  for (const [index, call] of apis.named(CLIENT).entries()) answer(call, { id: 1, name: `state ${index}` });
  const seen = await Promise.all([before, during, duringToo, after].map(({ result }) => result));
  expect(seen.map(({ data }) => data)).toMatchObject(
    ['state 0', 'state 1', 'state 1', 'state 2'].map((name) => ({ client: { name } })),
  );
});

test.each([
  ['that changes what is read, by another credential', WRITE, 'POST /app/contacts.json', 'b', 2],
  [
    'of a field of the account, which may change who reads what, at another API',
    'mutation { enableDashboards { __typename } }',
    'POST /account/set_field.json',
    'b',
    2,
  ],
  [
    'of something else',
    'mutation { createContactList(name: "x") { __typename } }',
    'POST /app/contact_lists.json',
    'a',
    1,
  ],
])('after a write %s, a read has a call of its own or joins one', async (_name, write, endpoint, token, calls) => {
  const apis = await heldApis();
  const first = apis.execute(clientAnd(1), crm('a'));
  await apis.arrived(contactCall(1), 1);
  const writing = apis.execute(write, crm(token, { authorization: 'Bearer any' }));
  for (const call of await apis.arrived(endpoint, 1)) answer(call, { id: 7 }, 201);
  await writing;
  const second = apis.execute(clientAnd(2), crm('a'));
  await apis.arrived(contactCall(2), 1);

  expect(apis.named(CLIENT)).toHaveLength(calls);
  answerAll([...apis.named(CLIENT), ...apis.named(contactCall(1)), ...apis.named(contactCall(2))]);
  await Promise.all([first, second]);
});

test.each<[string, string, string, Partial<Config>]>([
  ['a read with SHARE_READS=false', '{ client(id: 1) { name } }', CLIENT, { SHARE_READS: 'false' }],
  ['a read of API tokens: a new one must be seen', '{ apiTokens { name } }', 'GET /account/api_tokens.json', {}],
  [
    'a search of public records',
    '{ publicFlexDb(code: "shop") { search { nodes { id } } } }',
    'POST /flex/db/shop/search',
    {},
  ],
])('%s is a call of its own', async (_name, query, endpoint, settings) => {
  const apis = await heldApis(settings);
  const results = [1, 2].map(() => apis.execute(query, crm('a', { authorization: 'Bearer any' })));
  for (const call of await apis.arrived(endpoint, 2)) answer(call, []);
  await Promise.all(results);
});

/** An operation whose caller can leave. */
function leavingCaller(url: string, query: string, token: string) {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const left = fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-crm-token': token },
    body: JSON.stringify({ query }),
    signal: leaving.signal,
  }).then(
    () => 'answered',
    () => 'left',
  );
  return { left, leave: () => leaving.abort() };
}

const goneLines = (logs: readonly string[]) => logs.filter((line) => line.includes('CALLER_GONE'));

test('a caller that leaves cancels the read of nobody else; the call ends when the last one has left', async () => {
  const apis = await heldApis();
  const callers = [1, 2, 3].map((contact) => leavingCaller(apis.url, clientAnd(contact), 'a'));
  for (const contact of [1, 2, 3]) await apis.arrived(contactCall(contact), 1);
  const [call] = apis.named(CLIENT);
  const [first, second, third] = callers;

  first?.leave(); // whose call it is
  await expect.poll(() => goneLines(apis.logs)).toHaveLength(1);
  expect(call?.isGivenUp).toBe(false);
  second?.leave();
  await expect.poll(() => goneLines(apis.logs)).toHaveLength(2);
  expect(call?.isGivenUp).toBe(false);
  third?.leave();
  await expect.poll(() => call?.isGivenUp).toBe(true);

  const anew = apis.execute('{ client(id: 1) { name } }', crm('a'));
  answerAll(await apis.arrived(CLIENT, 2));
  expect((await anew).data).toEqual({ client: { name: 'of a' } });
});

/** Two operations share the read of a client. The client of the one that started the call has disconnected. */
async function withoutTheFirst(apis: Awaited<ReturnType<typeof heldApis>>) {
  const { leave } = leavingCaller(apis.url, clientAnd(1), 'a');
  await apis.arrived(contactCall(1), 1);
  const other = apis.execute(clientAnd(2), crm('a'));
  await apis.arrived(contactCall(2), 1);
  leave();
  await expect.poll(() => goneLines(apis.logs)).toHaveLength(1);
  return { other };
}

test('the others are answered when the caller whose call it is has left', async () => {
  const apis = await heldApis();
  const { other: stays } = await withoutTheFirst(apis);
  answerAll([...apis.named(CLIENT), ...apis.named(contactCall(2))]);
  expect(await stays).toMatchObject({ data: { client: { name: 'of a' } }, errors: [] });
  expect(apis.named(CLIENT)).toHaveLength(1);
});

test.each([
  [429, 'asked to slow down'],
  [503, 'has failed too often at this endpoint'],
])('a %i with a time is heeded also when the caller whose call it was has left', async (status, message) => {
  const apis = await heldApis();
  const { other: stays } = await withoutTheFirst(apis);
  answerAll(apis.named(contactCall(2)));
  for (const { response } of apis.named(CLIENT)) response.writeHead(status, { 'retry-after': '30' }).end();
  await stays;
  const later = await apis.execute('{ client(id: 1) { name } }', crm('a'));
  expect(later.errors).toMatchObject([{ message: expect.stringContaining(message) }]);
  expect(apis.named(CLIENT)).toHaveLength(1);
});

test.each([401, 403])(
  'a %i evicts the cached responses of its credential also when the caller whose call it was has left',
  async (status) => {
    const apis = await heldApis();
    const deal = () => apis.execute('{ deal(id: 7) { name } }', crm('a'));
    const first = deal();
    for (const { response } of await apis.arrived(DEAL, 1))
      response.writeHead(200, { etag: '"v1"', 'content-type': 'application/json' }).end('{"id":7,"name":"cached"}');
    await first;

    const { other } = await withoutTheFirst(apis);
    answerAll(apis.named(contactCall(2)));
    for (const { response } of apis.named(CLIENT)) response.writeHead(status).end();
    await other;

    const again = deal();
    const [, call] = await apis.arrived(DEAL, 2);
    expect(call?.request.headers['if-none-match']).toBeUndefined();
    answerAll(apis.named(DEAL));
    await again;
  },
);

test('a refusal is told to each caller without the secrets of that caller', async () => {
  const apis = await heldApis();
  const passwords = ['first-password', 'second-password'];
  const results = passwords.map((password, index) => {
    const login = Buffer.from(`user:${password}`).toString('base64');
    return apis.execute(clientAnd(index + 1), crm('secret-token', { 'x-forum-authorization': `Basic ${login}` }));
  });
  for (const contact of [1, 2]) answerAll(await apis.arrived(contactCall(contact), 1));
  for (const call of await apis.arrived(CLIENT, 1)) {
    answer(call, { message: 'first-password is wrong' }, 422);
  }
  const messages = (await Promise.all(results)).map(({ errors }) => errors[0]?.message);
  expect(messages).toEqual(['The crm API refused the input.', 'first-password is wrong']);
});

test.each([
  ['before anything is known of its endpoint', 0, 2],
  ['once its endpoint is known', 1, 0],
])('of a caller who polls, a read without an answer fails alone: %s', async (_when, answered, joined) => {
  const deadlines = heldDeadlines();
  const { execute, arrived, pass, metrics } = await heldApis({ ...HELD, METRICS_PORT: 0 });
  const poll = () => execute('{ client(id: 1) { name } }', crm('a'));
  const healthy = async (count: number) => {
    const result = poll();
    answerAll((await arrived(CLIENT, count)).slice(count - 1));
    expect((await result).data).toEqual({ client: { name: 'of a' } });
  };
  for (let count = 1; count <= answered; count += 1) await healthy(count);

  const failing = [poll()];
  await arrived(CLIENT, answered + 1);
  for (let at = 0; at < joined; at += 1) {
    pass(500);
    failing.push(poll());
    await joinedReads(metrics, at + 1);
  }
  for (let count = answered + 2; count < answered + 12; count += 1) {
    pass(500);
    await healthy(count);
  }

  await deadlines.comeWhen(1);
  for (const { errors } of await Promise.all(failing)) {
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_TIMEOUT' } }]);
  }
  expect(await metrics()).toMatch(/trivium_upstream_calls_total\{api="crm",[^}]*status="timeout"\} 1\n/);
});

async function joinedReads(metrics: () => Promise<string>, count: number) {
  await expect.poll(metrics).toMatch(new RegExp(`trivium_upstream_shared_reads_total\\{api="crm"\\} ${count}\n`));
}
