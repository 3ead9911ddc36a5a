import { type ASTVisitor, GraphQLError, OperationTypeNode, type ValidationContext } from 'graphql';
import { type GraphQLParams, isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { OperationObserver } from './operation-observer.ts';
import { copyWithOutcome, countByCode, redactMessage } from './errors/public-error.ts';
import { inputFields } from './errors/input-fields.ts';
import { requestIdOf, type ServerContext } from './server-context.ts';

interface RefusalOptions {
  readonly log: Logger;
  readonly observer: OperationObserver | undefined;
  /** Whether errors suggest no names of the schema. */
  readonly hidesSuggestions: boolean;
}

/**
 * Handles operations that are refused before they are executed: removes quoted values from errors, adds the inputs that they
 * are about, logs a line, and adds `extensions.outcome` to the errors of a mutation.
 */
export function useRefusedOperations({
  log,
  observer,
  hidesSuggestions,
}: RefusalOptions): Plugin<object, ServerContext & { readonly params?: GraphQLParams }> {
  const executed = new WeakSet<object>();
  return {
    onValidate: ({ addValidationRule, params: { documentAST, schema } }) => {
      addValidationRule(operationsOfTheSchema);
      const addFields = inputFields(documentAST);
      const shown = (error: unknown) =>
        error instanceof GraphQLError ? addFields(redactMessage(error, hidesSuggestions ? undefined : schema)) : error;
      return ({ valid, result, setResult }) => {
        if (!valid) setResult(result.map(shown));
      };
    },
    onExecute: ({ args }) => void executed.add(args.contextValue),
    onResultProcess: ({ result, setResult, serverContext }) => {
      if (Array.isArray(result) || isAsyncIterable(result)) return;
      if (!executed.has(serverContext)) {
        const requestId = requestIdOf(serverContext.req.headers);
        const errors = countByCode(result.errors ?? []);
        log.info({ requestId, upstreamCalls: 0, errors }, 'refused');
        observer?.refuse?.(errors);
      }
      // The text may be one that cannot be parsed. A request without any was refused before it was read.
      const mayWrite = serverContext.params?.query?.includes('mutation') ?? true;
      if ('data' in result || !result.errors || !mayWrite) return;
      setResult({ ...result, errors: result.errors.map((error) => copyWithOutcome(error, 'REFUSED')) });
    },
  };
}

/** Refuses operations of a kind that the schema has not: graphql-js takes them as valid, and any field of them. */
function operationsOfTheSchema(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition(node) {
      const { operation } = node;
      if (context.getSchema().getRootType(operation)) return;
      const message = operation === OperationTypeNode.SUBSCRIPTION ? POLL : `The schema has no ${operation}s.`;
      context.reportError(new GraphQLError(message, { nodes: node, extensions: { code: 'BAD_USER_INPUT' } }));
    },
  };
}

const POLL =
  'There are no subscriptions: the APIs tell no changes. Poll instead: send a query again every few seconds, such as by `pollInterval` of Apollo Client.';
