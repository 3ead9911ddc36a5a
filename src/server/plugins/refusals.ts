import { GraphQLError } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { OperationObserver } from '../../operation-observer.ts';
import { countByCode } from '../errors/count-by-code.ts';
import { redactMessage } from '../errors/public-error.ts';
import { requestIdOf } from '../request-id.ts';
import type { ServerContext } from '../request.ts';

/** Handles operations that are refused before they are executed: removes quoted values from errors, and logs a line. */
export function useRefusals(log: Logger, observer: OperationObserver | undefined): Plugin<object, ServerContext> {
  const executed = new WeakSet<object>();
  return {
    onValidate:
      () =>
      ({ valid, result, setResult }) => {
        if (!valid) setResult(result.map((error) => (error instanceof GraphQLError ? redactMessage(error) : error)));
      },
    onExecute: ({ args }) => void executed.add(args.contextValue),
    onResultProcess: ({ result, serverContext }) => {
      if (Array.isArray(result) || isAsyncIterable(result) || executed.has(serverContext)) return;
      const requestId = requestIdOf(serverContext.req.headers);
      const errors = countByCode(result.errors ?? []);
      log.info({ requestId, upstreamCalls: 0, errors }, 'refused');
      observer?.refuse?.(errors);
    },
  };
}
