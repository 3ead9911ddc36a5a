import type { GraphiQLOptions } from 'graphql-yoga';
import { z } from 'zod';
import { type Running, type Settings, startTrivium } from '../../trivium.ts';
import { type Billing, startBilling } from './billing.ts';
import { composed, startGateway } from './gateway.ts';
import { startNodes } from './nodes.ts';
import { startReviews } from './reviews.ts';
import type { Service, Subgraph } from './subgraph.ts';

export interface Subgraphs {
  readonly trivium: Running & Subgraph;
  readonly billing: Billing;
  readonly reviews: Service & Subgraph;
  readonly nodes: Service & Subgraph;
  /** The schema of all of them, as a router takes it. */
  readonly supergraph: string;
  close(): Promise<void>;
}

export interface Graph extends Subgraphs {
  /** Where the gateway is. */
  readonly url: string;
}

/** Starts trivium, with these settings, billing, reviews and the owner of `node`, and composes them. */
export async function startSubgraphs(settings: Settings = {}): Promise<Subgraphs> {
  return started(async (opened) => {
    const running = opened(await startTrivium(['serve', '--subgraph'], settings));
    const trivium = { ...running, name: 'trivium', sdl: await sdlAt(running.url) };
    const billing = opened(await startBilling());
    const reviews = opened(await startReviews(await productsAt(running.url)));
    const nodes = opened(await startNodes());
    return { trivium, billing, reviews, nodes, supergraph: composed([trivium, billing, reviews, nodes]) };
  });
}

interface GraphOptions {
  /** Those of trivium. */
  readonly settings?: Settings;
  readonly graphiql?: GraphiQLOptions;
}

/** Starts the subgraphs, and the gateway before them. */
export async function startGraph({ settings = {}, graphiql = {} }: GraphOptions = {}): Promise<Graph> {
  return started(async (opened) => {
    const subgraphs = opened(await startSubgraphs(settings));
    const { url } = opened(await startGateway(subgraphs.supergraph, graphiql));
    return { ...subgraphs, url };
  });
}

interface Closable {
  close(): Promise<void>;
}

/** What `start` returns, with one end for all that it has opened. They are closed, too, when it fails. */
async function started<T>(start: (opened: <P extends Closable>(part: P) => P) => Promise<T>): Promise<T & Closable> {
  const open: Closable[] = [];
  const close = async () => {
    for (const part of open.splice(0).toReversed()) await part.close();
  };
  try {
    const parts = await start((part) => {
      open.push(part);
      return part;
    });
    return { ...parts, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const service = z.object({ data: z.object({ _service: z.object({ sdl: z.string() }) }) });

/** The SDL that a subgraph tells of itself. */
export async function sdlAt(url: string): Promise<string> {
  return service.parse(await posted(url, '{ _service { sdl } }')).data._service.sdl;
}

const products = z.object({
  data: z.object({ flexDb: z.object({ search: z.object({ nodes: z.array(z.object({ id: z.string() })) }) }) }),
});

/** The ids of some records that can be reviewed. */
async function productsAt(url: string): Promise<string[]> {
  const answer = await posted(url, '{ flexDb(id: "products") { search(first: 5) { nodes { id } } } }');
  return products.parse(answer).data.flexDb.search.nodes.map(({ id }) => id);
}

async function posted(url: string, query: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer demo-admin' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) });
  return response.json();
}
