import { outcomeOf } from 'trivium-kits/outcome';
import { askAgain, connect } from 'trivium-kits/urql';
import { createRequest, gql, makeErrorResult, makeOperation, type Operation } from 'urql';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fromValue, map, pipe, subscribe } from 'wonka';
import { type Cut, startCuttingProxy } from '../../cutting-proxy.ts';
import { type Running, startTrivium } from '../../trivium.ts';
import { newCache } from '../src/cache';
import { CreateClientDocument } from '../src/documents';

const query = gql('{ clients(first: 1) { totalCount } }');

// A gateway of its own: others reset the sandbox, and records of the same ids would come anew, which receipts know already.
let gateway: Running;
let sandbox: string;
let forum: string;
beforeAll(async () => {
  gateway = await startTrivium(['serve'], { LOG_LEVEL: 'error' });
  [, sandbox = '', forum = ''] = /Sandbox +(http\S+)[^]*?(http\S+) +for the forum/.exec(gateway.banner) ?? [];
});
afterAll(() => gateway.close());

/** The client of the app, whose requests go through a proxy, which cuts the connections of the first ones. */
async function appBehindProxy(cuts: readonly (Cut | undefined)[] = [], isKeyed = true) {
  const proxy = await startCuttingProxy(gateway.url, isKeyed);
  onTestFinished(() => proxy.close());
  proxy.cutNext(...cuts);
  const client = connect({ url: proxy.url, credentials: () => ({ token: 'demo-admin' }) }, newCache());
  const create = (name: string, headers?: Record<string, string>) =>
    client.mutation(CreateClientDocument, { input: { name } }, headers && { fetchOptions: { headers } });
  return { proxy, client, create };
}

/** The next creation of a client fails like this. */
async function failCreation(fault: object): Promise<void> {
  const body = JSON.stringify({ endpoint: 'POST /app/clients.json', times: 1, ...fault });
  const response = await fetch(new URL('/sandbox/faults', sandbox), { method: 'POST', body });
  expect(response.status).toBe(201);
}

/** How many clients have this name. */
async function countOf(name: string): Promise<number> {
  const response = await fetch(new URL('/app/clients.json?api_token=demo-admin', sandbox));
  const clients = (await response.json()) as { name: string }[];
  return clients.filter((client) => client.name === name).length;
}

const aKey = expect.stringMatching(/^[\da-f-]{36}$/) as string;

test('all three credentials of the connection are sent', async () => {
  const credentials = { token: 'demo-editor', crmToken: 'demo-admin', forum: { login: 'demo', password: 'demo' } };
  const client = connect({ url: gateway.url, credentials: () => credentials }, newCache());
  const { data, error } = await client.query(gql('{ forumMe { name } clients { totalCount } flexDbs { id } }'), {});
  expect(error).toBeUndefined();
  expect(data).toMatchObject({ forumMe: {}, clients: {}, flexDbs: expect.any(Array) as unknown[] });
});

