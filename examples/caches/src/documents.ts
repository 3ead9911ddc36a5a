import { readdirSync, readFileSync } from 'node:fs';
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  visit,
} from 'graphql';

const folder = new URL('../../codegen/operations/', import.meta.url);
const operations = new Map<string, OperationDefinitionNode>();
const fragments = new Map<string, FragmentDefinitionNode>();

for (const file of readdirSync(folder)) {
  const { definitions } = parse(readFileSync(new URL(file, folder), 'utf8'), { noLocation: true });
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    else if (definition.kind === Kind.OPERATION_DEFINITION && definition.name)
      operations.set(definition.name.value, definition);
  }
}

/** The names of all operations of the codegen example. */
export const operationNames: readonly string[] = [...operations.keys()];

/** Builds the document of an operation of the codegen example, with the fragments that it spreads. */
export function documentOf(name: string): DocumentNode {
  const operation = operations.get(name);
  if (!operation) throw new Error(`The codegen example has no operation ${name}.`);
  const spread = new Set<FragmentDefinitionNode>();
  collectFragments(operation, spread);
  return { kind: Kind.DOCUMENT, definitions: [operation, ...spread] };
}

function collectFragments(root: OperationDefinitionNode | FragmentDefinitionNode, found: Set<FragmentDefinitionNode>) {
  visit(root, {
    FragmentSpread: ({ name }) => {
      const fragment = fragments.get(name.value);
      if (!fragment || found.has(fragment)) return;
      found.add(fragment);
      collectFragments(fragment, found);
    },
  });
}
