import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FragmentDefinitionNode,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import type { Config } from '../../config.ts';
import type { Values } from '../../execution/input-coercion.ts';
import { type Amount, numberOf } from './amounts.ts';
import { costOf } from './document-cost.ts';

/** The cost of an operation, and the most that one may cost, as `extensions.cost` shows them. */
export interface OperationCost {
  readonly requested: number;
  /** The setting MAX_COST. */
  readonly limit: number;
}

/** The header by which a caller asks for `extensions.cost`: its value is 1. */
export const COST_HEADER = 'x-trivium-cost';

const NO_VALUES: Values = {};

/**
 * Knows the cost of operations before they are executed: about how many objects their responses can have. A document is
 * measured once; its requests differ only in the sizes of lists that are variables.
 *
 * @see docs/decisions/0033-the-cost-of-an-operation.md
 */
export class OperationCosts {
  readonly #limit: number;
  readonly #maxPageSize: number;
  /** Kept as long as the documents of the operations. */
  readonly #costs = new WeakMap<OperationDefinitionNode, Amount>();

  constructor({ MAX_COST, MAX_PAGE_SIZE }: Pick<Config, 'MAX_COST' | 'MAX_PAGE_SIZE'>) {
    this.#limit = MAX_COST;
    this.#maxPageSize = MAX_PAGE_SIZE;
  }

  /** The cost of a valid operation for variables that need not be valid. */
  of({ schema, document, operationName, variableValues }: ExecutionArgs): OperationCost {
    const limit = this.#limit;
    const node = getOperationAST(document, operationName);
    if (!node) return { requested: 0, limit };
    try {
      const cost = this.#costs.get(node) ?? this.#measure(schema, document, node);
      const values = { variables: variableValues ?? NO_VALUES, fragments: new Map() };
      return { requested: typeof cost === 'number' ? cost : numberOf(cost, values), limit };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return { requested: Number.MAX_SAFE_INTEGER, limit }; // fragments in fragments overflow the stack
    }
  }

  #measure(schema: GraphQLSchema, { definitions }: DocumentNode, node: OperationDefinitionNode): Amount {
    const fragments = new Map<string, FragmentDefinitionNode>();
    for (const definition of definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    }
    const cost = costOf({ schema, node, fragments, maxPageSize: this.#maxPageSize });
    this.#costs.set(node, cost);
    return cost;
  }
}

/** The result of an operation that costs more than MAX_COST. */
export function costRefusal(
  { requested, limit }: OperationCost,
  nodes: OperationDefinitionNode | null | undefined,
): ExecutionResult {
  const message = `The operation exceeds MAX_COST: ${requested}, and ${limit} is the limit.`;
  return {
    errors: [new GraphQLError(message, { nodes: nodes ?? null, extensions: { code: 'QUERY_LIMIT_EXCEEDED' } })],
  };
}