test('an operation whose credentials stay refused is sent five times, and then has its answer', async () => {
  const { proxy } = await appBehindProxy();
  let renewals = 0;
  const renew = async () => void (renewals += 1);
  const client = connect({ url: proxy.url, credentials: () => ({ token: `wrong-${renewals}` }), renew }, newCache());
  const { error } = await client.query(query, {});
  expect(error?.graphQLErrors[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED' });
  expect([proxy.keys.length, renewals]).toEqual([5, 4]);
});

describe('a write', () => {
  test.each<Cut>(['before-request', 'before-status', 'mid-body'])(
    'whose connection is cut %s is sent again with the same key, and made once',
    async (cut) => {
      const { proxy, create } = await appBehindProxy([cut]);
      const { data, error } = await create(`Ada, cut ${cut}`);
      expect(error).toBeUndefined();
      expect(data?.createClient).toMatchObject({ __typename: 'Client', name: `Ada, cut ${cut}` });
      expect(await countOf(`Ada, cut ${cut}`)).toBe(1);
      const [key] = proxy.keys;
      expect(proxy.keys).toEqual([aKey, key]);
    },
  );

  test('whose connection is cut before the status would be made twice without its key', async () => {
    const { create } = await appBehindProxy(['before-status'], false);
    await create('Ada without a key');
    expect(await countOf('Ada without a key')).toBe(2);
  });

  test('has another key than the write before', async () => {
    const { proxy, create } = await appBehindProxy();
    await create('Ada');
    await create('Ada');
    expect(proxy.keys).toEqual([aKey, aKey]);
    expect(new Set(proxy.keys).size).toBe(2);
  });

  test('keeps the key that its caller gives', async () => {
    const { proxy, create } = await appBehindProxy(['before-status']);
    await create('Ada', { 'idempotency-key': 'form-7' });
    expect(proxy.keys).toEqual(['form-7', 'form-7']);
  });

  test.each(['before-status', 'mid-body'])(
    'that may have been made, its answer cut %s between the gateway and the API, is asked about with the same key, and made once',
    async (applyThenCut) => {
      const { proxy, create } = await appBehindProxy();
      await failCreation({ applyThenCut });
      const name = `Ada, whose answer is cut ${applyThenCut}`;
      const { data, error } = await create(name);
      expect(error).toBeUndefined();
      expect(data?.createClient).toMatchObject({ __typename: 'Client', name });
      expect(await countOf(name)).toBe(1);
      expect(proxy.keys.length).toBeGreaterThan(1);
      expect(new Set(proxy.keys)).toEqual(new Set([aKey]));
    },
  );

  test('that was refused is not sent again', async () => {
    const { proxy, create } = await appBehindProxy();
    await create('');
    await failCreation({ status: 403 });
    await create('Ada');
    expect(proxy.keys).toEqual([aKey, aKey]);
  });
});

describe('other credentials', () => {
  test('that are there when an answer is lost, are not those of the next attempt: the write is made once', async () => {
    const { proxy } = await appBehindProxy(['before-status']);
    const credentials = () => ({ token: proxy.keys.length === 0 ? 'demo-admin' : 'demo-editor' });
    const client = connect({ url: proxy.url, credentials }, newCache());
    const input = { name: 'Ada, whose token changes' };
    expect(await client.mutation(CreateClientDocument, { input })).toMatchObject({ data: { createClient: input } });
    expect(proxy.keys).toEqual([aKey, proxy.keys[0]]);
    expect(await countOf(input.name)).toBe(1);
  });

  test('are those of the next attempt, with another key, where the ones before are refused', async () => {
    const { client, proxy } = await appThatRenews();
    await failCreation({ status: 401 });
    const input = { name: 'Ada, renewed' };
    expect(await client.mutation(CreateClientDocument, { input })).toMatchObject({ data: { createClient: input } });
    expect(proxy.keys).toEqual([aKey, aKey]);
    expect(new Set(proxy.keys).size).toBe(2);
    expect(await countOf(input.name)).toBe(1);
  });

  test('are not tried where a part of a write is made', async () => {
    const { client, proxy } = await appThatRenews();
    await failCreation({ status: 401 });
    const inputs = [{ name: 'Ada, refused' }, { name: 'Ada, made' }];
    const { data, error } = await client.mutation(createAll, { inputs });
    expect(data).toMatchObject({ createClients: [null, { name: 'Ada, made' }] });
    expect(error?.graphQLErrors[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(proxy.keys).toEqual([aKey]);
    expect([await countOf('Ada, refused'), await countOf('Ada, made')]).toEqual([0, 1]);
  });

  /** A client that has another token after a renewal. */
  async function appThatRenews() {
    const { proxy } = await appBehindProxy();
    let token = 'demo-admin';
    const renew = async () => void (token = 'demo-editor');
    return { proxy, client: connect({ url: proxy.url, credentials: () => ({ token }), renew }, newCache()) };
  }
  const createAll = gql(`mutation ($inputs: [ClientInput!]!) {
    createClients(inputs: $inputs, onFailure: CONTINUE) { __typename ... on Client { id name } }
  }`);
});

describe('a mutation that takes no key', () => {
  const register = gql('mutation ($input: CreateForumUserInput!) { createForumUser(input: $input) { __typename } }');
  const credentials = () => ({ token: 'demo-admin', forum: { login: 'demo', password: 'demo' } });
  const newUser = (login: string) => ({ input: { login, password: 'of-the-forum', email: `${login}@forum.example` } });

  test.each([
    ['of its own', 'ada-once', undefined, aKey],
    ['of its caller', 'bob-once', { fetchOptions: { headers: { 'Idempotency-Key': 'form-7' } } }, 'form-7'],
  ])('is sent a second time, without the key %s', async (_case, login, context, key) => {
    const { proxy, client } = await visitorBehindProxy();
    const { data, error } = await client.mutation(register, newUser(login), context);
    expect(error).toBeUndefined();
    expect(data).toEqual({ createForumUser: { __typename: 'CreatedForumUser' } });
    expect(proxy.keys).toEqual([key, undefined]);
    expect(await loginsOf(login)).toBe(1);
  });

  test('of a public method is, too, also over a connection with one attempt', async () => {
    const { proxy } = await appBehindProxy();
    const client = connect({ url: proxy.url, credentials, attempts: 1 }, newCache());
    const sign = gql('mutation { createPublicFlexRecord(code: "guestbook", data: { message: "Hi" }) { __typename } }');
    expect(outcomeOf(await client.mutation(sign, {})).outcome).toBe('APPLIED');
    expect(proxy.keys).toEqual([aKey, undefined]);
  });

  test('is not sent again when the answer of the second time is lost, also where the app says that it keeps to a key', async () => {
    const { proxy } = await appBehindProxy([undefined, 'before-status']);
    const connection = { url: proxy.url, credentials, keyedMutations: ['createForumUser'] };
    const result = await connect(connection, newCache()).mutation(register, newUser('ada-lost'));
    expect(outcomeOf(result).outcome).toBe('UNKNOWN');
    expect(proxy.keys).toEqual([aKey, undefined]);
    expect(await loginsOf('ada-lost')).toBe(1);
  });

  test('is sent once when there is no answer to the first time', async () => {
    const { proxy, client } = await visitorBehindProxy(['before-status']);
    const { error } = await client.mutation(register, newUser('ada-never'));
    expect(error?.networkError).toBeInstanceOf(Error);
    expect(proxy.keys).toEqual([aKey]);
    expect(await loginsOf('ada-never')).toBe(0);
  });

  test('is not sent again without a key where that is refused, too', async () => {
    const errors = [{ message: 'No key.', extensions: { code: 'IDEMPOTENCY_KEY_NOT_TAKEN', outcome: 'REFUSED' } }];
    const send = vi.fn<typeof fetch>(() => Promise.resolve(Response.json({ data: null, errors })));
    const client = connect({ url: gateway.url, credentials }, newCache());
    const result = await client.mutation(register, newUser('ada-refused'), { fetch: send });
    expect(outcomeOf(result)).toMatchObject({ outcome: 'REFUSED', message: 'No key.' });
    expect(send).toHaveBeenCalledTimes(2);
  });

  test('beside a write that was made is refused', async () => {
    const { proxy, client } = await visitorBehindProxy();
    const both = gql(`mutation ($input: CreateForumUserInput!) {
      createForumUser(input: $input) { __typename }
      createClient(input: { name: "Ada beside a user" }) { __typename ... on Client { id } }
    }`);
    const result = await client.mutation(both, newUser('ada-beside'));
    expect(outcomeOf(result, 'createClient').outcome).toBe('APPLIED');
    expect(outcomeOf(result, 'createForumUser').outcome).toBe('REFUSED');
    expect(proxy.keys).toEqual([aKey]);
    expect([await countOf('Ada beside a user'), await loginsOf('ada-beside')]).toEqual([1, 0]);
  });

  async function visitorBehindProxy(cuts: readonly Cut[] = []) {
    const { proxy } = await appBehindProxy(cuts);
    return { proxy, client: connect({ url: proxy.url, credentials }, newCache()) };
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
    'first: createClient(input: { name: "Ada" }) { __typename } payInvoice(id: 7) { __typename }',
  ],
])('a mutation of another subgraph has a key, and is sent once, %s', async (_case, fields) => {
  const { proxy, client } = await appBehindProxy(['before-request']);
  const { error } = await client.mutation(gql(`mutation { ${fields} }`), {});
  expect(error?.networkError).toBeInstanceOf(Error);
  expect(proxy.keys).toEqual([aKey]);
});

test('a mutation that the app says to keep to its key is sent again', async () => {
  const { proxy } = await appBehindProxy(['before-request']);
  const credentials = () => ({ token: 'demo-admin' });
  const client = connect({ url: proxy.url, credentials, keyedMutations: ['payInvoice'] }, newCache());
  await client.mutation(gql('mutation { payInvoice(id: 7) { __typename } }'), {});
  expect(proxy.keys).toEqual([aKey, proxy.keys[0]]);
});

test.each([
  { forum: { login: 'a:b', password: '' }, message: /colon/ },
  { token: 'żółć', message: /ByteString|ISO-8859-1/ },
])('credentials that are no headers are an error of each operation, $message', async ({ message, ...wrong }) => {
  let credentials: object = wrong;
  const client = connect({ url: gateway.url, credentials: () => credentials }, newCache());
  for (let time = 0; time < 2; time += 1) {
    const { error } = await client.query(query, {});
    expect(error?.networkError?.message).toMatch(message);
  }
  credentials = { token: 'demo-admin' };
  expect(await client.query(query, {})).toMatchObject({ data: { clients: {} } });
});

test('nothing is kept of mutations', () => {
  const request = createRequest(CreateClientDocument, { input: { name: 'Ada' } });
  const context = { url: gateway.url, requestPolicy: 'cache-first' } as const;
  const operation = makeOperation('mutation', request, context);
  const add = vi.spyOn(Set.prototype, 'add');
  onTestFinished(() => add.mockRestore());
  const results: Operation[] = [];
  const forward = map((sent: Operation) => makeErrorResult(sent, new Error('lost')));
  const exchange = askAgain({
    client: connect({ url: gateway.url, credentials: () => ({}) }, newCache()),
    forward,
    dispatchDebug: () => {},
  });
  pipe(
    exchange(fromValue(operation)),
    subscribe((result) => void results.push(result.operation)),
  );
  expect(results).toHaveLength(1);
  expect(add.mock.calls.flat()).not.toContain(operation.key);
});

test('a query has no key, and is sent again after a cut connection, too', async () => {
  const { proxy, client } = await appBehindProxy(['mid-body']);
  const { data } = await client.query(query, {});
  expect(data).toMatchObject({ clients: { totalCount: expect.any(Number) as number } });
  expect(proxy.keys).toEqual([undefined, undefined]);
});
