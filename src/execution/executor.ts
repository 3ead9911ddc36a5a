import { normalizedExecutor } from '@graphql-tools/executor';
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  getOperationAST,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import { type ExecutionBounds, PlanExecution } from './plan-execution.ts';
import { type Values, VariableCoercion } from './input-coercion.ts';
import { type DocumentTraits, OperationPlan, traitsOf } from './plan.ts';

/** The last plan of an operation. */
interface PlannedOperation {
  readonly schema: GraphQLSchema;
  readonly variables: VariableCoercion;
  /** The values of the variables that decide which fields are selected. */
  readonly conditions: readonly unknown[];
  readonly plan: OperationPlan;
}

interface PlannedDocument {
  readonly traits: DocumentTraits;
  readonly operations: Map<OperationDefinitionNode, PlannedOperation>;
}

const NO_VALUES: Values = {};

/** Plans live as long as their documents. They have a field per token at most, so that the size of a document limits both. */
const documents = new WeakMap<DocumentNode, PlannedDocument>();

/** A response, or its parts. */
export type Executed = ExecutionResult | AsyncIterable<ExecutionResult>;

/**
 * Executes a valid operation: by its plan, or where it has none by the standard executor, which keeps none of the bounds.
 *
 * @throws what only a defect causes; errors of fields and variables are in the result
 */
export function execute(args: ExecutionArgs, bounds: ExecutionBounds): Executed | Promise<Executed> {
  const execution = planExecution(args, bounds);
  return execution ? execution.run() : normalizedExecutor(args);
}

/** An operation that is prepared to be executed, or to be refused. */
interface PreparedExecution {
  readonly run: () => ExecutionResult | Promise<ExecutionResult>;
}

/**
 * Prepares the execution of a valid operation by its plan, or its refusal where variables do not fit. Undefined when it has no
 * plan: an operation with `@defer` or `@stream`, and an unknown operation.
 *
 * @internal exported for the tests
 */
export function planExecution(args: ExecutionArgs, bounds: ExecutionBounds): PreparedExecution | undefined {
  const { schema, document, operationName, variableValues, rootValue, contextValue } = args;
  const planned = plannedDocument(document);
  const { traits, operations } = planned;
  const node = getOperationAST(document, operationName);
  if (!node || node.operation === OperationTypeNode.SUBSCRIPTION) return undefined;

  const last = operations.get(node);
  const known = last?.schema === schema ? last : undefined;
  const variables = known?.variables ?? new VariableCoercion(schema, node);
  const { errors, values: coerced } = variables.constant ?? variables.coerce(variableValues ?? NO_VALUES);
  if (errors) return { run: () => ({ errors }) };
  if (traits.isUnplannable) return undefined;

  const values = { variables: coerced, rootValue, context: contextValue };
  const conditions = traits.conditions.map((name) => coerced[name]);
  if (known?.conditions.every((value, index) => value === conditions[index]))
    return new PlanExecution(known.plan, values, bounds);

  const rootType = schema.getRootType(node.operation);
  if (!rootType) return undefined;
  const plan = planOf(planned, node, { schema, variables, conditions }, rootType, coerced);
  if (plan instanceof GraphQLError) return { run: () => ({ data: null, errors: [plan] }) };
  return new PlanExecution(plan, values, bounds);
}

/**
 * Makes the plan of an operation, and keeps it unless it is too large.
 *
 * @returns an error where a condition of the first fields is null: a variable with a default may be null, and `@skip` takes no null
 */
function planOf(
  { traits, operations }: PlannedDocument,
  node: OperationDefinitionNode,
  known: Omit<PlannedOperation, 'plan'>,
  rootType: GraphQLObjectType,
  coerced: Values,
): OperationPlan | GraphQLError {
  let isKept = true;
  const onTooLarge = () => {
    isKept = false;
    operations.delete(node);
  };
  const operation = { schema: known.schema, node, fragments: traits.fragments };
  try {
    const plan = new OperationPlan(operation, rootType, coerced, { maxFields: traits.size, onTooLarge });
    if (isKept) operations.set(node, { ...known, plan });
    return plan;
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

/** Whether a document has `@defer` or `@stream`, wherever they stand and however they are written. */
export function hasParts(document: DocumentNode): boolean {
  return plannedDocument(document).traits.hasParts;
}

function plannedDocument(document: DocumentNode): PlannedDocument {
  const known = documents.get(document);
  if (known) return known;
  const planned = { traits: traitsOf(document), operations: new Map<OperationDefinitionNode, PlannedOperation>() };
  documents.set(document, planned);
  return planned;
}
