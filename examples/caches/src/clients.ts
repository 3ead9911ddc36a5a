import { ApolloClient, HttpLink, InMemoryCache, type InMemoryCacheConfig } from '@apollo/client';
import { Client, fetchExchange } from '@urql/core';
import { cacheExchange, type CacheExchangeOpts } from '@urql/exchange-graphcache';
import type { DocumentNode } from 'graphql';

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export interface Operation {
  readonly document: DocumentNode;
  readonly variables: JsonObject;
}

/** A client with a normalizing cache. */
export interface CachingClient {
  /** Asks the gateway, and keeps the answer in the cache. */
  ask(operation: Operation): Promise<Json>;
  /** Asks the cache alone. Null when it lacks a part of the answer. */
  read(operation: Operation): Json;
  /** Sends a mutation, and gives its answer to the cache. */
  write(operation: Operation): Promise<Json>;
}

export interface Endpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
}

/** Apollo Client, with its own cache. */
export function apollo({ url, headers, fetch }: Endpoint, config: InMemoryCacheConfig = {}): CachingClient {
  const link = new HttpLink({ uri: url, headers, fetch });
  const client = new ApolloClient({ cache: new InMemoryCache(config), link });
  return {
    ask: async ({ document: query, variables }) =>
      (await client.query<JsonObject>({ query, variables, fetchPolicy: 'network-only' })).data ?? null,
    read: ({ document: query, variables }) => client.readQuery<JsonObject>({ query, variables }),
    write: async ({ document: mutation, variables }) =>
      (await client.mutate<JsonObject>({ mutation, variables })).data ?? null,
  };
}

/** urql, with its normalizing cache. */
export function graphcache({ url, headers, fetch }: Endpoint, config: Partial<CacheExchangeOpts> = {}): CachingClient {
  const exchanges = [cacheExchange({ logger: () => undefined, ...config }), fetchExchange];
  const client = new Client({ url, fetch, fetchOptions: { headers }, exchanges });
  return {
    ask: async ({ document, variables }) => {
      const { data, error } = await client
        .query<JsonObject>(document, variables, { requestPolicy: 'network-only' })
        .toPromise();
      if (error) throw error;
      return data ?? null;
    },
    read: ({ document, variables }) =>
      client.readQuery<JsonObject>(document, variables, { requestPolicy: 'cache-only' })?.data ?? null,
    write: async ({ document, variables }) => {
      const { data, error } = await client.mutation<JsonObject>(document, variables).toPromise();
      if (error) throw error;
      return data ?? null;
    },
  };
}
