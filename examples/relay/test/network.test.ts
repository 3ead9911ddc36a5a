// The network of the environment: its credentials, keys, retries and parts, through a proxy that cuts connections.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Environment, fetchQuery } from 'relay-runtime';
import type { Credentials } from 'trivium-kits/connection';
import { outcomeOf } from 'trivium-kits/outcome';
import { connect, write } from 'trivium-kits/relay';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Cut, startCuttingProxy } from '../../cutting-proxy.ts';
import { type Running, startTrivium } from '../../trivium.ts';
import listQuery, { type clientListQuery } from '../src/__generated__/clientListQuery.graphql.ts';
import viewQuery, { type clientViewQuery } from '../src/__generated__/clientViewQuery.graphql.ts';
import createNode, { type createClientMutation } from '../src/__generated__/createClientMutation.graphql.ts';

// A gateway of its own: others reset the sandbox, and records of the same ids would come anew, which receipts know already.
let gateway: Running;
let sandbox: string;
let forum: string;
beforeAll(async () => {
  gateway = await startTrivium(['serve'], { LOG_LEVEL: 'error' });
  [, sandbox = '', forum = ''] = /Sandbox +(http\S+)[^]*?(http\S+) +for the forum/.exec(gateway.banner) ?? [];
});
afterAll(() => gateway.close());

/** An environment whose requests go through a proxy, which cuts the connections of the first ones. */
async function behindProxy(...cuts: readonly (Cut | undefined)[]) {
  const proxy = await startCuttingProxy(gateway.url);
  onTestFinished(() => proxy.close());
  proxy.cutNext(...cuts);
  const environment = connect({ url: proxy.url, credentials: () => ({ token: 'demo-admin' }), delayMs: 20 });
  return { proxy, environment };
}

function create(environment: Environment, name: string, idempotencyKey?: string) {
  return write<createClientMutation>(environment, {
    mutation: createNode,
    variables: { input: { name } },
    cacheConfig: { metadata: { idempotencyKey } },
  }).then((result) => outcomeOf(result));
}

/** How many clients have this name. */
async function countOf(name: string): Promise<number> {
  const response = await fetch(new URL('/app/clients.json?api_token=demo-admin', sandbox));
  const clients = (await response.json()) as { name: string }[];
  return clients.filter((client) => client.name === name).length;
}

async function fail(endpoint: string, fault: object): Promise<void> {
  const body = JSON.stringify({ endpoint, times: 1, ...fault });
  expect((await fetch(new URL('/sandbox/faults', sandbox), { method: 'POST', body })).status).toBe(201);
}

const aKey = expect.stringMatching(/^[\da-f-]{36}$/) as string;

describe('a write', () => {
  test.each<Cut>(['before-request', 'before-status', 'mid-body'])(
    'whose connection is cut %s is sent again with the same key, and made once',
    async (cut) => {
      const { proxy, environment } = await behindProxy(cut);
      expect(await create(environment, `Ada, cut ${cut}`)).toMatchObject({ outcome: 'APPLIED' });
      expect(await countOf(`Ada, cut ${cut}`)).toBe(1);
      expect(proxy.keys).toEqual([aKey, proxy.keys[0]]);
    },
  );

  test('has another key than the write before', async () => {
    const { proxy, environment } = await behindProxy();
    await create(environment, 'Ada');
    await create(environment, 'Ada');
    expect(proxy.keys).toEqual([aKey, aKey]);
    expect(new Set(proxy.keys).size).toBe(2);
  });

  test('keeps the key that its caller gives', async () => {
    const { proxy, environment } = await behindProxy('before-status');
    await create(environment, 'Ada', 'form-7');
    expect(proxy.keys).toEqual(['form-7', 'form-7']);
  });

  test('that may have been made is asked about with the same key, and made once', async () => {
    const { proxy, environment } = await behindProxy();
    await fail('POST /app/clients.json', { applyThenCut: 'before-status' });
    expect(await create(environment, 'Ada, perhaps')).toMatchObject({ outcome: 'APPLIED' });
    expect(await countOf('Ada, perhaps')).toBe(1);
    expect(proxy.keys.length).toBeGreaterThan(1);
    expect(new Set(proxy.keys)).toEqual(new Set([aKey]));
  });

  test('that was refused is not sent again', async () => {
    const { proxy, environment } = await behindProxy();
    expect(await create(environment, '')).toMatchObject({ outcome: 'REFUSED' });
    expect(proxy.keys).toEqual([aKey]);
  });

  test('without any answer is unknown', async () => {
    const cuts = Array.from({ length: 5 }, (): Cut => 'before-status');
    const { proxy, environment } = await behindProxy(...cuts);
    expect(await create(environment, 'Ada, lost')).toMatchObject({ outcome: 'UNKNOWN' });
    expect(proxy.keys).toHaveLength(5);
  });
});

