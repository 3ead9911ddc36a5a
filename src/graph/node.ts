import { brandWithType, ObjectRef, typeBrandKey } from '@pothos/core';
import { builder } from './builder.ts';
import type { Context } from '../operation/context.ts';
import { QueryLimitError, ValidationError } from '../errors.ts';
import { parseGlobalId } from './ids.ts';
import { Node } from './node-ref.ts';

/** A node type with its loader, which returns null for a record that is missing or hidden from the caller. */
export interface NodeType {
  readonly name: string;
  getDataloader(context: Context): { load(id: string): Promise<object | null> };
}

/** The types of the builder that have global ids, by their names: those of `defineNodeFields`. */
export const nodeTypes = new Map<string, NodeType>();

/** Loads a record, or null, and marks it with its type. */
export async function loadNode(type: NodeType, id: string, context: Context): Promise<object | null> {
  const record = await type.getDataloader(context).load(id);
  return record && asNode(record, type);
}

/** The most names of types in a message: a snapshot may make hundreds of them. */
const MAX_NAMES = 20;

/** Lists names of types for a message. */
export function listTypes(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return names.slice(0, MAX_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** @param types the names of all types that have global ids */
function noGlobalId(types: readonly string[]): ValidationError {
  const message = `Not a global id: expected a type and an id, such as Dashboard:42. Types: ${listTypes(types)}.`;
  return new ValidationError(message, { id: ['is no global id'] });
}

/** Checks the number of ids of the field `nodes`. @throws QueryLimitError for more than MAX_NODES */
function assertNodeCount(ids: readonly string[], { limits }: Context): void {
  if (ids.length <= limits.nodes) return;
  throw new QueryLimitError(`\`nodes\` takes ${limits.nodes} ids at most: see MAX_NODES.`);
}

/**
 * Marks a record with the type that the builder made, or with the name of a type that it did not make: GraphQL needs it to resolve
 * an interface or a union. Returns the record itself.
 */
export function asNode<T extends object>(record: T, type: Pick<NodeType, 'name'>): T {
  if (type instanceof ObjectRef) brandWithType(record, type);
  else Object.defineProperty(record, typeBrandKey, { value: type.name });
  return record;
}

/** Creates the resolvers of `node` and `nodes` over types, by their names. */
export function nodeResolvers(types: ReadonlyMap<string, NodeType>) {
  const load = async (globalId: string, context: Context): Promise<object | null> => {
    const { typename = '', id = '' } = parseGlobalId(globalId) ?? {};
    const type = types.get(typename);
    if (!type) throw noGlobalId([...types.keys()]);
    return loadNode(type, id, context);
  };
  return {
    node: (_root: unknown, { id }: { readonly id: string }, context: Context) => load(id, context),
    nodes: (_root: unknown, { ids }: { readonly ids: readonly string[] }, context: Context) => {
      assertNodeCount(ids, context);
      return ids.map((id) => load(id, context));
    },
  };
}

/** Adds `node` and `nodes` over the given types to the query type. */
export function defineNodeFields(types: readonly NodeType[]): void {
  for (const type of types) nodeTypes.set(type.name, type);
  const resolvers = nodeResolvers(nodeTypes);

  builder.queryFields((t) => ({
    node: t.field({
      type: Node,
      description:
        'One record by its global id, or null when it is not visible to the caller. Calls the endpoint of its type.',
      args: { id: t.arg.id({ required: true, description: 'Global id, such as `Dashboard:42`.' }) },
      resolve: resolvers.node,
    }),
    nodes: t.field({
      type: [Node],
      nullable: { list: false, items: true },
      description: 'Records by their global ids, in the same order. An id that fails is null and has its own error.',
      args: { ids: t.arg.idList({ required: true, description: 'Global ids, at most MAX_NODES.' }) },
      resolve: resolvers.nodes,
    }),
  }));
}
