import {
  type ASTVisitor,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Config } from '../../config.ts';

/** Refuses operations beyond MAX_TOKENS, MAX_DEPTH, MAX_ALIASES and MAX_DIRECTIVES before any upstream call. */
export function useLimits(config: Config): Plugin {
  const rule = limitsRule(config);
  return {
    onParse: ({ setParseFn }) => {
      setParseFn((source, options) => {
        try {
          return parse(source, { ...options, maxTokens: config.MAX_TOKENS });
        } catch (error) {
          throw isTooLarge(error) ? tooLargeError(config.MAX_TOKENS) : error;
        }
      });
    },
    onValidate: ({ addValidationRule, validateFn, setValidationFn }) => {
      addValidationRule(rule);
      setValidationFn((...validated) => {
        try {
          return validateFn(...validated);
        } catch (error) {
          if (isTooLarge(error)) return [tooLargeError(config.MAX_TOKENS)]; // fragments that spread each other overflow the stack
          throw error;
        }
      });
    },
  };
}

/** Whether graphql-js gave up: it reports its token limit as a syntax error, and overflows the stack for deep nesting. */
function isTooLarge(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof GraphQLError && error.message.endsWith('Parsing aborted.'));
}

function tooLargeError(limit: number): GraphQLError {
  const message = `The document exceeds MAX_TOKENS (${limit}), or nests too deeply.`;
  return new GraphQLError(message, { extensions: { code: 'QUERY_LIMIT_EXCEEDED' } });
}

type QueryLimits = Pick<Config, 'MAX_DEPTH' | 'MAX_ALIASES' | 'MAX_DIRECTIVES'>;

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
function limitsRule(limits: QueryLimits) {
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
