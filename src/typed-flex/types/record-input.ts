import { type GraphQLInputFieldConfig, GraphQLInputObjectType, GraphQLNonNull, type GraphQLSchema } from 'graphql';
import { invalidInput, mapFieldPaths } from '../../errors.ts';
import { NULL_IS_VALUE } from '../../graph/field-rules.ts';
import { isObject, type JsonObject } from '../../formats/decode.ts';
import type { TypedField } from '../model/model.ts';
import { scalarType } from './base-types.ts';
import { fieldExtensions } from './directives.ts';
import { fieldValues, inputType, toWire } from './field-values.ts';
import { addFields, fieldsByKey, fieldsByName, type WithFields } from './table-fields.ts';

/** The input of a mutation, and how it becomes data. */
export interface RecordInput {
  readonly type: GraphQLInputObjectType;
  /**
   * Turns an input into data for upstream. Fields that are left out have no key there.
   *
   * @throws ValidationError for a key of `extra` that has a field, or that upstream would drop
   */
  readonly dataOf: (input: JsonObject) => JsonObject;
  /**
   * For `.catch` of a write: maps the field names of upstream's messages to paths of the input. Upstream may name a field of the
   * data with or without `data.`. A message about the whole record is one of `input`.
   */
  readonly mapPaths: (error: unknown) => never;
}

interface InputParts {
  readonly name: string;
  readonly description: string;
  /** The fields of the input. */
  readonly taken: WithFields;
  /** All fields that upstream's messages may name. */
  readonly known: WithFields;
  readonly isRequired: (field: TypedField) => boolean;
  /** Whether null is the same as a field that is left out. Default: it is a value. */
  readonly nullIsAbsent?: boolean;
  /** The keys that have no field. Undefined for an input that takes none. */
  readonly extra: { readonly description: string; readonly isTaken: (key: string) => boolean } | undefined;
}

/** Creates an input of records. */
export function recordInput(
  { name, description, taken, known, isRequired, nullIsAbsent = false, extra }: InputParts,
  base: GraphQLSchema,
): RecordInput {
  const fields = () => {
    const made = addFields({}, taken.fields, (field) => inputField(field, isRequired(field), base));
    if (extra) made['extra'] = { type: scalarType(base, 'JSONObject'), description: extra.description };
    for (const field of Object.values(made)) field.extensions = { ...field.extensions, [NULL_IS_VALUE]: !nullIsAbsent };
    return made;
  };
  return {
    type: new GraphQLInputObjectType({ name, description, fields }),
    dataOf: (input) => {
      const given = Object.entries(input).filter(([, value]) => !nullIsAbsent || value !== null);
      return dataOf(Object.fromEntries(given), taken, (key) => extra?.isTaken(key) ?? false);
    },
    mapPaths: mapFieldPaths((path) => {
      const key = path.replace(/^data\./, '');
      const field = fieldsByKey(known).get(path) ?? fieldsByKey(known).get(key);
      if (field) return field.graphqlName;
      if (['', 'data', 'table_name'].includes(path)) return 'input';
      return extra ? `extra.${key}` : key;
    }),
  };
}

function inputField(field: TypedField, isRequired: boolean, base: GraphQLSchema): GraphQLInputFieldConfig {
  const type = inputType(field, base);
  return {
    type: isRequired ? new GraphQLNonNull(type) : type,
    description: field.references ? 'Global id or upstream id of the record.' : fieldValues[field.type].about,
    extensions: fieldExtensions(field),
  };
}

function dataOf({ extra, ...given }: JsonObject, type: WithFields, isTaken: (key: string) => boolean): JsonObject {
  const data = new Map(Object.entries(isObject(extra) ? extra : {}));
  for (const key of data.keys()) {
    const field = fieldsByKey(type).get(key);
    if (field) throw invalidInput(`extra.${key}`, `has a field of its own: \`${field.graphqlName}\``);
    if (!isTaken(key)) throw invalidInput(`extra.${key}`, 'is a key that upstream does not take: it would be dropped');
  }
  for (const [fieldName, value] of Object.entries(given)) {
    const field = fieldsByName(type).get(fieldName);
    if (field && value !== undefined) data.set(field.name, toWire(field, value, fieldName));
  }
  return Object.fromEntries(data);
}
