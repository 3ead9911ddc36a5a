import type { DocumentNode, ExecutionArgs, ExecutionResult } from 'graphql';
import { isAsyncIterable, isPromise, type Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Context, PluginContext } from '../../context.ts';
import { executePlan, planExecution } from '../../execution/executor.ts';
import type { OperationObserver } from '../../operation-observer.ts';
import { type OperationCosts, refusalOf } from '../cost/operation-costs.ts';
import { OperationResponse } from './operation-response.ts';
import { tracedSchema } from './tracing.ts';

/** Knows which documents are trusted. */
export interface TrustedDocuments {
  /** The id of a trusted document. Undefined for any other one. */
  trustedId(document: DocumentNode): string | undefined;
}

interface OperationsOptions {
  readonly log: Logger;
  readonly costs: OperationCosts;
  readonly observer?: OperationObserver | undefined;
  readonly trusted?: TrustedDocuments | undefined;
}

/**
 * Executes operations by their plans, and completes and logs their responses. Refuses those beyond MAX_COST.
 *
 * Resolvers get only the context of the operation. Yoga's plugins extend their own context by assignment, which would read
 * every getter of the operation's context, and so create every data source.
 */
export function useOperations({ log, costs, observer, trusted }: OperationsOptions): Plugin<PluginContext> {
  return {
    onExecute: ({ args, executeFn, setExecuteFn }) => {
      const { operation: context, wantsCost } = args.contextValue;
      const cost = costs.of(args);
      const documentId = trusted?.trustedId(args.document);
      const shownCost = wantsCost ? cost : undefined;
      const response = new OperationResponse(args, { context, log, cost: shownCost, observer, documentId });
      setExecuteFn((given) => {
        const schema = context.trace?.hasFields ? tracedSchema(given.schema) : given.schema;
        const ofOperation = { ...given, schema, contextValue: context };
        return refusalOf(cost, given) ?? response.run(() => executePlan(ofOperation) ?? executeFn(ofOperation));
      });
      return {
        onExecuteDone: ({ result, setResult }) => {
          if (isAsyncIterable(result)) {
            return {
              onNext: ({ result: part, setResult: setPart }) => setPart(response.complete(part)),
              onEnd: () => response.end(),
            };
          }
          setResult(response.complete(result));
          return response.end();
        },
      };
    },
  };
}

/** The arguments of an operation that is executed without Yoga. */
export interface DirectArguments extends ExecutionArgs {
  readonly contextValue: Context;
}

interface DirectOptions extends OperationsOptions {
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
  { log, costs, wantsCost, observer, trusted }: DirectOptions,
): ExecutionResult | Promise<ExecutionResult> | undefined {
  const cost = costs.of(args);
  const refusal = refusalOf(cost, args);
  const { schema, contextValue: context } = args;
  const execution = refusal
    ? undefined
    : planExecution(context.trace?.hasFields ? { ...args, schema: tracedSchema(schema) } : args);
  if (!refusal && !execution) return undefined;
  const documentId = trusted?.trustedId(args.document);
  const shownCost = wantsCost ? cost : undefined;
  const response = new OperationResponse(args, { context, log, cost: shownCost, observer, documentId });
  const end = (result: ExecutionResult): ExecutionResult => {
    const completed = response.complete(result);
    response.end();
    return completed;
  };
  const result = refusal ?? (execution && response.run(() => execution.run()));
  return isPromise(result) ? result.then(end) : result && end(result);
}
