import { GraphQLError } from 'graphql';
import { type GraphQLParams, isAsyncIterable, type Plugin } from 'graphql-yoga';
import { withoutStackTrace } from '../../execution/stack-traces.ts';
import type { WriteOutcome } from '../../http/errors.ts';
import type { WriteLedger } from '../../http/session/write-ledger.ts';

/** Adds `extensions.outcome` to the errors of a mutation that was refused before it was executed. */
export function useOutcomes(): Plugin<object, { readonly params?: GraphQLParams }> {
  return {
    onResultProcess: ({ result, setResult, serverContext }) => {
      // The text may be one that cannot be parsed. A request without any was refused before it was read.
      const mayWrite = serverContext.params?.query?.includes('mutation') ?? true;
      if (Array.isArray(result) || isAsyncIterable(result) || 'data' in result || !result.errors || !mayWrite) return;
      setResult({ ...result, errors: result.errors.map((error) => copyWith(error, 'REFUSED')) });
    },
  };
}

/** Adds `extensions.outcome` to an error of an executed mutation: the outcome of the write at its path. */
export function withOutcome(error: GraphQLError, writes: WriteLedger): GraphQLError {
  return copyWith(error, outcomeOf(error, writes));
}

/** The outcome at the path of an error. Below a payload the write was carried out; without a path nothing was begun. */
function outcomeOf({ path }: GraphQLError, writes: WriteLedger): WriteOutcome {
  if (!path) return 'REFUSED';
  return writes.outcomeAt(path) ?? (path.length > 1 ? 'APPLIED' : 'REFUSED');
}

function copyWith(error: GraphQLError, outcome: WriteOutcome): GraphQLError {
  const { message, nodes = null, source = null, positions = null, path = null, extensions } = error;
  const options = { nodes, source, positions, path, extensions: { ...extensions, outcome } };
  return withoutStackTrace(() => new GraphQLError(message, options));
}
