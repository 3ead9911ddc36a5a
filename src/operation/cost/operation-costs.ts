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
import { costliestList, type CostlyList } from './costliest-list.ts';
import { costOf, type MeasuredOperation } from './document-cost.ts';

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

  /** The result of an operation that costs more than MAX_COST: it names the list to make shorter. */
  refusal(args: ExecutionArgs, { requested, limit }: OperationCost): ExecutionResult {
    const operation = getOperationAST(args.document, args.operationName);
    const list = operation && this.#costliestList(args, operation);
    const advice = list ? ` ${adviceFor(list, requested, limit)}` : ' Select fewer lists in each other.';
    const message = `The operation exceeds MAX_COST: ${requested}, and ${limit} is the limit.${advice}`;
    const nodes = list?.node ?? operation ?? null;
    return { errors: [new GraphQLError(message, { nodes, extensions: { code: 'QUERY_LIMIT_EXCEEDED' } })] };
  }

  #costliestList({ schema, document, variableValues }: ExecutionArgs, node: OperationDefinitionNode) {
    try {
      const values = { variables: variableValues ?? NO_VALUES, fragments: new Map() };
      return costliestList(this.#measured(schema, document, node), values);
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  #measure(schema: GraphQLSchema, document: DocumentNode, node: OperationDefinitionNode): Amount {
    const cost = costOf(this.#measured(schema, document, node));
    this.#costs.set(node, cost);
    return cost;
  }

  #measured(schema: GraphQLSchema, { definitions }: DocumentNode, node: OperationDefinitionNode): MeasuredOperation {
    const fragments = new Map<string, FragmentDefinitionNode>();
    for (const definition of definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    }
    return { schema, node, fragments, maxPageSize: this.#maxPageSize };
  }
}

/** Says which list costs most, and how short it would have to be. */
function adviceFor({ node, argument, path, rows, cost }: CostlyList, requested: number, limit: number): string {
  const isPage = argument === 'first' || argument === 'last';
  const size = isPage ? `${argument}: ${rows}` : `${rows} ${argument}`;
  const costs = `\`${node.name.value}(${size})\` at \`${path}\` costs ${Math.ceil(cost)} of it`;
  const fitting = roundedDown((rows * (limit - requested + cost)) / cost);
  if (fitting < 1) return `${costs}: select fewer lists in it.`;
  return isPage
    ? `${costs}: page it with \`${argument}: ${fitting}\`.`
    : `${costs}: send ${fitting} ${argument} at once.`;
}

/** Rounds down to a digit and zeros: 199 to 100. */
function roundedDown(value: number): number {
  if (!(value >= 1)) return 0;
  const unit = 10 ** Math.floor(Math.log10(value));
  return Math.floor(value / unit) * unit;
}
