import { gql } from '@apollo/client';
import { connect } from 'trivium-kits/apollo';
import { type Fault, type Sandbox, startSandbox } from 'trivium-kits/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Cut, startCuttingProxy } from '../../cutting-proxy.ts';
import { createClientDocument } from '../src/documents.ts';

const query = gql('{ clients(first: 1) { totalCount } }');

// A gateway of its own: others reset the sandbox, and records of the same ids would come anew, which receipts know already.
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ main: '../../dist/main.js' });
});
afterAll(() => sandbox.stop());

/** The client of the kit. Its requests go through a proxy, which cuts the connections of the first ones. */
async function appBehindProxy(cuts: readonly Cut[] = [], isKeyed = true) {
  const proxy = await startCuttingProxy(sandbox.endpoint, isKeyed);
  onTestFinished(() => proxy.close());
  proxy.cutNext(...cuts);
  const client = connect({ url: proxy.url, credentials: () => ({ token: 'demo-admin' }) });
  const create = (name: string, headers?: object) =>
    client.mutate({
      mutation: createClientDocument,
      variables: { input: { name } },
      ...(headers && { context: { headers } }),
    });
  return { proxy, client, create };
}

/** The next creation of a client fails like this. */
const failCreation = (fault: Omit<Fault, 'endpoint'>) =>
  sandbox.fault({ endpoint: 'POST /app/clients.json', times: 1, ...fault });

/** How many clients have this name. */
async function countOf(name: string): Promise<number> {
  const response = await fetch(new URL('/app/clients.json?api_token=demo-admin', sandbox.url));
  const clients = (await response.json()) as { name: string }[];
  return clients.filter((client) => client.name === name).length;
}

const aKey = expect.stringMatching(/^[\da-f-]{36}$/) as string;

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

  test.each(['before-status', 'mid-body'] as const)(
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

test('a query has no key, and is sent again after a cut connection, too', async () => {
  const { proxy, client } = await appBehindProxy(['mid-body']);
  const { data } = await client.query({ query });
  expect(data).toMatchObject({ clients: { totalCount: expect.any(Number) as number } });
  expect(proxy.keys).toEqual([undefined, undefined]);
});
