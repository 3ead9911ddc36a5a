import { type GraphQLFieldConfigMap, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql';
import type { Context } from '../../context.ts';
import type { Page, Row } from '../../lists/connections.ts';
import type { SharedTypes } from './shared-types.ts';

const edges = async (page: Page<object>) => page.rows();
const nodes = async (page: Page<object>) => (await page.rows()).map(({ node }) => node);

/** Creates the connection type of a type, as `connectionOf` does for the types of the builder. */
export function connectionType(node: GraphQLObjectType, shared: SharedTypes): GraphQLObjectType<Page<object>, Context> {
  const edge = new GraphQLObjectType<Row<object>, Context>({
    name: `${node.name}Edge`,
    description: 'A node with its cursor.',
    fields: {
      cursor: { type: new GraphQLNonNull(GraphQLString), description: 'Cursor of the node, for `after`.' },
      node: { type: node, description: 'The node. Null when it was deleted, or refused, while the page was loaded.' },
    },
  });
  return new GraphQLObjectType<Page<object>, Context>({
    name: `${node.name}Connection`,
    description: 'Records of a type. There is no total: upstream does not count records.',
    fields: (): GraphQLFieldConfigMap<Page<object>, Context> => ({
      edges: {
        type: new GraphQLList(edge),
        description: 'The nodes of the page with their cursors.',
        resolve: edges,
      },
      nodes: { type: new GraphQLList(node), description: 'The nodes of the page.', resolve: nodes },
      pageInfo: {
        type: new GraphQLNonNull(shared.object('PageInfo')),
        description: 'The position of the page.',
        resolve: (page) => page,
      },
    }),
  });
}
