import { type GraphQLResolveInfo, responsePathAsArray } from 'graphql';
import type { InputRef } from '@pothos/core';
import { type ArgBuilder, builder } from './builder.ts';
import type { Context } from '../operation/context.ts';
import { GatewayError, invalidInput } from '../errors.ts';
import type { FieldPath } from '../calls/write-ledger.ts';
import { MutationError } from './errors.ts';
import { explained } from './under-key.ts';

// Bulk mutations: a list of inputs, one upstream call for each, one after another, and a list of results in their order.

/** An item of a bulk mutation that was not sent to upstream. */
class NotAttemptedError extends GatewayError {
  readonly code = 'QUERY_LIMIT_EXCEEDED';
}

builder.objectType(NotAttemptedError, {
  name: 'NotAttempted',
  description: 'An item of a bulk mutation that was not sent to upstream. Nothing was changed: it can be sent again.',
  interfaces: [MutationError],
});

const OnFailure = builder.enumType('OnFailure', {
  description: 'Whether a bulk mutation goes on after an item that failed.',
  values: {
    STOP: { description: 'The items after it are `NotAttempted`.' },
    CONTINUE: {
      description:
        'The next item is sent, unless it is not known whether the failed one was applied: that always stops.',
    },
  },
});

/** The arguments that every bulk mutation shares. */
export const bulkArguments = (arg: ArgBuilder) => ({
  onFailure: arg({ type: OnFailure, required: true, defaultValue: 'STOP', description: 'What to do after a failure.' }),
});

/** The arguments of a bulk mutation whose items are inputs of one type. */
export const bulkInputs = <T>(arg: ArgBuilder, type: InputRef<T>, description: string) => ({
  inputs: arg({ type: [type], required: true, description }),
  ...bulkArguments(arg),
});

/** The options that every bulk mutation shares. */
export const bulkOptions = {
  nullable: { list: true, items: true } as const,
  itemErrors: { types: [NotAttemptedError] },
};

/** Describes a bulk mutation. */
export const describeBulk = (about: string) =>
  `${about} One after another, at most MAX_BULK; the results have the order of the inputs. A result is null, with an ` +
  'error at its place, when its write failed without a refusal.';

type BulkArguments<Name extends string, Item> = Readonly<Record<Name, readonly Item[]>> & {
  readonly onFailure: typeof OnFailure.$inferType;
};

/**
 * Creates the resolver of a bulk mutation.
 *
 * @param argument the name of the argument that holds the items
 * @param write sends one item
 * @returns one entry per item, in their order: the result of `write`, or a rejection
 * @throws ValidationError for more than MAX_BULK items
 */
export function bulkResolver<Name extends string, Item, Result>(
  argument: Name,
  write: (item: Item, context: Context) => Promise<Result>,
) {
  return async (
    _root: unknown,
    args: BulkArguments<Name, Item>,
    context: Context,
    info: GraphQLResolveInfo,
  ): Promise<Promise<Result>[]> => {
    const items: readonly Item[] = args[argument];
    const { bulkItems, bulkMs } = context.limits;
    if (items.length > bulkItems) throw invalidInput(argument, `takes ${bulkItems} items at most: see MAX_BULK`);

    const deadline = performance.now() + bulkMs;
    const results: Promise<Result>[] = [];
    let obstacle: string | undefined;
    for (const [index, item] of items.entries()) {
      obstacle ??= exhausted(context, deadline);
      const result =
        obstacle === undefined
          ? attempt(() => write(item, context), context, { prev: info.path, key: index })
          : notAttempted(obstacle);
      results.push(result);
      const isDone = await result.then(returnTrue, returnFalse);
      if (isDone || obstacle !== undefined) continue;
      context.writes.keep([...responsePathAsArray(info.path), index]);
      obstacle = obstacleAfter(index, context, args.onFailure);
    }
    return results;
  };
}

/** Async, so that an error that is thrown before the call rejects its item, too. */
async function attempt<Result>(write: () => Promise<Result>, context: Context, path: FieldPath): Promise<Result> {
  context.writes.enter(path);
  try {
    return await write();
  } catch (error) {
    return explained(error, context);
  }
}

async function notAttempted(obstacle: string): Promise<never> {
  throw new NotAttemptedError(obstacle);
}

/** Why no item can be sent any more; undefined while one can. */
function exhausted({ budget }: Context, deadline: number): string | undefined {
  if (performance.now() > deadline) return 'The time for this mutation is over: see BULK_TIMEOUT_MS.';
  if (budget.left === 0) return 'The operation has no upstream call left: see MAX_UPSTREAM_CALLS.';
  return undefined;
}

/** Why a failure keeps the next items from being sent; undefined when it does not. */
function obstacleAfter(index: number, { writes }: Context, onFailure: 'STOP' | 'CONTINUE'): string | undefined {
  if (writes.outcome === 'UNKNOWN') return `Whether item ${index} was applied is not known.`;
  return onFailure === 'STOP' ? `Item ${index} failed.` : undefined;
}

const returnTrue = () => true;
const returnFalse = () => false;
