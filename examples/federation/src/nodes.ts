import { startSubgraph } from './subgraph.ts';

interface Stub {
  readonly __typename: string;
  readonly id: string;
}

/** Reads the type of a record from its global id, `Client:42`. What it does not know has no record. */
function stubOf(id: string, types: ReadonlySet<string>): Stub | null {
  const [__typename = ''] = id.split(':', 1);
  return types.has(__typename) ? { __typename, id } : null;
}

/**
 * Owns `node` and `nodes`: names the type of a record, whose fields the router then reads from the other subgraphs.
 *
 * @param sdl as `trivium schema --subgraph --stubs` prints it; by default without types of tables
 */
export async function startNodes(sdl?: string) {
  const stubs = new Set<string>();
  const subgraph = await startSubgraph(
    'nodes',
    {
      Query: {
        node: (_root: unknown, { id }: { id: string }) => stubOf(id, stubs),
        nodes: (_root: unknown, { ids }: { ids: readonly string[] }) => ids.map((id) => stubOf(id, stubs)),
      },
      Node: { __resolveType: ({ __typename }: Stub) => __typename },
    },
    sdl,
  );
  for (const [, name = ''] of subgraph.sdl.matchAll(/^type (\w+) implements Node /gm)) stubs.add(name);
  return subgraph;
}
