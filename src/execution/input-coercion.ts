import { getArgumentValues } from '@graphql-tools/utils';
import {
  type FieldNode,
  getNullableType,
  getVariableValues,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  typeFromAST,
  type ValueNode,
  valueFromAST,
  visit,
} from 'graphql';

/** Variables, the arguments of a field, or the fields of an input object, by name. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * Copies values into an object without a prototype: a name that was not given has no value there, whatever it is called, and
 * `__proto__` is a name like any other.
 */
function withoutPrototype(values?: Values): Record<string, unknown> {
  return Object.assign(Object.create(null), values);
}

/** Coerces a value of JSON to an input type. Throws for one that does not fit, without saying why. */
export type Coercion = (value: unknown) => unknown;

/**
 * Creates the coercion for a type. Its results are those of graphql, which reads the type anew for each value, and reads all
 * fields of an input object instead of the given ones.
 *
 * @internal exported for the tests
 */
export function coercionFor(type: GraphQLInputType): Coercion {
  const coerce = nullableCoercionFor(type);
  if (isNonNullType(type)) return (value) => (isAbsent(value) ? refuse() : coerce(value));
  return (value) => (isAbsent(value) ? null : coerce(value));
}

function nullableCoercionFor(type: GraphQLInputType): Coercion {
  const nullable = getNullableType(type);
  if (isInputObjectType(nullable)) return inputObjectCoercion(nullable);
  if (isListType(nullable)) {
    const item = coercionFor(nullable.ofType);
    return (value) => (Array.isArray(value) ? value.map((element: unknown) => item(element)) : [item(value)]);
  }
  return (value) => {
    const parsed = nullable.parseValue(value);
    return parsed === undefined ? refuse() : parsed;
  };
}

/** A field of an input object. */
interface InputField {
  readonly name: string;
  readonly position: number;
  readonly isRequired: boolean;
  readonly defaultValue: unknown;
  readonly coerce: Coercion;
}

interface InputFields {
  readonly byName: ReadonlyMap<string, InputField>;
  /** The fields that must be given, or have a value when they are not. */
  readonly awaited: readonly InputField[];
}

/** One for each type: a type may have fields of its own type. */
const inputObjectCoercions = new WeakMap<GraphQLInputObjectType, Coercion>();

function inputObjectCoercion(type: GraphQLInputObjectType): Coercion {
  const known = inputObjectCoercions.get(type);
  if (known) return known;
  let fields: InputFields | undefined;
  const coercion: Coercion = (value) => {
    if (!isObject(value)) return refuse();
    const coerced = coerceFields((fields ??= fieldsOf(type)), value);
    return type.isOneOf ? onlyOne(coerced) : coerced;
  };
  inputObjectCoercions.set(type, coercion);
  return coercion;
}

/** Coerces the fields of an input object, in the order of its type. */
function coerceFields({ byName, awaited }: InputFields, value: Values): Values {
  const found: InputField[] = [];
  for (const name of Object.keys(value)) found.push(byName.get(name) ?? refuse());
  for (const field of awaited) {
    if (Object.hasOwn(value, field.name)) continue;
    found.push(field.isRequired ? refuse() : field);
  }
  found.sort((one, other) => one.position - other.position);

  const coerced = withoutPrototype();
  for (const { name, coerce, defaultValue } of found) {
    coerced[name] = Object.hasOwn(value, name) ? coerce(value[name]) : defaultValue;
  }
  return coerced;
}

function onlyOne(coerced: Values): Values {
  const values = Object.values(coerced);
  return values.length === 1 && values[0] !== null ? coerced : refuse();
}

function fieldsOf(type: GraphQLInputObjectType): InputFields {
  const fields = Object.values(type.getFields()).map((field, position): InputField => {
    const { name, type: fieldType, defaultValue } = field;
    const isRequired = isNonNullType(fieldType) && defaultValue === undefined;
    return { name, position, isRequired, defaultValue, coerce: coercionFor(fieldType) };
  });
  return {
    byName: new Map(fields.map((field) => [field.name, field])),
    awaited: fields.filter(({ isRequired, defaultValue }) => isRequired || defaultValue !== undefined),
  };
}

const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined;

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuse(): never {
  throw MISFIT;
}

const MISFIT = new Error('A value does not fit its input type.');

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
