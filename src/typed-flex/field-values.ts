import { GraphQLBoolean, type GraphQLScalarType, GraphQLString } from 'graphql';
import { boolean, raw, text } from '../http/formats/leaves.ts';
import { BigIntScalar } from './big-int.ts';
import type { TypedField } from './model.ts';
import type { SharedTypes } from './shared-types.ts';

/** How the values of a field type are read and written. */
export interface FieldValues {
  readonly scalar: GraphQLScalarType;
  /** Decodes a value of upstream for the scalar. @throws BadResponseError for a value that does not fit */
  readonly read: (value: unknown) => unknown;
  /** Describes the values. */
  readonly about: string;
}

/** The values of all field types, by their names. */
export type ValuesByType = Readonly<Record<TypedField['type'], FieldValues>>;

/** Values that GraphQL scalars check themselves when they are read. */
export function valuesByType(shared: SharedTypes): ValuesByType {
  return {
    string: { scalar: GraphQLString, read: text, about: 'A short text.' },
    text: { scalar: GraphQLString, read: text, about: 'A long text.' },
    integer: { scalar: BigIntScalar, read: raw, about: 'A whole number.' },
    number: { scalar: shared.scalar('Decimal'), read: raw, about: 'A number.' },
    boolean: { scalar: GraphQLBoolean, read: boolean, about: 'True or false.' },
    datetime: { scalar: shared.scalar('DateTime'), read: raw, about: 'A date with a time.' },
    date: { scalar: shared.scalar('Date'), read: raw, about: 'A date.' },
    time: { scalar: GraphQLString, read: text, about: 'A time of day.' },
    json: { scalar: shared.scalar('JSON'), read: (value) => value, about: 'Any value.' },
  };
}
