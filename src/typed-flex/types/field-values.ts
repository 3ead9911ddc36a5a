import { GraphQLBoolean, GraphQLID, type GraphQLScalarType, type GraphQLSchema, GraphQLString } from 'graphql';
import { fieldTypes } from '../../apis/flex/field-types.ts';
import { upstreamId } from '../../graph/ids.ts';
import { invalidInput } from '../../errors.ts';
import { boolean, compareDecimals, plainDecimal, raw, text } from '../../formats/leaves.ts';
import { LongNumber } from '../../formats/long-numbers.ts';
import type { TypedField } from '../model/model.ts';
import { scalarType } from './base-types.ts';
import { BigIntScalar } from './big-int.ts';

/** How the values of a field type are read and written. */
interface FieldValues {
  /** A name stands for a scalar of the schema that types are laid over. */
  readonly scalar: GraphQLScalarType | string;
  /** Decodes a value of upstream for the scalar. @throws BadResponseError for a value that does not fit */
  readonly read: (value: unknown) => unknown;
  /** Encodes a value of an input for upstream. */
  readonly write: (value: unknown) => unknown;
  /** Describes the values. */
  readonly about: string;
}

const unchanged = (value: unknown) => value;
const texts = { scalar: GraphQLString, read: text, write: unchanged };
const numbers = {
  read: (value: unknown) => raw(value instanceof LongNumber ? String(value) : value),
  write: jsonNumber,
};

/** The values of all field types, by their names. What `raw` reads is checked by its scalar. */
export const fieldValues: Readonly<Record<TypedField['type'], FieldValues>> = {
  string: { ...texts, about: fieldTypes.string },
  text: { ...texts, about: fieldTypes.text },
  integer: { ...numbers, scalar: BigIntScalar, about: fieldTypes.integer },
  number: { ...numbers, scalar: 'Decimal', about: fieldTypes.number },
  boolean: { scalar: GraphQLBoolean, read: boolean, write: unchanged, about: fieldTypes.boolean },
  datetime: { scalar: 'DateTime', read: raw, write: unchanged, about: fieldTypes.datetime },
  date: { scalar: 'Date', read: raw, write: unchanged, about: fieldTypes.date },
  time: { ...texts, about: fieldTypes.time },
  json: { scalar: 'JSON', read: unchanged, write: unchanged, about: 'Any value.' },
};

/** The type of the values of a field. */
export function scalarOf({ type }: TypedField, base: GraphQLSchema): GraphQLScalarType {
  const { scalar } = fieldValues[type];
  return typeof scalar === 'string' ? scalarType(base, scalar) : scalar;
}

/** The type of a field in inputs: a reference takes the id of a record. */
export function inputType(field: TypedField, base: GraphQLSchema): GraphQLScalarType {
  return field.references ? GraphQLID : scalarOf(field, base);
}

/**
 * Encodes a value of an input for upstream. Null stays null.
 *
 * @param path of the value in the input, for errors
 * @throws ValidationError for the id of a record that the field cannot refer to
 */
export function toWire({ type, references }: TypedField, value: unknown, path: string): unknown {
  if (value === null) return null;
  const { write } = fieldValues[type];
  if (!references) return write(value);
  const id = upstreamId(String(value), references.typeName, path);
  if (type !== 'integer' && type !== 'number') return id;
  if (!/^\d+$/.test(id)) throw invalidInput(path, `takes the id of a ${references.typeName}, which is a whole number`);
  return write(id);
}

/**
 * Converts a text of digits to the number of JSON that it stands for. Every digit is kept. Other values stay as they are.
 * Not documented (A225): whether upstream takes a text for an integer.
 */
function jsonNumber(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const number = Number(value);
  const exact = plainDecimal(String(number));
  return exact !== undefined && compareDecimals(exact, value) === 0 ? number : new LongNumber(value);
}
