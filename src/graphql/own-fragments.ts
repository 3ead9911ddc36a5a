import {
  type DefinitionNode,
  type DirectiveNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';

/**
 * The document, with named fragments of its own for all that is deferred together. The executor takes the fields of a
 * named fragment once for each object: spread in two places, it would leave them to the one that it meets first, so that
 * what was asked for at once came with a deferred part.
 */
export function withOwnFragments(document: DocumentNode): DocumentNode {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const own = new Map<string, DefinitionNode>();
  let parts = 0; // 0 comes at once

  const ownFragment = (name: string, part: number): string => {
    const ownName = part === 0 ? name : `${name} ${part}`; // with a space it can be no other's
    const fragment = fragments.get(name);
    if (!fragment || own.has(ownName)) return ownName;
    own.set(ownName, fragment);
    own.set(ownName, inPart({ ...fragment, name: { ...fragment.name, value: ownName } }, part));
    return ownName;
  };

  const inPart = <Definition extends OperationDefinitionNode | FragmentDefinitionNode>(
    definition: Definition,
    part: number,
  ): Definition => {
    const around = [part];
    const partOf = (directives: readonly DirectiveNode[] | undefined): number =>
      directives?.some(({ name }) => name.value === 'defer') ? (parts += 1) : (around.at(-1) ?? part);
    return visit(definition, {
      InlineFragment: {
        enter: ({ directives }) => void around.push(partOf(directives)),
        leave: () => void around.pop(),
      },
      FragmentSpread: (spread) => {
        const value = ownFragment(spread.name.value, partOf(spread.directives));
        return { ...spread, name: { ...spread.name, value } };
      },
    });
  };

  const operations = document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? [inPart(definition, 0)] : [],
  );
  return { ...document, definitions: [...operations, ...own.values()] };
}
