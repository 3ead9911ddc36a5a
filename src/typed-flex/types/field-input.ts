import { GraphQLID, type GraphQLScalarType } from 'graphql';
import { upstreamId } from '../../graphql/ids.ts';
import { invalidInput } from '../../http/errors.ts';
import type { ValuesByType } from './field-values.ts';
import type { TypedField } from '../model/model.ts';

/** The type of a field in inputs: a reference takes the id of a record. */
export function inputType({ type, references }: TypedField, values: ValuesByType): GraphQLScalarType {
  return references ? GraphQLID : values[type].scalar;
}

/**
 * Encodes a value of an input for upstream. Null stays null.
 *
 * @param path of the value in the input, for errors
 * @throws ValidationError for the id of a record that the field cannot refer to
 */
export function toWire(
  { type, references }: TypedField,
  value: unknown,
  { values, path }: { readonly values: ValuesByType; readonly path: string },
): unknown {
  if (value === null) return null;
  const { write } = values[type];
  if (!references) return write(value);
  const id = upstreamId(String(value), references.typeName, path);
  if (type !== 'integer' && type !== 'number') return id;
  if (!/^\d+$/.test(id)) throw invalidInput(path, `takes the id of a ${references.typeName}, which is a whole number`);
  return write(id);
}
