import { createGatewayRuntime } from '@graphql-hive/gateway-runtime';
import { gatewayConfig } from '../../routers/hive/gateway.config.ts';
import { composed } from '../../src/gateway.ts';
import type { Graph } from '../../src/graph.ts';
import { listening } from '../../src/subgraph.ts';

export interface Router {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a router in front of the subgraphs of a graph, or gives its own. */
export type Before = (graph: Graph) => Promise<Router>;

/** Hive Gateway as `hive-gateway supergraph` starts it, with the configuration that docs/federation.md shows. */
async function hiveGateway({ trivium, billing, reviews }: Graph): Promise<Router> {
  const supergraph = composed([trivium, billing, reviews]);
  const runtime = createGatewayRuntime({ ...gatewayConfig, supergraph, logging: false });
  const { url, close } = await listening(runtime);
  return {
    url,
    close: async () => {
      await close();
      await runtime[Symbol.asyncDispose]();
    },
  };
}

/** The routers that run here: what holds for the subgraph holds behind each of them. */
export const routers: readonly { readonly router: string; readonly before: Before }[] = [
  { router: '@apollo/gateway', before: async ({ url }) => ({ url, close: async () => {} }) },
  { router: 'Hive Gateway', before: hiveGateway },
];