describe('other credentials', () => {
  test('that are there when an answer is lost, are not those of the next attempt: the write is made once', async () => {
    const { proxy } = await behindProxy('before-status');
    const credentials = () => ({ token: proxy.keys.length === 0 ? 'demo-admin' : 'demo-editor' });
    const environment = connect({ url: proxy.url, credentials, delayMs: 20 });
    expect(await create(environment, 'Ada, whose token changes')).toMatchObject({ outcome: 'APPLIED' });
    expect(proxy.keys).toEqual([aKey, proxy.keys[0]]);
    expect(await countOf('Ada, whose token changes')).toBe(1);
  });

  test('are those of the next attempt, with another key, where the ones before are refused', async () => {
    const { environment, proxy } = await renewing();
    await fail('POST /app/clients.json', { status: 401 });
    expect(await create(environment, 'Ada, renewed')).toMatchObject({ outcome: 'APPLIED' });
    expect(proxy.keys).toEqual([aKey, aKey]);
    expect(new Set(proxy.keys).size).toBe(2);
    expect(await countOf('Ada, renewed')).toBe(1);
  });

  test('are not tried where a part of a write is made', async () => {
    const { environment, proxy } = await renewing();
    await fail('POST /app/clients.json', { status: 401 });
    const inputs = [{ name: 'Ada, refused' }, { name: 'Ada, made' }];
    const answer = await execute(environment, 'mutation', createAll, { inputs });
    expect(answer).toMatchObject({ data: { createClients: [null, { name: 'Ada, made' }] } });
    expect(answer).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
    expect(proxy.keys).toEqual([aKey]);
    expect([await countOf('Ada, refused'), await countOf('Ada, made')]).toEqual([0, 1]);
  });

  /** An environment that has another token after a renewal. */
  async function renewing() {
    const { proxy } = await behindProxy();
    let token = 'demo-admin';
    const renew = async () => void (token = 'demo-editor');
    const environment = connect({ url: proxy.url, credentials: () => ({ token }), renew, delayMs: 20 });
    return { proxy, environment };
  }
  const createAll = `mutation ($inputs: [ClientInput!]!) {
    createClients(inputs: $inputs, onFailure: CONTINUE) { __typename ... on Client { id name } }
  }`;
});

