import {
  type ASTVisitor,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';

export interface QueryLimits {
  readonly MAX_DEPTH: number;
  readonly MAX_ALIASES: number;
  readonly MAX_DIRECTIVES: number;
}

interface Size {
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
}

const NOTHING: Size = { depth: 0, aliases: 0, directives: 0 };

/**
 * Creates a validation rule that refuses operations beyond the limits. A fragment counts at each spread, but is measured
 * once. graphql-js limits the depth of introspection; this rule limits its aliases.
 */
export function limitsRule(limits: QueryLimits) {
  return function QueryLimitsRule(context: ValidationContext): ASTVisitor {
    const measured = new Map<string, Size>();

    const measureFragment = (name: string): Size => {
      const known = measured.get(name);
      if (known) return known;
      measured.set(name, NOTHING); // ends a cycle, which another rule refuses
      const fragment = context.getFragment(name);
      const size = fragment ? measureSelections(fragment) : NOTHING;
      measured.set(name, size);
      return size;
    };

    const measureSelection = (selection: SelectionNode): Size => {
      const directives = selection.directives?.length ?? 0;
      if (selection.kind === Kind.FRAGMENT_SPREAD)
        return nest(measureFragment(selection.name.value), { ...NOTHING, directives });
      if (selection.kind === Kind.INLINE_FRAGMENT)
        return nest(measureSelections(selection), { ...NOTHING, directives });
      const { depth, ...inner } = measureSelections(selection);
      const introspection = selection.name.value.startsWith('__');
      return nest(
        { ...inner, depth: introspection ? 0 : depth },
        { depth: 1, aliases: selection.alias ? 1 : 0, directives },
      );
    };

    const measureSelections = ({ selectionSet }: { readonly selectionSet?: SelectionSetNode | undefined }): Size =>
      (selectionSet?.selections ?? []).map(measureSelection).reduce(merge, NOTHING);

    const check = (operation: OperationDefinitionNode, actual: number, name: keyof QueryLimits) => {
      if (actual <= limits[name]) return;
      const message = `The operation exceeds ${name}: ${actual}, and ${limits[name]} is the limit.`;
      context.reportError(
        new GraphQLError(message, { nodes: operation, extensions: { code: 'QUERY_LIMIT_EXCEEDED' } }),
      );
    };

    return {
      OperationDefinition(operation) {
        const size = measureSelections(operation);
        check(operation, size.depth, 'MAX_DEPTH');
        check(operation, size.aliases, 'MAX_ALIASES');
        check(operation, size.directives + (operation.directives?.length ?? 0), 'MAX_DIRECTIVES');
      },
    };
  };
}

/** The size of a selection inside another one. */
function nest(inner: Size, outer: Size): Size {
  return {
    depth: inner.depth + outer.depth,
    aliases: inner.aliases + outer.aliases,
    directives: inner.directives + outer.directives,
  };
}

/** The size of two selections next to each other. */
function merge(left: Size, right: Size): Size {
  return { ...nest(left, right), depth: Math.max(left.depth, right.depth) };
}
