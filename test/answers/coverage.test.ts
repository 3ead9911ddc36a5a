import { buildSchema, parse, OperationTypeNode, visit } from 'graphql';
import { expect, test } from 'vitest';
import { read } from '../docs/pages.ts';
import { scenarios } from './scenarios.ts';

/** The root fields that the scenarios select, by the kind of operation. */
function selectedFields(kind: OperationTypeNode): string[] {
  const names = new Set<string>();
  for (const { query } of Object.values(scenarios).flatMap(({ steps }) => Object.values(steps))) {
    visit(parse(query), {
      OperationDefinition: ({ operation, selectionSet: { selections } }) => {
        for (const selection of selections)
          if (operation === kind && 'name' in selection && selection.name) names.add(selection.name.value);
        return false;
      },
    });
  }
  return [...names].toSorted();
}

const schema = buildSchema(read('schema.graphql'));

test.each([OperationTypeNode.QUERY, OperationTypeNode.MUTATION])('each %s of the schema is in a scenario', (kind) => {
  expect(selectedFields(kind)).toEqual(Object.keys(schema.getRootType(kind)?.getFields() ?? {}).toSorted());
});