describe('a mutation that takes no key', () => {
  const register = 'mutation ($input: CreateForumUserInput!) { createForumUser(input: $input) { __typename } }';
  const credentials = () => ({ token: 'demo-admin', forum: { login: 'demo', password: 'demo' } });
  const newUser = (login: string) => ({ input: { login, password: 'of-the-forum', email: `${login}@forum.example` } });

  test.each([
    ['of its own', 'ada-once', {}, aKey],
    ['of its caller', 'bob-once', { metadata: { idempotencyKey: 'form-7' } }, 'form-7'],
  ])('is sent a second time, without the key %s', async (_case, login, cacheConfig, key) => {
    const { proxy, environment } = await visitorBehindProxy();
    const answer = await executing(environment, 'mutation', register, newUser(login), cacheConfig).toPromise();
    expect(answer).toMatchObject({ data: { createForumUser: { __typename: 'CreatedForumUser' } } });
    expect(answer).not.toHaveProperty('errors');
    expect(proxy.keys).toEqual([key, undefined]);
    expect(await loginsOf(login)).toBe(1);
  });

  test('of a public method is, too, also over a connection with one attempt', async () => {
    const { proxy } = await behindProxy();
    const environment = connect({ url: proxy.url, credentials, attempts: 1 });
    const sign = 'mutation { createPublicFlexRecord(code: "guestbook", data: { message: "Hi" }) { __typename } }';
    const data = { createPublicFlexRecord: { __typename: 'PublicFlexRecord' } };
    expect(await execute(environment, 'mutation', sign)).toMatchObject({ data });
    expect(proxy.keys).toEqual([aKey, undefined]);
  });

  test('is not sent again when the answer of the second time is lost, also where the app says that it keeps to a key', async () => {
    const { proxy } = await behindProxy(undefined, 'before-status');
    const environment = connect({ url: proxy.url, credentials, keyedMutations: ['createForumUser'] });
    await expect(execute(environment, 'mutation', register, newUser('ada-lost'))).rejects.toThrow(Error);
    expect(proxy.keys).toEqual([aKey, undefined]);
    expect(await loginsOf('ada-lost')).toBe(1);
  });

  test('is sent once when there is no answer to the first time', async () => {
    const { proxy, environment } = await visitorBehindProxy('before-status');
    await expect(execute(environment, 'mutation', register, newUser('ada-never'))).rejects.toThrow(Error);
    expect(proxy.keys).toEqual([aKey]);
    expect(await loginsOf('ada-never')).toBe(0);
  });

  test('is not sent again without a key where that is refused, too', async () => {
    const errors = [{ message: 'No key.', extensions: { code: 'IDEMPOTENCY_KEY_NOT_TAKEN', outcome: 'REFUSED' } }];
    let sent = 0;
    const { url } = await serverThat((response) => {
      sent += 1;
      response.end(JSON.stringify({ data: null, errors }));
    });
    expect(await execute(at(url), 'mutation', register, newUser('ada-refused'))).toMatchObject({ errors });
    expect(sent).toBe(2);
  });

  test('beside a write that was made is refused', async () => {
    const { proxy, environment } = await visitorBehindProxy();
    const both = `mutation ($input: CreateForumUserInput!) {
      createForumUser(input: $input) { __typename }
      createClient(input: { name: "Ada beside a user" }) { __typename ... on Client { id } }
    }`;
    const answer = await execute(environment, 'mutation', both, newUser('ada-beside'));
    expect(answer).toMatchObject({ data: { createForumUser: null, createClient: { __typename: 'Client' } } });
    expect(answer).toMatchObject({ errors: [{ extensions: { outcome: 'REFUSED' } }] });
    expect(proxy.keys).toEqual([aKey]);
    expect([await countOf('Ada beside a user'), await loginsOf('ada-beside')]).toEqual([1, 0]);
  });

  async function visitorBehindProxy(...cuts: readonly Cut[]) {
    const { proxy } = await behindProxy(...cuts);
    return { proxy, environment: connect({ url: proxy.url, credentials, delayMs: 20 }) };
  }

  /** How many users of the forum have this login. */
  async function loginsOf(login: string): Promise<number> {
    const headers = { authorization: `Basic ${btoa('demo:demo')}` };
    const team = await (await fetch(new URL('/app/users/team.xml', forum), { headers })).text();
    return team.split(`<login>${login}</login>`).length - 1;
  }
});

