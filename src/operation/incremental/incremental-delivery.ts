import { memoize1 } from '@graphql-tools/utils';
import { useDeferStream } from '@graphql-yoga/plugin-defer-stream';
import { type DocumentNode, type ExecutionResult, OverlappingFieldsCanBeMergedRule, visit } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { PluginContext } from '../context.ts';
import { hasParts } from '../../execution/executor.ts';
import { acceptsParts } from '../accept.ts';
import { splitFragments } from './own-fragments.ts';
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
