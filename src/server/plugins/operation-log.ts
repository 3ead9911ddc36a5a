import { getOperationAST, GraphQLError } from 'graphql';
import { handleStreamOrSingleExecutionResult, type Plugin, type YogaInitialContext } from 'graphql-yoga';
import type { Logger } from 'pino';
import { publicError, reportUnexpected } from '../errors/public-error.ts';
import type { PluginContext } from '../../context.ts';

/** Longer operation names are cut in the log. */
const MAX_NAME_LENGTH = 100;

/** Logs one line per operation: name, time, upstream calls, errors by code. Never logs a variable or a header. */
export function useOperationLog(log: Logger): Plugin<PluginContext & YogaInitialContext> {
  const logRefused = (errors: Record<string, number>) => log.info({ upstreamCalls: 0, errors }, 'refused');
  return {
    onParse:
      ({ context }) =>
      ({ result }) => {
        if (result instanceof Error) return logRefused(countByCode([publicError(result, reportUnexpected(log))]));
        // Yoga refuses these after parsing: an unknown operation name, and a mutation by GET.
        const operation = getOperationAST(result, context.params.operationName);
        const byGet = context.request.method === 'GET';
        if (!operation || (byGet && operation.operation === 'mutation')) logRefused({ BAD_USER_INPUT: 1 });
      },
    onValidate:
      () =>
      ({ valid, result }) => {
        if (!valid) logRefused(countByCode(result));
      },
    onExecute: ({ args }) => {
      const start = performance.now();
      const operation = getOperationAST(args.document, args.operationName);
      const errors: GraphQLError[] = [];
      const writeLine = () => {
        const line = {
          operation: operation?.name?.value.slice(0, MAX_NAME_LENGTH) ?? 'anonymous',
          type: operation?.operation,
          ms: Math.round(performance.now() - start),
          upstreamCalls: args.contextValue.operation.budget.spent,
          errors: countByCode(errors),
        };
        log.info(line, 'operation');
      };
      return {
        onExecuteDone: (payload) => {
          const parts = handleStreamOrSingleExecutionResult(payload, ({ result }) => {
            const incremental = ('incremental' in result && result.incremental) || [];
            for (const part of [result, ...incremental]) errors.push(...(part.errors ?? []));
          });
          return parts ? { ...parts, onEnd: writeLine } : writeLine();
        },
      };
    },
  };
}

function countByCode(errors: readonly Error[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const error of errors) {
    const code = String((error instanceof GraphQLError && error.extensions['code']) || 'GRAPHQL_VALIDATION_FAILED');
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}
