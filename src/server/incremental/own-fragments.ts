import {
  type DirectiveNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/**
 * The document, with named fragments of its own for all that is deferred together. The executor takes the fields of a
 * named fragment once for each object: spread in two places, it would leave them to the one that it meets first, so that
 * what was asked for at once came with a deferred part.
 *
 * Made anew for each operation: of a document within the limits it may be ten times the size, too much to be kept.
 */
export function splitFragments(document: DocumentNode): DocumentNode {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  if (fragments.size === 0) return document;

  const own = new Map<string, FragmentDefinitionNode>();
  let parts = 0; // 0 comes at once

  const ownFragment = (name: string, part: number): string => {
    const ownName = part === 0 ? name : `${name} ${part}`; // with a space it can be no other's
    const fragment = fragments.get(name);
    if (!fragment || own.has(ownName)) return ownName;
    own.set(ownName, fragment);
    const selectionSet = inPart(fragment.selectionSet, part);
    own.set(ownName, { ...fragment, name: { ...fragment.name, value: ownName }, selectionSet });
    return ownName;
  };

  const inPart = (selectionSet: SelectionSetNode, part: number): SelectionSetNode => {
    const selections = selectionSet.selections.map((selection): SelectionNode => {
      if (selection.kind === Kind.FIELD) {
        return selection.selectionSet
          ? { ...selection, selectionSet: inPart(selection.selectionSet, part) }
          : selection;
      }
      const within = isDeferred(selection) ? (parts += 1) : part;
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        return { ...selection, selectionSet: inPart(selection.selectionSet, within) };
      }
      const { name } = selection;
      return { ...selection, name: { ...name, value: ownFragment(name.value, within) } };
    });
    return { ...selectionSet, selections };
  };

  const operations = document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? [{ ...definition, selectionSet: inPart(definition.selectionSet, 0) }]
      : [],
  );
  return { ...document, definitions: [...operations, ...own.values()] };
}

function isDeferred({ directives }: { readonly directives?: readonly DirectiveNode[] | undefined }): boolean {
  return directives?.some(({ name }) => name.value === 'defer') ?? false;
}
