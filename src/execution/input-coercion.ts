import {
  getNullableType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';

/** Variables, the arguments of a field, or the fields of an input object, by name. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * Copies values into an object without a prototype: a name that was not given has no value there, whatever it is called, and
 * `__proto__` is a name like any other.
 */
export function withoutPrototype(values?: Values): Record<string, unknown> {
  return Object.assign(Object.create(null), values);
}

/** Coerces a value of JSON to an input type. Throws for one that does not fit, without saying why. */
export type Coercion = (value: unknown) => unknown;

/**
 * Creates the coercion for a type. Its results are those of graphql, which reads the type anew for each value, and reads all
 * fields of an input object instead of the given ones.
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
