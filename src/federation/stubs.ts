import type { Entity } from './entities.ts';

/**
 * Prints the subgraph that owns `node` and `nodes`: each entity as a stub that has its id alone, which the type of a record is read
 * from. The router reads all other fields from the subgraphs that have them.
 *
 * @param link the federation specification, by its address
 */
export function stubsOf(entities: readonly Entity[], link: string): string {
  const names = entities.map(({ type: { name } }) => name).sort();
  const stubs = names.map((name) => `type ${name} implements Node @key(fields: "id") {\n  id: ID!\n}`);
  return [`extend schema @link(url: "${link}", import: ["@key"])`, WHOLE_GRAPH, ...stubs].join('\n\n').concat('\n');
}

// Nullable, as everything that crosses the network: an owner that is down would otherwise take the other fields along.
const WHOLE_GRAPH = `type Query {
  "One record by its global id. Its other fields are null when it is not visible to the caller."
  node(id: ID!): Node
  "Records by their global ids, in the same order."
  nodes(ids: [ID!]!): [Node]
}

interface Node {
  id: ID!
}`;
