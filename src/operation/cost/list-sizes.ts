import {
  type FieldNode,
  getNullableType,
  type GraphQLField,
  isListType,
  isNonNullType,
  Kind,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import type { Values } from '../../execution/input-coercion.ts';
import { RecordCount } from '../../graph/federation/entities.ts';
import { defaultSize } from '../../graph/lists/connections.ts';
import type { Amount } from './amounts.ts';

/** Items of a list whose size no argument tells, such as the tiles of a dashboard. */
const ASSUMED_ITEMS = 10;

type Field = GraphQLField<unknown, unknown>;

/** The variables that an operation defines, with their default values. */
export type VariableDefaults = ReadonlyMap<string, ValueNode | undefined>;

/**
 * The number of rows of a connection's page: `first` or `last`, the default of `first`, or that of all connections. The smaller
 * one counts where both are given, and MAX_PAGE_SIZE for a size above it: the field refuses these.
 */
export function pageRows(field: Field, node: FieldNode, defaults: VariableDefaults, maxPageSize: number): Amount {
  const [first, last] = ['first', 'last'].map((name) =>
    argumentValue(node, name, { defaults, ofLiteral: numberOfLiteral, ofVariable: numberOfVariable }),
  );
  const byDefault = field.args.find(({ name }) => name === 'first')?.defaultValue;
  const rowsByDefault = typeof byDefault === 'number' ? byDefault : defaultSize(maxPageSize);
  const rows = (sizes: readonly (number | undefined)[]) => {
    const given = sizes.filter((size) => size !== undefined);
    const size = given.length > 0 ? Math.min(...given) : rowsByDefault;
    return Math.max(0, Math.min(size, maxPageSize));
  };
  if (typeof first !== 'function' && typeof last !== 'function') return rows([first, last]);
  return ({ variables }) => rows([valueFor(first, variables), valueFor(last, variables)]);
}

/** The required list argument of a field, such as `ids`: it tells the length of the list that the field returns. */
export function lengthArgument({ args }: Field): string | undefined {
  return args.find(({ type }) => isNonNullType(type) && isListType(getNullableType(type)))?.name;
}

/**
 * The number of items of a list: as many as its required list argument has, such as `ids`; else ASSUMED_ITEMS. Of `_entities` as
 * many as it has records: routers repeat references.
 */
export function listItems(field: Field, node: FieldNode, defaults: VariableDefaults): Amount {
  const argument = lengthArgument(field);
  if (argument === undefined) return ASSUMED_ITEMS;
  const ofVariable = (value: unknown) =>
    field.name === '_entities' && Array.isArray(value) ? new RecordCount().add(value) : lengthOf(value);
  const ofLiteral = (literal: ValueNode | undefined) => ofVariable(literal && valueFromASTUntyped(literal));
  const length = argumentValue(node, argument, { defaults, ofLiteral, ofVariable });
  return typeof length === 'function' ? ({ variables }) => length(variables) : length;
}

/** A value that is known, or that depends on the variables of a request. */
type ArgumentValue<T> = T | ((variables: Values) => T);

interface Reading<T> {
  readonly defaults: VariableDefaults;
  readonly ofLiteral: (literal: ValueNode | undefined) => T;
  /** Reads a value that is not checked yet. GraphQL refuses one that does not fit before it executes anything. */
  readonly ofVariable: (value: unknown) => T;
}

function argumentValue<T>(node: FieldNode, name: string, reading: Reading<T>): ArgumentValue<T> {
  const { defaults, ofLiteral, ofVariable } = reading;
  const value = node.arguments?.find((argument) => argument.name.value === name)?.value;
  if (value?.kind !== Kind.VARIABLE) return ofLiteral(value);
  const variable = value.name.value;
  const byDefault = ofLiteral(defaults.get(variable));
  return (variables) => (Object.hasOwn(variables, variable) ? ofVariable(variables[variable]) : byDefault);
}

function valueFor<T extends number | undefined>(value: ArgumentValue<T>, variables: Values): T {
  return typeof value === 'function' ? value(variables) : value;
}

function numberOfLiteral(literal: ValueNode | undefined): number | undefined {
  return literal?.kind === Kind.INT ? Number(literal.value) : undefined;
}

function numberOfVariable(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}

/** A value that is no list stands for a list of one. */
function lengthOf(value: unknown): number {
  if (value === null || value === undefined) return 0;
  return Array.isArray(value) ? value.length : 1;
}
