import { memoize1, printSchemaWithDirectives } from '@graphql-tools/utils';
import { type GraphQLSchema, parse, print, visit } from 'graphql';

/** The definition of one type, without descriptions. */
export function definitionIn(schema: GraphQLSchema, name: string): string {
  const found = definitionsOf(schema).find((node) => 'name' in node && node.name?.value === name);
  return found ? print(found) : `no ${name}`;
}

const definitionsOf = memoize1((schema: GraphQLSchema) => {
  const document = visit(parse(printSchemaWithDirectives(schema)), {
    StringValue: (node, key) => (key === 'description' ? null : node),
  });
  return document.definitions;
});
