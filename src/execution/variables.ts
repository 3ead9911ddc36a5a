import {
  getVariableValues,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import { type Coercion, coercionFor, type Values, withoutPrototype } from './input-coercion.ts';

/** A variable that an operation defines. */
interface Variable {
  readonly name: string;
  /** Whether a request may leave it out, and it has no value then. */
  readonly isOptional: boolean;
  readonly coerce: Coercion;
}

/** Coerces the variables of one operation. What it knows of their types it learns once. */
export class VariableCoercion {
  readonly #schema: GraphQLSchema;
  readonly #node: OperationDefinitionNode;
  /** Undefined for an operation whose variables graphql has to coerce. */
  readonly #variables: readonly Variable[] | undefined;

  constructor(schema: GraphQLSchema, node: OperationDefinitionNode) {
    this.#schema = schema;
    this.#node = node;
    this.#variables = variablesOf(schema, node);
  }

  /** Returns the values by the names of their variables. Undefined when one does not fit. */
  coerce(given: Values): Record<string, unknown> | undefined {
    const definitions = this.#node.variableDefinitions ?? [];
    const coerced = this.#coerced(given);
    if (coerced) return coerced;
    const { coerced: standard } = getVariableValues(this.#schema, definitions, given, { maxErrors: 1 });
    return standard && withoutPrototype(standard);
  }

  /** Undefined when a value does not fit, or is the default of its variable. */
  #coerced(given: Values): Record<string, unknown> | undefined {
    if (!this.#variables) return undefined;
    const coerced = withoutPrototype();
    try {
      for (const { name, isOptional, coerce } of this.#variables) {
        if (Object.hasOwn(given, name)) coerced[name] = coerce(given[name]);
        else if (!isOptional) return undefined;
      }
    } catch {
      return undefined;
    }
    return coerced;
  }
}

function variablesOf(schema: GraphQLSchema, { variableDefinitions = [] }: OperationDefinitionNode) {
  const variables: Variable[] = [];
  for (const { variable, type: typeNode, defaultValue } of variableDefinitions) {
    const name = variable.name.value;
    const type = typeFromAST(schema, typeNode);
    if (!isInputType(type)) return undefined;
    variables.push({ name, isOptional: !isNonNullType(type) && defaultValue === undefined, coerce: coercionFor(type) });
  }
  return variables;
}