test.each([
  ['alone', 'payInvoice(id: 7) { __typename }'],
  [
    'beside one of trivium',
    'first: createClient(input: { name: "{" }) { ... on Client { id } } payInvoice(id: 7) { __typename }',
  ],
])('a mutation of another subgraph has a key, and is sent once, %s', async (_case, fields) => {
  const { proxy, environment } = await behindProxy('before-request');
  await expect(execute(environment, 'mutation', `mutation { ${fields} }`)).rejects.toThrow(Error);
  expect(proxy.keys).toEqual([aKey]);
});

test('a mutation that the app says to keep to its key is sent again', async () => {
  const { proxy } = await behindProxy('before-request');
  const environment = connect({ url: proxy.url, credentials: () => ({}), keyedMutations: ['payInvoice'] });
  await execute(environment, 'mutation', 'mutation { paid: payInvoice(id: 7) { __typename } }');
  expect(proxy.keys).toEqual([aKey, proxy.keys[0]]);
});

describe('an answer', () => {
  const query = '{ clients { totalCount } }';
  const data = { clients: { totalCount: 7 } };

  test.each([{ message: 'Bad gateway' }, null])('%j of a proxy is none: the query is sent again', async (body) => {
    let sent = 0;
    const { url } = await serverThat((response) => {
      sent += 1;
      response.writeHead(sent === 1 ? 502 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(sent === 1 ? body : { data }));
    });
    expect(await execute(at(url, {}), 'query', query)).toMatchObject({ data });
    expect(sent).toBe(2);
  });

  test.each(['boundary="-"; deferSpec=20220824', 'boundary=-;deferSpec=20220824', 'deferSpec=20220824; Boundary=-'])(
    'in parts is read where its type has other parameters: %s',
    async (parameters) => {
      const { url } = await serverThat((response) => {
        response.writeHead(200, { 'content-type': `multipart/mixed; ${parameters}` });
        response.end(`\r\n---\r\n\r\n${JSON.stringify({ data, hasNext: false })}\r\n-----\r\n`);
      });
      expect(await execute(at(url, {}), 'query', query)).toMatchObject({ data });
    },
  );

  test('in parts that is left, as its operation is sent again, is ended before its operation is', async () => {
    const errors = [{ message: 'Busy', extensions: { code: 'OVERLOADED' } }];
    const partOf = (part: object) => `\r\n---\r\n\r\n${JSON.stringify(part)}\r\n---`;
    let left: Promise<unknown> | undefined;
    const { url } = await serverThat((response) => {
      response.writeHead(200, { 'content-type': 'multipart/mixed; boundary="-"' });
      if (left) return void left.then(() => response.end(`${partOf({ data, hasNext: false })}--\r\n`));
      left = once(response, 'close');
      response.write(partOf({ errors, hasNext: true }));
    });
    expect(await execute(at(url, {}), 'query', query)).toMatchObject({ data });
  });

  test('in parts brings the error of a list that lacks rows with the part that brings the list', async () => {
    const crm = await serverThat((response) => void response.end('[{"id":1,"name":"Oak"},{"name":"No id"}]'));
    const own = await startTrivium(['serve'], { CRM_URL: crm.url, LOG_LEVEL: 'error' });
    onTestFinished(() => own.close());
    const deferred = '{ __typename ... @defer(label: "List") { deals(first: 5) { nodes { name } } } }';
    const parts: unknown[] = [];
    await new Promise<void>((resolve, reject) => {
      const answer = executing(at(own.url, { crmToken: 'token' }), 'query', deferred);
      answer.subscribe({ next: (part) => parts.push(part), complete: resolve, error: reject });
    });
    const message = expect.stringContaining('1 of 2 rows was left out') as string;
    expect(parts).toMatchObject([
      { data: { __typename: 'Query' } },
      { label: 'List', data: { deals: { nodes: [{ name: 'Oak' }] } }, errors: [{ path: ['deals'], message }] },
    ]);
    expect(parts[0]).not.toHaveProperty('errors');
  });

  const lost = { data: { clients: null }, errors: [{ message: 'No clients', path: ['clients'] }] };
  test.each(['after', 'before'])('without the next page, %s a row, is an error', async (name) => {
    const { url } = await serverThat((response) => void response.end(JSON.stringify(lost)));
    await expect(execute(at(url, {}), 'query', query, { [name]: 'x' })).rejects.toThrow('No clients');
  });

  test('of a mutation is no next page', async () => {
    const { url } = await serverThat((response) => void response.end(JSON.stringify(lost)));
    expect(await execute(at(url, {}), 'mutation', 'mutation { clients }', { after: 'x' })).toMatchObject(lost);
  });
});

