import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  getOperationAST,
  getVariableValues,
  type GraphQLSchema,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import { PlanExecution } from './plan-execution.ts';
import { type DocumentTraits, OperationPlan, traitsOf, type Values } from './plan.ts';

/** The last plan of an operation. */
interface PlannedOperation {
  readonly schema: GraphQLSchema;
  /** The values of the variables that decide which fields are selected. */
  readonly conditions: readonly unknown[];
  readonly plan: OperationPlan;
}

interface PlannedDocument {
  readonly traits: DocumentTraits;
  readonly operations: Map<OperationDefinitionNode, PlannedOperation>;
}

/** Plans live as long as their documents, which the document cache limits by their size. */
const documents = new WeakMap<DocumentNode, PlannedDocument>();

/**
 * Executes a valid operation by its plan. Undefined when it has none, and nothing was executed: an operation with `@defer` or
 * `@stream`, an unknown operation, and variables that do not fit.
 */
export function executePlan(args: ExecutionArgs): ExecutionResult | Promise<ExecutionResult> | undefined {
  const { schema, document, operationName, variableValues, rootValue, contextValue } = args;
  const { traits, operations } = plannedDocument(document);
  const node = getOperationAST(document, operationName);
  if (!node || node.operation === OperationTypeNode.SUBSCRIPTION || traits.isUnplannable) return undefined;

  const { coerced } = getVariableValues(schema, node.variableDefinitions ?? [], variableValues ?? {}, { maxErrors: 1 });
  if (!coerced) return undefined; // the standard executor tells why

  const conditions = traits.conditions.map((name) => coerced[name]);
  const known = operations.get(node);
  const isSame = known?.schema === schema && known.conditions.every((value, index) => value === conditions[index]);
  const plan = isSame ? known.plan : planOperation({ schema, node, fragments: traits.fragments }, coerced);
  if (!plan) return undefined;
  if (!isSame) operations.set(node, { schema, conditions, plan });
  return new PlanExecution(plan, coerced, rootValue, contextValue).run();
}

function plannedDocument(document: DocumentNode): PlannedDocument {
  const known = documents.get(document);
  if (known) return known;
  const planned = { traits: traitsOf(document), operations: new Map<OperationDefinitionNode, PlannedOperation>() };
  documents.set(document, planned);
  return planned;
}

function planOperation(operation: OperationPlan['operation'], variables: Values): OperationPlan | undefined {
  const rootType = operation.schema.getRootType(operation.node.operation);
  return rootType ? new OperationPlan(operation, rootType, variables) : undefined;
}
