import { GraphQLList, GraphQLNonNull, GraphQLObjectType, type GraphQLSchema, GraphQLString } from 'graphql';
import type { Context } from '../../operation/context.ts';
import type { Page, Row } from '../../graph/lists/connections.ts';
import { fieldOf } from './base-types.ts';

/** Creates the connection type of a type: that of `FlexRecord` with other nodes. */
export function connectionType(node: GraphQLObjectType, base: GraphQLSchema): GraphQLObjectType<Page<object>, Context> {
  const { description, extensions } = fieldOf(base, 'FlexRecordEdge', 'node');
  const edge = new GraphQLObjectType<Row<object>, Context>({
    name: `${node.name}Edge`,
    description: 'A node with its cursor.',
    fields: {
      cursor: { type: new GraphQLNonNull(GraphQLString), description: 'Cursor of the node, for `after`.' },
      node: { type: node, description, extensions },
    },
  });
  const field = (name: string) => fieldOf<Page<object>>(base, 'FlexRecordConnection', name);
  return new GraphQLObjectType<Page<object>, Context>({
    name: `${node.name}Connection`,
    description: 'Records of a type. There is no total: upstream does not count records.',
    fields: () => ({
      edges: { ...field('edges'), type: new GraphQLList(edge) },
      nodes: { ...field('nodes'), type: new GraphQLList(node) },
      pageInfo: field('pageInfo'),
    }),
  });
}
