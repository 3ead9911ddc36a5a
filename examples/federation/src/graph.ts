import type { GraphiQLOptions } from 'graphql-yoga';
import { z } from 'zod';
import { type Running, type Settings, startTrivium } from '../../trivium.ts';
import { type Billing, startBilling } from './billing.ts';
import { startGateway } from './gateway.ts';
import { startReviews } from './reviews.ts';
import type { Service, Subgraph } from './subgraph.ts';

export interface Graph {
  /** Where the gateway is. */
  readonly url: string;
  readonly trivium: Running & Subgraph;
  readonly billing: Billing;
  readonly reviews: Service & Subgraph;
  close(): Promise<void>;
}

interface GraphOptions {
  /** Those of trivium. */
  readonly settings?: Settings;
  readonly graphiql?: GraphiQLOptions;
}

/** Starts trivium, billing and reviews, composes them, and starts the gateway before them. */
export async function startGraph({ settings = {}, graphiql = {} }: GraphOptions = {}): Promise<Graph> {
  const open: { close(): Promise<void> }[] = [];
  const close = async () => {
    for (const part of open.splice(0).toReversed()) await part.close();
  };
  const opened = <T extends { close(): Promise<void> }>(part: T): T => {
    open.push(part);
    return part;
  };
  try {
    const running = opened(await startTrivium(['serve', '--subgraph'], settings));
    const trivium = { ...running, name: 'trivium', sdl: await sdlAt(running.url) };
    const billing = opened(await startBilling());
    const reviews = opened(await startReviews(await productsAt(running.url)));
    const { url } = opened(await startGateway([trivium, billing, reviews], graphiql));
    return { url, trivium, billing, reviews, close };
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