describe('a query', () => {
  test('has no key, and is sent again after a cut connection', async () => {
    const { proxy, environment } = await behindProxy('mid-body');
    await fetchQuery<clientListQuery>(environment, listQuery, {}).toPromise();
    expect(proxy.keys).toEqual([undefined, undefined]);
  });

  test('whose connection is cut between its parts is there in the end, with its deferred part', async () => {
    const { proxy, environment } = await behindProxy('mid-body');
    await new Promise<void>((resolve, reject) => {
      const parts = fetchQuery<clientViewQuery>(environment, viewQuery, { id: 'Client:1' });
      parts.subscribe({ complete: resolve, error: reject });
    });
    expect(proxy.keys).toEqual([undefined, undefined]);
    const records = Object.values(environment.getStore().getSource().toJSON());
    expect(records).toContainEqual(expect.objectContaining({ __typename: 'PostConnection', totalCount: 7 }));
  });

  test('that is left is ended', async () => {
    const { url, asked } = await silentServer();
    const subscription = fetchQuery<clientListQuery>(at(url), listQuery, {}).subscribe({});
    const { response } = await asked;
    subscription.unsubscribe();
    await once(response, 'close');
  });
});

test('all three credentials of the connection are sent', async () => {
  const { url, asked } = await silentServer();
  const credentials = { token: 'demo-editor', crmToken: 'demo-admin', forum: { login: 'ada', password: 'żółć' } };
  const subscription = fetchQuery<clientListQuery>(at(url, credentials), listQuery, {}).subscribe({});
  const { request } = await asked;
  expect(request.headers).toMatchObject({
    authorization: 'Bearer demo-editor',
    'x-crm-token': 'demo-admin',
    'x-forum-authorization': `Basic ${Buffer.from('ada:żółć').toString('base64')}`,
  });
  subscription.unsubscribe();
});

test('an operation whose credentials stay refused is sent five times, and then has its answer', async () => {
  const { proxy } = await behindProxy();
  let renewals = 0;
  const renew = async () => void (renewals += 1);
  const environment = connect({ url: proxy.url, credentials: () => ({ token: `wrong-${renewals}` }), renew });
  const query = fetchQuery<clientListQuery>(environment, listQuery, {}).toPromise();
  await expect(query).resolves.toBeDefined();
  expect([proxy.keys.length, renewals]).toEqual([5, 4]);
});

const at = (url: string, credentials: Credentials = {}) => connect({ url, credentials: () => credentials });

/** Sends an operation that the compiler does not know. */
function executing(
  environment: Environment,
  operationKind: 'query' | 'mutation',
  text: string,
  variables = {},
  cacheConfig = {},
) {
  const request = { id: null, cacheID: text, name: 'test', metadata: {}, operationKind, text };
  return environment.getNetwork().execute(request, variables, cacheConfig);
}

/** Does the same. Resolves with the answer, of one part. */
const execute = (...given: Parameters<typeof executing>) => executing(...given).toPromise();

/** A server that answers like this. */
async function serverThat(answer: (response: ServerResponse) => void) {
  const server = createServer((request, response) => void request.resume().on('end', () => answer(response)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}` };
}

interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** A server that gets a request, and never answers. */
async function silentServer() {
  const server = createServer();
  const asked = new Promise<Asked>((resolve) => {
    server.once('request', (request, response) => resolve({ request, response }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked };
}
