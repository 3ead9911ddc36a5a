import { memoize1 } from '@graphql-tools/utils';
import { useDeferStream } from '@graphql-yoga/plugin-defer-stream';
import { type DocumentNode, type ExecutionResult, OverlappingFieldsCanBeMergedRule, visit } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { PluginContext } from '../../context.ts';
import { splitFragments } from './own-fragments.ts';
import { withPartLimit } from './part-limit.ts';

/**
 * `@defer` and `@stream`: an operation is answered in parts, if the caller says that it takes parts. To anybody else it
 * is answered as a whole, as if the directives were not there.
 */
export function useIncrementalDelivery(): Plugin<PluginContext> {
  const { onValidate } = useDeferStream();
  return {
    onValidate: ({ addValidationRule, ...payload }) =>
      onValidate?.({
        ...payload,
        addValidationRule: (rule) => {
          // The plugin's copy takes seconds for a document of MAX_TOKENS. Graphql's own rule runs anyway, and is bounded.
          if (rule.name !== OverlappingFieldsCanBeMergedRule.name) addValidationRule(rule);
        },
      }),
    onExecute: ({ args }) => {
      const { request, operation } = args.contextValue;
      const whole = withoutParts(args.document);
      if (whole === args.document || !takesParts(request)) {
        args.document = whole;
        return undefined;
      }
      args.document = splitFragments(args.document);
      args.schema = limited(args.schema);
      return {
        onExecuteDone: ({ result, setResult }) => {
          if (!isAsyncIterable<ExecutionResult>(result)) return undefined;
          if (request.signal.aborted) return firstOf(result).then(setResult); // nobody will ask for another part
          operation.forbidStoring(); // a later part may hold a secret, and then it is too late for a header
          return undefined;
        },
      };
    },
  };
}

const PART_TYPES = ['multipart/mixed', 'text/event-stream'];

/**
 * A parameter that takes a type out: none of it, text that Yoga does not write, or parts in another format than that of
 * 2022, such as Apollo Client's `incrementalSpec=v0.2`, or its `subscriptionSpec`.
 */
const TAKES_OUT = /^(q=0(\.0*)?|charset=(?!utf-8$).*|(?!deferspec=20220824$)\w+spec=.*)$/;

/** Whether the caller names a type that has parts. Any type at all is what those send who expect JSON. */
function takesParts({ headers }: Request): boolean {
  const accepted = (headers.get('accept') ?? '').toLowerCase().replaceAll(/\s/g, '').split(',');
  return accepted.some((accept) => {
    const [type = '', ...parameters] = accept.split(';');
    return PART_TYPES.includes(type) && !parameters.some((parameter) => TAKES_OUT.test(parameter));
  });
}

/** The document without the directives: the same one where it has none. */
const withoutParts = memoize1((document: DocumentNode) =>
  visit(document, { Directive: ({ name }) => (name.value === 'defer' || name.value === 'stream' ? null : undefined) }),
);

const limited = memoize1(withPartLimit);

async function firstOf<Part>(parts: AsyncIterable<Part>): Promise<Part> {
  for await (const part of parts) return part;
  throw new Error('There is no part.');
}
