import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { PluginContext } from '../../context.ts';
import { executePlan } from '../../execution/executor.ts';
import { OperationResponse } from './operation-response.ts';

/**
 * Executes operations by their plans, and completes and logs their responses.
 *
 * Resolvers get only the context of the operation. Yoga's plugins extend their own context by assignment, which would read
 * every getter of the operation's context, and so create every data source.
 */
export function useOperations(log: Logger): Plugin<PluginContext> {
  return {
    onExecute: ({ args, executeFn, setExecuteFn }) => {
      const { operation: context } = args.contextValue;
      const response = new OperationResponse(args, context, log);
      setExecuteFn((given) => {
        const ofOperation = { ...given, contextValue: context };
        return executePlan(ofOperation) ?? executeFn(ofOperation);
      });
      return {
        onExecuteDone: ({ result, setResult }) => {
          if (isAsyncIterable(result)) {
            return {
              onNext: ({ result: part, setResult: setPart }) => setPart(response.complete(part)),
              onEnd: () => response.writeLine(),
            };
          }
          setResult(response.complete(result));
          return response.writeLine();
        },
      };
    },
  };
}
