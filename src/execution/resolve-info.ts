import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLResolveInfo,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql';
import type { FieldPlan, Operation } from './plan.ts';

export type Path = GraphQLResolveInfo['path'];

/** The values that all resolvers of one execution share. */
export interface ExecutionInfo {
  readonly operation: Operation;
  readonly rootValue: unknown;
  readonly variables: Record<string, unknown>;
}

/**
 * The information about a field that its resolver gets. Its properties are getters: most resolvers of a long list read none of them, so
 * that no path is built.
 */
export class ResolveInfo implements GraphQLResolveInfo {
  readonly #execution: ExecutionInfo;
  readonly #field: FieldPlan;
  readonly #parentPath: Path | undefined;

  constructor(execution: ExecutionInfo, field: FieldPlan, parentPath: Path | undefined) {
    this.#execution = execution;
    this.#field = field;
    this.#parentPath = parentPath;
  }

  get fieldName(): string {
    return this.#field.definition.name;
  }

  get fieldNodes(): FieldNode[] {
    return this.#field.nodes;
  }

  get returnType(): GraphQLResolveInfo['returnType'] {
    return this.#field.definition.type;
  }

  get parentType(): GraphQLResolveInfo['parentType'] {
    return this.#field.parentType;
  }

  get path(): Path {
    return pathOf(this.#field, this.#parentPath);
  }

  get schema(): GraphQLSchema {
    return this.#execution.operation.schema;
  }

  get fragments(): Record<string, FragmentDefinitionNode> {
    return this.#execution.operation.fragments;
  }

  get rootValue(): unknown {
    return this.#execution.rootValue;
  }

  get operation(): OperationDefinitionNode {
    return this.#execution.operation.node;
  }

  get variableValues(): Record<string, unknown> {
    return this.#execution.variables;
  }
}

/** The response path of a field of an object at `parentPath`. */
export function pathOf(field: FieldPlan, parentPath: Path | undefined): Path {
  return { prev: parentPath, key: field.responseName, typename: field.parentType.name };
}
