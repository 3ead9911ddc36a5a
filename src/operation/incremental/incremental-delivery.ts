import { memoize1 } from '@graphql-tools/utils';
import { useDeferStream } from '@graphql-yoga/plugin-defer-stream';
import {
  type DirectiveNode,
  type DocumentNode,
  type ExecutionResult,
  type FragmentDefinitionNode,
  Kind,
  OverlappingFieldsCanBeMergedRule,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { PluginContext } from '../context.ts';
import { hasParts } from '../../execution/executor.ts';
import { acceptsParts } from '../accept.ts';
import { beginLater, withPartRules } from './part-rules.ts';

/**
 * Supports `@defer` and `@stream`. A caller whose `Accept` header names a type with parts gets the response in parts. Any
 * other caller gets one complete response, as if the directives were absent.
 */
export function useIncrementalDelivery(): Plugin<PluginContext> {
  const { onValidate } = useDeferStream();
  return {
    onValidate: ({ addValidationRule, ...payload }) =>
      onValidate?.({
        ...payload,
        addValidationRule: (rule) => {
          // The plugin's copy of this rule takes seconds for a document of MAX_TOKENS. The rule of graphql-js runs anyway.
          if (rule.name !== OverlappingFieldsCanBeMergedRule.name) addValidationRule(rule);
        },
      }),
    onExecute: ({ args }) => {
      const { request, operation } = args.contextValue;
      if (!hasParts(args.document)) return undefined;
      if (!acceptsParts(request.headers.get('accept') ?? '')) {
        args.document = withoutDirectives(args.document);
        return undefined;
      }
      args.document = splitFragments(args.document);
      args.schema = schemaWithParts(args.schema);
      return {
        onExecuteDone: ({ result, setResult }) => {
          beginLater(operation);
          if (!isAsyncIterable<ExecutionResult>(result)) return undefined;
          if (request.signal.aborted) return firstPart(result).then(setResult); // the caller left, so no part is sent
          return undefined;
        },
      };
    },
  };
}

/** Removes the directives from a document. */
const withoutDirectives = memoize1((document: DocumentNode) =>
  visit(document, { Directive: ({ name }) => (name.value === 'defer' || name.value === 'stream' ? null : undefined) }),
);

const schemaWithParts = memoize1(withPartRules);

async function firstPart<Part>(parts: AsyncIterable<Part>): Promise<Part> {
  for await (const part of parts) return part;
  throw new Error('There is no part.');
}

/**
 * Copies named fragments so that each deferred part has its own. The executor uses a named fragment once per object. When
 * a fragment is spread both at once and in a deferred part, the deferred part may take it, and its fields come late.
 *
 * Every field node is copied, so that `part-rules.ts` can mark nodes for one execution. The result is not cached: it may have ten
 * times the size of the document.
 */
function splitFragments(document: DocumentNode): DocumentNode {
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
