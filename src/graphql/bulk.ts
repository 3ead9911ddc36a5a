import { type GraphQLResolveInfo, responsePathAsArray } from 'graphql';
import { type ArgBuilder, builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { asError, GatewayError, invalidInput } from '../http/errors.ts';
import { MutationError } from './errors.ts';

// Bulk mutations: a list of inputs, one upstream call for each, one after another, and a list of results in their order.

/** An item of a bulk mutation that was not sent to upstream. */
export class NotAttemptedError extends GatewayError {
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

/** The arguments and types that every bulk mutation shares. */
export const bulkArguments = (arg: ArgBuilder) => ({
  onFailure: arg({ type: OnFailure, required: true, defaultValue: 'STOP', description: 'What to do after a failure.' }),
});
export const bulkErrors = { types: [NotAttemptedError] };
export const bulkNullable = { list: true, items: true } as const;

/** Describes a bulk mutation. */
export const describeBulk = (about: string) =>
  `${about} One after another, at most MAX_BULK; the results have the order of the inputs. A result is null, with an ` +
  'error at its place, when its write failed without a refusal.';

interface BulkOptions {
  readonly onFailure: typeof OnFailure.$inferType;
  readonly context: Context;
  readonly info: GraphQLResolveInfo;
}

/**
 * Runs the writes of a bulk mutation one after another.
 *
 * @param argument the name of the argument that holds the items, for errors
 * @returns one entry per item, in their order: the result of `write`, or its error
 * @throws ValidationError for more than MAX_BULK items
 */
export async function writeEach<Item, Result>(
  argument: string,
  items: readonly Item[],
  { onFailure, context, info }: BulkOptions,
  write: (item: Item) => Promise<Result>,
): Promise<(Result | Error)[]> {
  const { bulkItems, bulkMs } = context.limits;
  if (items.length > bulkItems) throw invalidInput(argument, `takes ${bulkItems} items at most: see MAX_BULK`);
  const deadline = performance.now() + bulkMs;
  const results: (Result | Error)[] = [];
  let obstacle: string | undefined;
  for (const [index, item] of items.entries()) {
    if (performance.now() > deadline) obstacle ??= 'The time for this mutation is over: see BULK_TIMEOUT_MS.';
    if (context.budget.left === 0) obstacle ??= 'The operation has no upstream call left: see MAX_UPSTREAM_CALLS.';
    if (obstacle !== undefined) {
      results.push(new NotAttemptedError(obstacle));
      continue;
    }
    context.writes.begin();
    const result = await write(item).catch(asError);
    results.push(result);
    if (!(result instanceof Error)) continue;
    context.writes.fail([...responsePathAsArray(info.path), index]);
    if (context.writes.outcome === 'UNKNOWN') obstacle = `Whether item ${index} was applied is not known.`;
    else if (onFailure === 'STOP') obstacle = `Item ${index} failed.`;
  }
  return results;
}
