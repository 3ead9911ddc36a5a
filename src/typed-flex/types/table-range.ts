import type { StoredRecord } from '../../apis/flex/stored-records.ts';
import { memoize1 } from '@graphql-tools/utils';
import {
  type GraphQLInputFieldConfig,
  GraphQLInputObjectType,
  type GraphQLScalarType,
  type GraphQLSchema,
} from 'graphql';
import { parseData } from '../../apis/flex/wire.ts';
import { invalidInput } from '../../errors.ts';
import { readDate } from '../../formats/dates.ts';
import { isObject, type JsonObject } from '../../formats/decode.ts';
import { compareDecimals, decimal, instant, raw, unexpectedType } from '../../formats/leaves.ts';
import { decodeOrNull, decodeOrUndefined, type Leaf } from '../../graph/lists/decodable.ts';
import type { TypedField, TypedTable } from '../model/model.ts';
import { boundsType } from '../model/reserved-names.ts';
import { scalarType } from './base-types.ts';
import { fieldExtensions } from './directives.ts';
import { scalarOf } from './field-values.ts';
import { addFields, fieldsByName, isShadowed } from './table-fields.ts';

// Upstream's search has no ranges: the gateway compares the values of the rows that a search returns.

/** Whether the value of a row is in a range. Undefined for a value that cannot be read; null is in no range. */
type IsInRange = (value: unknown) => boolean | undefined;

/** The range that no value is in. */
const isInNone: IsInRange = () => false;

/** A range of the values of one field. */
export interface RangeCondition {
  /** The key of the value in the record or in its data. */
  readonly key: string;
  /** Whether no value is in the range. */
  readonly isEmpty: boolean;
  readonly holds: (record: StoredRecord) => boolean | undefined;
}

interface Bound<T> {
  readonly value: T;
  readonly isIncluded: boolean;
}

/** Creates the ranges of values that a decoder reads, and that are compared like this. */
function ranging<T>(leaf: Leaf<T>, compare: (one: T, other: T) => number) {
  const boundOf = (bounds: JsonObject, exclusive: string, inclusive: string, path: string): Bound<T> | undefined => {
    const [without, including] = [leaf(bounds[exclusive]), leaf(bounds[inclusive])];
    if (without !== null && including !== null)
      throw invalidInput(path, `takes \`${exclusive}\` or \`${inclusive}\`, not both`);
    if (without !== null) return { value: without, isIncluded: false };
    return including === null ? undefined : { value: including, isIncluded: true };
  };

  /** @throws ValidationError for two bounds of one side */
  return (bounds: JsonObject, path: string): IsInRange | undefined => {
    const lower = boundOf(bounds, 'gt', 'gte', path);
    const upper = boundOf(bounds, 'lt', 'lte', path);
    if (!lower && !upper) return undefined;
    const isIn = (value: T): boolean => {
      const [fromLower, fromUpper] = [
        lower ? compare(value, lower.value) : 1,
        upper ? compare(value, upper.value) : -1,
      ];
      return (
        (fromLower === 0 ? lower?.isIncluded === true : fromLower > 0) &&
        (fromUpper === 0 ? upper?.isIncluded === true : fromUpper < 0)
      );
    };
    const isEmpty = lower && upper && !isIn(lower.value) && !isIn(upper.value);
    if (isEmpty && compare(lower.value, upper.value) >= 0) return isInNone;
    return (value) => {
      const decoded = decodeOrUndefined(leaf, value);
      return decoded === undefined ? undefined : decoded !== null && isIn(decoded);
    };
  };
}

const numbers = ranging(decimal, compareDecimals);
const instants = ranging(instant, (one, other) => one - other);
const dates = ranging(dateLeaf, (one, other) => (one < other ? -1 : Number(one > other)));

/** Reads a date, whose text has the order of the calendar. An instant is the date in its own zone. */
function dateLeaf(value: unknown): string | null {
  if (raw(value) === null) return null;
  const date = readDate(value);
  if (date !== undefined) return date;
  throw unexpectedType('a date', value);
}

const ranges: ReadonlyMap<TypedField['type'], ReturnType<typeof ranging>> = new Map([
  ['integer', numbers],
  ['number', numbers],
  ['datetime', instants],
  ['date', dates],
]);

/** Times of a record, which rows of a search always have, by their fields. */
const times: ReadonlyMap<string, 'created_at' | 'updated_at'> = new Map([
  ['createdAt', 'created_at'],
  ['updatedAt', 'updated_at'],
]);

/** Whether a list can have a range of the values of a field. */
function canHaveRange({ name, type, references }: TypedField): boolean {
  return ranges.has(type) && !references && !isShadowed(name);
}

/** Creates the input of the ranges of a table. */
export function rangeInput(table: TypedTable, base: GraphQLSchema): GraphQLInputObjectType {
  const bounds = boundsInputs(base);
  return new GraphQLInputObjectType({
    name: `${table.typeName}Range`,
    description:
      'Ranges of numbers, dates and instants, one per field. The value of a record must be in all of them; a record without a ' +
      'value is in none. A range or a bound that is left out or null is ignored.',
    fields: () => {
      const time = bounds(scalarType(base, 'DateTime'));
      return addFields<GraphQLInputFieldConfig>(
        {
          createdAt: { type: time, description: 'The time of the creation.' },
          updatedAt: { type: time, description: 'The time of the last change.' },
        },
        table.fields.filter(canHaveRange),
        (field) => ({
          type: bounds(scalarOf(field, base)),
          description: 'The range of the value.',
          extensions: fieldExtensions(field),
        }),
      );
    },
  });
}

/** The inputs of bounds of a schema, by the scalar: one for all tables. */
const boundsInputs = memoize1((_base: GraphQLSchema) =>
  memoize1((type: GraphQLScalarType) => {
    const bound = (description: string) => ({ type, description });
    return new GraphQLInputObjectType({
      name: boundsType(type.name),
      description:
        'The bounds of a range: a lower one, an upper one, or both. Instants are compared, whatever their offsets.',
      fields: {
        gt: bound('The value is greater.'),
        gte: bound('The value is greater, or the same.'),
        lt: bound('The value is less.'),
        lte: bound('The value is less, or the same.'),
      },
    });
  }),
);

/**
 * The conditions of the ranges of a list.
 *
 * @throws ValidationError for bounds that cannot be read, and for two of one side; its path names the field
 */
export function rangeConditions(given: JsonObject | null | undefined, table: TypedTable): readonly RangeCondition[] {
  return Object.entries(given ?? {}).flatMap(([graphqlName, bounds]) => {
    if (!isObject(bounds)) return [];
    const path = `range.${graphqlName}`;
    const time = times.get(graphqlName);
    if (time !== undefined) return conditionOn(time, instants(bounds, path), (record) => record[time]);
    const field = fieldsByName(table).get(graphqlName);
    const range = field && ranges.get(field.type);
    return range ? conditionOn(field.name, range(bounds, path), (record) => dataOf(record)?.[field.name]) : [];
  });
}

function conditionOn(
  key: string,
  isInRange: IsInRange | undefined,
  valueOf: (record: StoredRecord) => unknown,
): RangeCondition[] {
  return isInRange ? [{ key, isEmpty: isInRange === isInNone, holds: (record) => isInRange(valueOf(record)) }] : [];
}

function dataOf({ data }: StoredRecord): JsonObject | null {
  return decodeOrNull(parseData, data);
}
