// A list that lacks rows has a value and an error, also where it is deferred: both clients have to show it.
import { ApolloClient, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { Defer20220824Handler } from '@apollo/client/incremental';
import { cacheExchange, Client, fetchExchange, type OperationResult } from '@urql/core';
import { cacheExchange as graphcache } from '@urql/exchange-graphcache';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Running, startTrivium } from '../../trivium.ts';

/** A CRM of one deal, and of a row without an id. */
const crm = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify([{ id: 1, client_id: 1, name: 'Oak' }, { name: 'No id' }]));
});
let gateway: Running;
beforeAll(async () => {
  await once(crm.listen(0, '127.0.0.1'), 'listening');
  const { port } = crm.address() as AddressInfo;
  gateway = await startTrivium(['serve'], { CRM_URL: `http://127.0.0.1:${port}`, LOG_LEVEL: 'error' });
});
afterAll(async () => {
  await gateway.close();
  crm.closeAllConnections();
  crm.close();
});

const headers = { 'x-crm-token': 'token' };
const list = 'deals(first: 5) { nodes { id name } }';
const other = '... @defer { clients(first: 1) { totalCount } }';
const queries = [
  ['not deferred', `{ __typename ${list} }`],
  ['deferred', `{ __typename ... @defer { ${list} } }`],
  ['deferred beside another fragment', `{ __typename ${other} ... @defer { ${list} } }`],
  ['deferred in the row of a list', `{ clients(first: 1) { nodes { id ... @defer { ${list} } } } }`],
] as const;

interface PathError {
  readonly path?: readonly (string | number)[] | undefined;
  readonly message: string;
}

/** Whether an error at the list says that it lacks rows. */
const isShown = (errors: readonly PathError[] = []) =>
  errors.some(({ path, message }) => path?.at(-1) === 'deals' && message.includes('1 of 2 rows was left out'));

describe.each(queries)('a list that is %s', (_name, query) => {
  test('has its error in Apollo Client', async () => {
    const client = new ApolloClient({
      link: new HttpLink({ uri: gateway.url, headers }),
      cache: new InMemoryCache(),
      incrementalHandler: new Defer20220824Handler(),
    });
    const seen: (readonly PathError[])[] = [];
    const watched = client.watchQuery({ query: gql(query), errorPolicy: 'all' });
    const subscription = watched.subscribe(({ error }) => {
      if (CombinedGraphQLErrors.is(error)) seen.push(error.errors);
    });
    await expect.poll(() => isShown(seen.at(-1))).toBe(true);
    subscription.unsubscribe();
    expect(JSON.stringify(client.cache.extract())).toContain('"name":"Oak"');
  });

  test.each([
    ['its cache of whole answers', () => cacheExchange],
    ['graphcache', () => graphcache()],
  ])('has its error in urql, with %s', async (_cache, cache) => {
    const client = new Client({ url: gateway.url, fetchOptions: { headers }, exchanges: [cache(), fetchExchange] });
    const seen: OperationResult[] = [];
    // By default graphcache takes deferred fields that it lacks for fields that are on their way.
    const answers = client.query(query, {}, { requestPolicy: 'network-only' });
    const { unsubscribe } = answers.subscribe((result) => void seen.push(result));
    await expect.poll(() => isShown(seen.at(-1)?.error?.graphQLErrors)).toBe(true);
    unsubscribe();
    expect(JSON.stringify(seen.at(-1)?.data)).toContain('"name":"Oak"');
  });
});
