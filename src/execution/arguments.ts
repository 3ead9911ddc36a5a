import { getArgumentValues } from '@graphql-tools/utils';
import {
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  isNonNullType,
  Kind,
  type ValueNode,
  valueFromAST,
  visit,
} from 'graphql';
import { type Values, withoutPrototype } from './input-coercion.ts';

/** An argument whose value is known, or is that of a variable. */
interface PlannedArgument {
  readonly name: string;
  /** The value, or the default of the argument. */
  readonly value: unknown;
  readonly variable: string | undefined;
  readonly isNonNull: boolean;
}

/** The arguments of a selected field, coerced as far as its document tells their values. */
export class FieldArguments {
  readonly #definition: GraphQLField<unknown, unknown>;
  readonly #node: FieldNode;
  /** Undefined when graphql has to coerce the arguments: one is invalid, or has variables within its value. */
  readonly #planned: readonly PlannedArgument[] | undefined;
  /** The values, when none is that of a variable. */
  readonly constant: Values | undefined;

  constructor(definition: GraphQLField<unknown, unknown>, node: FieldNode) {
    this.#definition = definition;
    this.#node = node;
    this.#planned = plannedArguments(definition, node);
    this.constant = this.#planned?.every(({ variable }) => variable === undefined) ? this.#coerced({}) : undefined;
  }

  /** @throws GraphQLError for an argument that is invalid */
  coerce(variables: Values): Values {
    return this.#coerced(variables) ?? getArgumentValues(this.#definition, this.#node, withoutPrototype(variables));
  }

  #coerced(variables: Values): Values | undefined {
    if (!this.#planned) return undefined;
    const coerced = withoutPrototype();
    for (const { name, value, variable, isNonNull } of this.#planned) {
      const given = variable !== undefined && Object.hasOwn(variables, variable) ? variables[variable] : value;
      if (isNonNull && (given === null || given === undefined)) return undefined;
      if (given !== undefined) coerced[name] = given;
    }
    return coerced;
  }
}

function plannedArguments({ args }: GraphQLField<unknown, unknown>, { arguments: given = [] }: FieldNode) {
  const nodes = new Map(given.map(({ name, value }) => [name.value, value]));
  const planned: PlannedArgument[] = [];
  for (const argument of args) {
    const argumentPlan = plannedArgument(argument, nodes.get(argument.name));
    if (!argumentPlan) return undefined;
    planned.push(argumentPlan);
  }
  return planned;
}

function plannedArgument({ name, type, defaultValue }: GraphQLArgument, node: ValueNode | undefined) {
  const isNonNull = isNonNullType(type);
  if (!node) return { name, value: defaultValue, variable: undefined, isNonNull };
  if (node.kind === Kind.VARIABLE) return { name, value: defaultValue, variable: node.name.value, isNonNull };
  const value = hasVariables(node) ? undefined : valueFromAST(node, type);
  return value === undefined ? undefined : { name, value, variable: undefined, isNonNull };
}

function hasVariables(node: ValueNode): boolean {
  let found = false;
  visit(node, { Variable: () => void (found = true) });
  return found;
}
