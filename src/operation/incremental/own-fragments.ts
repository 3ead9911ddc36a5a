import {
  type DirectiveNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/**
 * Copies named fragments so that each deferred part has its own. The executor uses a named fragment once per object. When
 * a fragment is spread both at once and in a deferred part, the deferred part may take it, and its fields come late.
 *
 * Every field node is copied, so that `part-rules.ts` can mark nodes for one execution. The result is not cached: it may have ten
 * times the size of the document.
 */
export function splitFragments(document: DocumentNode): DocumentNode {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }

  const copies = new Map<string, FragmentDefinitionNode>();
  let lastPart = 0; // part 0 is the initial response

  const copyFragment = (name: string, part: number): string => {
    const copyName = part === 0 ? name : `${name} ${part}`; // the space makes it unique: no name in a document has one
    const fragment = fragments.get(name);
    if (!fragment || copies.has(copyName)) return copyName;
    copies.set(copyName, fragment);
    const selectionSet = inPart(fragment.selectionSet, part);
    copies.set(copyName, { ...fragment, name: { ...fragment.name, value: copyName }, selectionSet });
    return copyName;
  };

  const inPart = (selectionSet: SelectionSetNode, part: number): SelectionSetNode => {
    const selections = selectionSet.selections.map((selection): SelectionNode => {
      if (selection.kind === Kind.FIELD) {
        const { selectionSet: inner } = selection;
        return inner ? { ...selection, selectionSet: inPart(inner, part) } : { ...selection };
      }
      const innerPart = isDeferred(selection) ? (lastPart += 1) : part;
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        return { ...selection, selectionSet: inPart(selection.selectionSet, innerPart) };
      }
      const { name } = selection;
      return { ...selection, name: { ...name, value: copyFragment(name.value, innerPart) } };
    });
    return { ...selectionSet, selections };
  };

  const operations = document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? [{ ...definition, selectionSet: inPart(definition.selectionSet, 0) }]
      : [],
  );
  return { ...document, definitions: [...operations, ...copies.values()] };
}

function isDeferred({ directives }: { readonly directives?: readonly DirectiveNode[] | undefined }): boolean {
  return directives?.some(({ name }) => name.value === 'defer') ?? false;
}
