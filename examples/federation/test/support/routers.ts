import { createGatewayRuntime } from '@graphql-hive/gateway-runtime';
import { unifiedGraphHandler } from '@graphql-hive/router-runtime';
import { gatewayConfig } from '../../routers/hive/gateway.config.ts';
import { startGateway } from '../../src/gateway.ts';
import { listening } from '../../src/subgraph.ts';
import { asker } from './ask.ts';

interface Running {
  readonly url: string;
  close(): Promise<void>;
}

/** Hive Gateway as `hive-gateway supergraph` starts it, with the configuration that docs/federation.md shows. */
async function startHive(supergraph: string, more: object = {}): Promise<Running> {
  const runtime = createGatewayRuntime({ ...gatewayConfig, ...more, supergraph, logging: false });
  const { url, close } = await listening(runtime);
  return {
    url,
    close: async () => {
      await close();
      await runtime[Symbol.asyncDispose]();
    },
  };
}

export type RouterName = '@apollo/gateway' | 'Hive Gateway' | 'Router Runtime';

/** The routers that run here: what holds for the subgraph holds behind each of them. */
export const routers: readonly RouterName[] = ['@apollo/gateway', 'Hive Gateway', 'Router Runtime'];

export interface Routers {
  readonly url: Readonly<Record<RouterName, string>>;
  /** Runs operations behind one of them. */
  readonly ask: Readonly<Record<RouterName, ReturnType<typeof asker>>>;
  close(): Promise<void>;
}

/** Starts all routers before the same subgraphs. */
export async function startRouters({ supergraph }: { readonly supergraph: string }): Promise<Routers> {
  const apollo = await startGateway(supergraph);
  const hive = await startHive(supergraph);
  const runtime = await startHive(supergraph, { plugins: () => [], unifiedGraphHandler }); // needs no plugin for null references
  return {
    url: { '@apollo/gateway': apollo.url, 'Hive Gateway': hive.url, 'Router Runtime': runtime.url },
    ask: {
      '@apollo/gateway': asker(apollo.url),
      'Hive Gateway': asker(hive.url),
      'Router Runtime': asker(runtime.url),
    },
    close: async () => {
      for (const router of [apollo, hive, runtime]) await router.close();
    },
  };
}
