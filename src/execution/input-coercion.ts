import { getArgumentValues } from '@graphql-tools/utils';
import {
  coerceInputValue,
  type FieldNode,
  getNullableType,
  type GraphQLArgument,
  GraphQLError,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isScalarType,
  isSpecifiedScalarType,
  Kind,
  type OperationDefinitionNode,
  typeFromAST,
  type ValueNode,
  valueFromAST,
  type VariableDefinitionNode,
  visit,
} from 'graphql';
import type { GraphQLHTTPExtensions } from 'graphql-yoga';

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
  const takesObjects = isScalarType(nullable) && !isSpecifiedScalarType(nullable);
  return (value) => {
    if (!takesObjects && typeof value === 'object') return refuse(); // graphql would print the whole value
    const parsed = isEnumType(nullable) ? nullable.parseValue(value, true) : nullable.parseValue(value);
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
  readonly definition: VariableDefinitionNode;
  readonly name: string;
  readonly type: GraphQLInputType;
  /** The value where a request leaves it out. Undefined for none. */
  readonly defaultValue: unknown;
  readonly coerce: Coercion;
}

/** The values of the variables by their names, or why some do not fit. */
export type CoercedVariables =
  | { readonly values: Record<string, unknown>; readonly errors?: never }
  | { readonly errors: readonly GraphQLError[]; readonly values?: never };

/** The first errors are enough to act on. */
const MAX_ERRORS = 10;

const NO_ERROR_LEFT = 'Too many errors processing variables, error limit reached. Execution aborted.';

/** Coerces the variables of one operation. What it knows of their types it learns once. */
export class VariableCoercion {
  readonly #variables: readonly Variable[];
  /** The values, for an operation that defines no variables. */
  readonly constant: CoercedVariables | undefined;

  constructor(schema: GraphQLSchema, { variableDefinitions = [] }: OperationDefinitionNode) {
    this.#variables = variableDefinitions.flatMap((definition) => variableOf(schema, definition));
    this.constant = this.#variables.length === 0 ? { values: withoutPrototype() } : undefined;
  }

  coerce(given: Values): CoercedVariables {
    const values = withoutPrototype();
    try {
      for (const { name, type, defaultValue, coerce } of this.#variables) {
        if (Object.hasOwn(given, name)) values[name] = coerce(given[name]);
        else if (defaultValue !== undefined) values[name] = defaultValue;
        else if (isNonNullType(type)) refuse();
      }
    } catch {
      return { errors: this.#errorsOf(given) };
    }
    return { values };
  }

  /**
   * Why values do not fit: ten reasons at most. The messages of graphql quote a value of each kind but the whole one, which
   * `getVariableValues` of graphql would print for each of them.
   */
  #errorsOf(given: Values): GraphQLError[] {
    const errors: GraphQLError[] = [];
    const reportAt = (nodes: VariableDefinitionNode) => (message: string, http?: GraphQLHTTPExtensions) => {
      const isLast = errors.length === MAX_ERRORS;
      const extensions = { code: 'BAD_USER_INPUT', ...(http && { http }) };
      errors.push(new GraphQLError(isLast ? NO_ERROR_LEFT : message, { nodes, extensions }));
      if (isLast) throw MISFIT;
    };
    try {
      for (const variable of this.#variables) reportMisfits(variable, given, reportAt(variable.definition));
    } catch (error) {
      if (error !== MISFIT) throw error;
    }
    return errors;
  }
}

function variableOf(schema: GraphQLSchema, definition: VariableDefinitionNode): Variable[] {
  const type = typeFromAST(schema, definition.type);
  if (!isInputType(type)) return []; // no valid operation has one
  const { variable, defaultValue: literal } = definition;
  const defaultValue: unknown = literal && valueFromAST(literal, type);
  return [{ definition, name: variable.name.value, type, defaultValue, coerce: coercionFor(type) }];
}

/** @param report takes a message, and the status of the response to a caller of `application/json` where it is not 200 */
function reportMisfits(
  { name, type, defaultValue }: Variable,
  given: Values,
  report: (message: string, http?: GraphQLHTTPExtensions) => void,
): void {
  if (!Object.hasOwn(given, name)) {
    if (isNonNullType(type) && defaultValue === undefined)
      report(`Variable "$${name}" of required type "${String(type)}" was not provided.`, { status: 400 });
  } else if (given[name] === null && isNonNullType(type)) {
    report(`Variable "$${name}" of non-null type "${String(type)}" must not be null.`, { status: 400 });
  } else {
    const onError = (path: readonly (string | number)[], _value: unknown, { message }: GraphQLError) => {
      const place = path.map((segment) => (typeof segment === 'number' ? `[${segment}]` : `.${segment}`)).join('');
      report(`Variable "$${name}" got an invalid value${place && ` at "${name}${place}"`}; ${message}`);
    };
    coerceInputValue(given[name], type, onError, true);
  }
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
