import { buildSubgraphSchema } from '@apollo/subgraph';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse } from 'graphql';
import { createYoga } from 'graphql-yoga';

/** What composition and the gateway have to know of a subgraph. */
export interface Subgraph {
  readonly name: string;
  readonly url: string;
  readonly sdl: string;
}

export interface Service {
  readonly url: string;
  readonly server: Server;
  close(): Promise<void>;
}

type Resolvers = NonNullable<Extract<Parameters<typeof buildSubgraphSchema>[0], { typeDefs: unknown }>['resolvers']>;

/** Serves a schema, that of `<name>.graphql` unless another one is given, on a free port of this machine. */
export async function startSubgraph(
  name: string,
  resolvers: Resolvers,
  sdl = readFileSync(new URL(`${name}.graphql`, import.meta.url), 'utf8'),
): Promise<Subgraph & Service> {
  const schema = buildSubgraphSchema({ typeDefs: parse(sdl), resolvers });
  return { name, sdl, ...(await listening(createYoga({ schema, graphiql: false, logging: false }))) };
}

/** Longer than routers keep an idle connection: a server that closes it first cuts a request that a router has just sent on it. */
const KEEP_ALIVE_MS = 65_000;

/** Listens on a free port of this machine; GraphQL is at `/graphql`. */
export async function listening(listener: RequestListener): Promise<Service> {
  const server = createServer(listener);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no address.');
  return { url: `http://127.0.0.1:${address.port}/graphql`, server, close: () => closed(server) };
}

async function closed(server: Server): Promise<void> {
  if (!server.listening) return;
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}
