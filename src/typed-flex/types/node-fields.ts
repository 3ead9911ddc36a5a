import { type GraphQLFieldConfig, type GraphQLFieldConfigMap, type GraphQLSchema, isInterfaceType } from 'graphql';
import type { Context } from '../../context.ts';
import { parseGlobalId } from '../../graphql/ids.ts';
import { assertNodeCount, loadNode, noGlobalId, type NodeType } from '../../graphql/node.ts';

/** The fields `node` and `nodes` of a schema, for more types than its own. */
export function nodeFields(
  base: GraphQLSchema,
  moreTypes: readonly NodeType[],
): GraphQLFieldConfigMap<unknown, Context> {
  const types = new Map(moreTypes.map((type) => [type.name, type]));
  const { node, nodes } = base.getQueryType()?.toConfig().fields ?? {};
  const loadOther = node?.resolve;
  const shared = base.getType('Node');
  if (!node || !nodes || !loadOther || !isInterfaceType(shared)) throw new Error('The schema has no field of nodes.');
  const others = new Set(base.getPossibleTypes(shared).map(({ name }) => name));

  const withOne: GraphQLFieldConfig<unknown, Context, { id: string }> = {
    ...node,
    resolve: async (root, args, context, info) => {
      const { typename = '', id = '' } = parseGlobalId(args.id) ?? {};
      const type = types.get(typename);
      if (type) return loadNode(type, id, context);
      if (!others.has(typename)) throw noGlobalId([...others, ...types.keys()]);
      return loadOther(root, args, context, info);
    },
  };
  const withSeveral: GraphQLFieldConfig<unknown, Context, { ids: readonly string[] }> = {
    ...nodes,
    resolve: (root, { ids }, context, info) => {
      assertNodeCount(ids, context);
      return ids.map((id) => withOne.resolve?.(root, { id }, context, info));
    },
  };
  return { node: withOne, nodes: withSeveral };
}
