import type { ExecutionArgs, ExecutionResult } from 'graphql';
import { isAsyncIterable, isPromise, type Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Context, PluginContext } from '../../context.ts';
import { executePlan } from '../../execution/executor.ts';
import { type OperationCosts, refusalOf } from '../cost/operation-costs.ts';
import { OperationResponse } from './operation-response.ts';
import { tracedSchema } from './tracing.ts';

/**
 * Executes operations by their plans, and completes and logs their responses. Refuses those beyond MAX_COST.
 *
 * Resolvers get only the context of the operation. Yoga's plugins extend their own context by assignment, which would read
 * every getter of the operation's context, and so create every data source.
 */
export function useOperations(log: Logger, costs: OperationCosts): Plugin<PluginContext> {
  return {
    onExecute: ({ args, executeFn, setExecuteFn }) => {
      const { operation: context, wantsCost } = args.contextValue;
      const cost = costs.of(args);
      const response = new OperationResponse(args, { context, log, cost: wantsCost ? cost : undefined });
      setExecuteFn((given) => {
        const schema = context.trace ? tracedSchema(given.schema) : given.schema;
        const ofOperation = { ...given, schema, contextValue: context };
        return refusalOf(cost, given) ?? executePlan(ofOperation) ?? executeFn(ofOperation);
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

/** The arguments of an operation that is executed without Yoga. */
export interface DirectArguments extends ExecutionArgs {
  readonly contextValue: Context;
}

interface DirectOptions {
  readonly log: Logger;
  readonly costs: OperationCosts;
  readonly wantsCost: boolean;
}

/**
 * Does for an operation with a plan what the plugin does, without the hooks of Yoga's other plugins: they concern requests
 * that are refused, and responses in parts.
 *
 * @returns undefined when the operation has no plan: nothing was executed
 */
export function executeDirectly(
  args: DirectArguments,
  { log, costs, wantsCost }: DirectOptions,
): ExecutionResult | Promise<ExecutionResult> | undefined {
  const cost = costs.of(args);
  const response = new OperationResponse(args, { context: args.contextValue, log, cost: wantsCost ? cost : undefined });
  const end = (result: ExecutionResult): ExecutionResult => {
    const completed = response.complete(result);
    response.writeLine();
    return completed;
  };
  const { schema, contextValue } = args;
  const traced = contextValue.trace ? { ...args, schema: tracedSchema(schema) } : args;
  const result = refusalOf(cost, args) ?? executePlan(traced);
  return isPromise(result) ? result.then(end) : result && end(result);
}
