import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { type GraphQLSchema, isInterfaceType, parse, validate } from 'graphql';
import { planExecution } from '../execution/executor.ts';
import { introspectionSizes } from './cost/document-cost.ts';
import type { OperationCosts } from './cost/operation-costs.ts';
import { ResponseSize } from './responses/written-results.ts';

/**
 * Reads what depends on all types of the schema, before the first operation needs it: with typed databases that takes up to half a
 * second.
 */
export function readTypes(schema: GraphQLSchema): void {
  introspectionSizes(schema);
  const query = schema.getQueryType();
  for (const type of Object.values(schema.getTypeMap()))
    if (query && isInterfaceType(type)) schema.isSubType(type, query);
}

/** More rounds make nothing faster, and each takes 15 ms of CPU. */
const ROUNDS = 4;

/** An operation, and the JSON of its variables, as GraphiQL opens with it. */
interface ExampleOperation {
  readonly query?: string | null;
  readonly variables?: string | null;
}

/**
 * Prepares operations that nobody has sent, so that V8 has compiled that code when callers come: the first execution of a
 * document takes about 2 ms less then. They are parsed, validated and planned, and their costs are estimated; none is executed,
 * logged or counted, and nothing is called. Each takes a turn of the event loop of its own, between those of requests.
 *
 * @param isWanted asked before each of them: no more are prepared once it is false
 */
export async function warmUp(
  schema: GraphQLSchema,
  costs: OperationCosts,
  examples: readonly ExampleOperation[],
  isWanted: () => boolean,
): Promise<void> {
  for (const { query, variables } of Array.from({ length: ROUNDS }, () => examples).flat()) {
    await turnOfTheLoop();
    if (!isWanted()) return;
    const document = parse(query ?? '{ __typename }');
    if (validate(schema, document).length > 0) continue;
    const args = { schema, document, variableValues: JSON.parse(variables ?? '{}') };
    costs.of(args);
    planExecution(args, new ResponseSize(0));
  }
}
