import { printSchemaWithDirectives } from '@graphql-tools/utils';
import { type GraphQLSchema, parse, print, visit } from 'graphql';

/** The definition of one type, without descriptions. */
export function definitionIn(schema: GraphQLSchema, name: string): string {
  const { definitions } = visit(parse(printSchemaWithDirectives(schema)), {
    StringValue: (node, key) => (key === 'description' ? null : node),
  });
  const found = definitions.find((node) => 'name' in node && node.name?.value === name);
  return found ? print(found) : `no ${name}`;
}
