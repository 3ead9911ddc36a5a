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

/** How often an operation may begin an introspection: tools send one `__schema`, or ask for some types by their names. */
const MAX_INTROSPECTION = { __schema: 3, __type: 10 } as const;

interface Size {
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
  readonly __schema: number;
  readonly __type: number;
}

const NOTHING: Size = { depth: 0, aliases: 0, directives: 0, __schema: 0, __type: 0 };

/**
 * Creates a validation rule that refuses operations beyond the limits. A fragment counts at each spread, but is measured
 * once. graphql-js limits the depth of introspection; this rule limits its aliases, and how often it begins.
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
      const name = selection.name.value;
      return nest(
        { ...inner, depth: name.startsWith('__') ? 0 : depth },
        {
          depth: 1,
          aliases: selection.alias ? 1 : 0,
          directives,
          __schema: name === '__schema' ? 1 : 0,
          __type: name === '__type' ? 1 : 0,
        },
      );
    };

    const measureSelections = ({ selectionSet }: { readonly selectionSet?: SelectionSetNode | undefined }): Size =>
      (selectionSet?.selections ?? []).map(measureSelection).reduce(merge, NOTHING);

    const refuse = (nodes: OperationDefinitionNode, message: string) =>
      context.reportError(new GraphQLError(message, { nodes, extensions: { code: 'QUERY_LIMIT_EXCEEDED' } }));

    const check = (operation: OperationDefinitionNode, actual: number, name: keyof QueryLimits) => {
      if (actual <= limits[name]) return;
      refuse(operation, `The operation exceeds ${name}: ${actual}, and ${limits[name]} is the limit.`);
    };

    const checkIntrospection = (
      operation: OperationDefinitionNode,
      size: Size,
      name: keyof typeof MAX_INTROSPECTION,
    ) => {
      const limit = MAX_INTROSPECTION[name];
      if (size[name] <= limit) return;
      const selected = `The operation selects \`${name}\` ${size[name]} times, and ${limit} is the limit`;
      refuse(operation, `${selected}: select more below one of them, or send several operations.`);
    };

    return {
      OperationDefinition(operation) {
        const size = measureSelections(operation);
        check(operation, size.depth, 'MAX_DEPTH');
        check(operation, size.aliases, 'MAX_ALIASES');
        check(operation, size.directives + (operation.directives?.length ?? 0), 'MAX_DIRECTIVES');
        checkIntrospection(operation, size, '__schema');
        checkIntrospection(operation, size, '__type');
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
    __schema: inner.__schema + outer.__schema,
    __type: inner.__type + outer.__type,
  };
}

/** The size of two selections next to each other. */
function merge(left: Size, right: Size): Size {
  return { ...nest(left, right), depth: Math.max(left.depth, right.depth) };
}
