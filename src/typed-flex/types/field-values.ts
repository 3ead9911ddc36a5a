import { GraphQLBoolean, type GraphQLScalarType, GraphQLString } from 'graphql';
import { fieldTypes } from '../../flex/field-types.ts';
import { boolean, compareDecimals, plainDecimal, raw, text } from '../../http/formats/leaves.ts';
import { LongNumber } from '../../http/formats/long-numbers.ts';
import { BigIntScalar } from './big-int.ts';
import type { TypedField } from '../model/model.ts';
import type { SharedTypes } from './shared-types.ts';

/** How the values of a field type are read and written. */
export interface FieldValues {
  readonly scalar: GraphQLScalarType;
  /** Decodes a value of upstream for the scalar. @throws BadResponseError for a value that does not fit */
  readonly read: (value: unknown) => unknown;
  /** Encodes a value of an input for upstream. */
  readonly write: (value: unknown) => unknown;
  /** Describes the values. */
  readonly about: string;
}

/** The values of all field types, by their names. */
export type ValuesByType = Readonly<Record<TypedField['type'], FieldValues>>;

const unchanged = (value: unknown) => value;
const texts = { scalar: GraphQLString, read: text, write: unchanged };
const numbers = {
  read: (value: unknown) => raw(value instanceof LongNumber ? String(value) : value),
  write: jsonNumber,
};

/** The values of field types, with the scalars of a schema. What `raw` reads is checked by its scalar. */
export function valuesByType(shared: SharedTypes): ValuesByType {
  return {
    string: { ...texts, about: fieldTypes.string },
    text: { ...texts, about: fieldTypes.text },
    integer: { ...numbers, scalar: BigIntScalar, about: fieldTypes.integer },
    number: { ...numbers, scalar: shared.scalar('Decimal'), about: fieldTypes.number },
    boolean: { scalar: GraphQLBoolean, read: boolean, write: unchanged, about: fieldTypes.boolean },
    datetime: { scalar: shared.scalar('DateTime'), read: raw, write: unchanged, about: fieldTypes.datetime },
    date: { scalar: shared.scalar('Date'), read: raw, write: unchanged, about: fieldTypes.date },
    time: { ...texts, about: fieldTypes.time },
    json: { scalar: shared.scalar('JSON'), read: unchanged, write: unchanged, about: 'Any value.' },
  };
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
