import { getOperationAST, GraphQLError, OperationTypeNode } from 'graphql';
import { type GraphQLParams, handleStreamOrSingleExecutionResult, isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { PluginContext } from '../../context.ts';
import type { WriteOutcome } from '../../http/errors.ts';
import type { WriteLedger } from '../../http/session/write-ledger.ts';
import { mapErrors } from './public-errors.ts';

/**
 * Adds to a response: the errors of fields that have a value all the same, and `extensions.notSent`. Runs before errors
 * are made public.
 */
export function useNotices(): Plugin<PluginContext> {
  return {
    onExecute: ({ args }) => {
      const { notices } = args.contextValue.operation;
      return {
        onExecuteDone: (payload) =>
          handleStreamOrSingleExecutionResult(payload, ({ result, setResult }) => {
            const errors = [...(result.errors ?? []), ...notices.takeErrors()];
            const notSent = notices.takeNotSent();
            if (errors.length === (result.errors?.length ?? 0) && !notSent) return;
            const extensions = { ...result.extensions, ...(notSent && { notSent }) };
            setResult({ ...result, ...(errors.length > 0 && { errors }), ...(notSent && { extensions }) });
          }),
      };
    },
  };
}

/** Adds `extensions.outcome` to every error of a mutation. Runs after errors were made public. */
export function useOutcomes(): Plugin<PluginContext, { readonly params?: GraphQLParams }> {
  return {
    onExecute: ({ args }) => {
      const { writes } = args.contextValue.operation;
      const operation = getOperationAST(args.document, args.operationName);
      if (operation?.operation !== OperationTypeNode.MUTATION) return undefined;
      return mapErrors((error) => withOutcome(error, outcomeOf(error, writes)));
    },
    onResultProcess: ({ result, setResult, serverContext }) => {
      // The text may be one that cannot be parsed. A request without any was refused before it was read.
      const mayWrite = serverContext.params?.query?.includes('mutation') ?? true;
      if (Array.isArray(result) || isAsyncIterable(result) || 'data' in result || !result.errors || !mayWrite) return;
      setResult({ ...result, errors: result.errors.map((error) => withOutcome(error, 'REFUSED')) });
    },
  };
}

/** The outcome at the path of an error. Below a payload the write was carried out; without a path nothing was begun. */
function outcomeOf({ path }: GraphQLError, writes: WriteLedger): WriteOutcome {
  if (!path) return 'REFUSED';
  return writes.outcomeAt(path) ?? (path.length > 1 ? 'APPLIED' : 'REFUSED');
}

function withOutcome(error: GraphQLError, outcome: WriteOutcome): GraphQLError {
  const { message, nodes = null, source = null, positions = null, path = null, extensions } = error;
  return new GraphQLError(message, { nodes, source, positions, path, extensions: { ...extensions, outcome } });
}
