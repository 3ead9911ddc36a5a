import { type DocumentNode, type ExecutionArgs, type ExecutionResult, getOperationAST } from 'graphql';
import { isAsyncIterable, isPromise, type Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Context, PluginContext } from '../../context.ts';
import { planExecution } from '../../execution/executor.ts';
import type { PlanExecution } from '../../execution/plan-execution.ts';
import { pause } from '../../http/slices.ts';
import type { OperationObserver } from '../../operation-observer.ts';
import { type OperationCosts, refusalOf } from '../cost/operation-costs.ts';
import { type Part, ResponseSize, writtenPart, writtenParts } from '../responses/written-results.ts';
import { OperationResponse } from './operation-response.ts';
import { tracedSchema } from './tracing.ts';

/** Knows which documents are trusted. */
export interface TrustedDocuments {
  /** The id of a trusted document. Undefined for any other one. */
  trustedId(document: DocumentNode): string | undefined;
}

interface OperationsOptions {
  /** The setting MAX_RESPONSE_BYTES. */
  readonly maxBytes: number;
  readonly log: Logger;
  readonly costs: OperationCosts;
  readonly observer?: OperationObserver | undefined;
  readonly trusted?: TrustedDocuments | undefined;
}

/**
 * Executes operations by their plans, and completes and logs their responses. Refuses those beyond MAX_COST, and ends those
 * whose responses are larger than MAX_RESPONSE_BYTES.
 *
 * Resolvers get only the context of the operation. Yoga's plugins extend their own context by assignment, which would read
 * every getter of the operation's context, and so create every data source.
 */
export function useOperations({ maxBytes, log, costs, observer, trusted }: OperationsOptions): Plugin<PluginContext> {
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
        const size = new ResponseSize(maxBytes);
        const execution = planExecution(ofOperation, size);
        const execute = () =>
          execution ? runPlan(execution, size) : written(executeFn(ofOperation), ofOperation, size);
        return refusalOf(cost, given) ?? response.run(execute);
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
  { maxBytes, log, costs, wantsCost, observer, trusted }: DirectOptions,
): ExecutionResult | Promise<ExecutionResult> | undefined {
  const cost = costs.of(args);
  const refusal = refusalOf(cost, args);
  const { schema, contextValue: context } = args;
  const size = new ResponseSize(maxBytes);
  const execution = refusal
    ? undefined
    : planExecution(context.trace?.hasFields ? { ...args, schema: tracedSchema(schema) } : args, size);
  if (!refusal && !execution) return undefined;
  const documentId = trusted?.trustedId(args.document);
  const shownCost = wantsCost ? cost : undefined;
  const response = new OperationResponse(args, { context, log, cost: shownCost, observer, documentId });
  const end = (result: ExecutionResult): ExecutionResult => {
    const completed = response.complete(result);
    response.end();
    return completed;
  };
  const result = refusal ?? (execution && response.run(() => runPlan(execution, size)));
  return isPromise(result) ? result.then(end) : result && end(result);
}

/** Runs a plan. Its data are written here where they are large, or may be too large; most are surely not. */
function runPlan(execution: PlanExecution, size: ResponseSize): ExecutionResult | Promise<ExecutionResult> {
  const result = execution.run();
  const bounded = (made: ExecutionResult) => {
    const { characters, operation } = execution;
    if (!size.surelyHolds(characters)) return writtenPart(made, operation.node, size, characters);
    // Operations that share a read are done in the same turn of the event loop.
    const turn = characters > SMALL_CHARACTERS ? pause() : undefined;
    return turn ? turn.then(() => made) : made;
  };
  return isPromise(result) ? result.then(bounded) : bounded(result);
}

/** To write a response with fewer characters takes far less than a turn of the event loop. */
const SMALL_CHARACTERS = 64 * 1024;

/** A response, or its parts. */
type Executed = Part | AsyncIterable<Part>;

/** Writes what the standard executor makes, which counts nothing. */
async function written(
  result: Executed | Promise<Executed>,
  { document, operationName }: ExecutionArgs,
  size: ResponseSize,
): Promise<Executed> {
  const node = getOperationAST(document, operationName);
  const made = await result;
  if (!node) return made; // an error
  return isAsyncIterable(made) ? writtenParts(made, node, size) : writtenPart(made, node, size);
}
