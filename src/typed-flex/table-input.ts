import { type GraphQLInputFieldConfig, GraphQLInputObjectType, GraphQLNonNull } from 'graphql';
import { invalidInput, mapFieldPaths } from '../http/errors.ts';
import { isObject, type JsonObject } from '../http/formats/decode.ts';
import { fieldDirective } from './directives.ts';
import { inputType, toWire } from './field-input.ts';
import type { ValuesByType } from './field-values.ts';
import type { TypedField, TypedTable } from './model.ts';
import type { Parts } from './parts.ts';
import { fieldsByKey, fieldsByName } from './table-fields.ts';

const extraDescription =
  'Values under other keys than those of the fields here. The gateway refuses a key that has a field.';

/** Creates the input of a new record: the required fields are not nullable. */
export function createInput(table: TypedTable, parts: Parts): GraphQLInputObjectType {
  return recordInput(`Create${table.typeName}Input`, 'A new record.', table, parts, ({ required }) => required);
}

/** Creates the input of a change. */
export function updateInput(table: TypedTable, parts: Parts): GraphQLInputObjectType {
  const about = 'Changes of a record. A field that is left out stays as it is; null clears it.';
  return recordInput(`Update${table.typeName}Input`, about, table, parts, () => false);
}

function recordInput(
  name: string,
  description: string,
  { fields }: TypedTable,
  { values, shared }: Parts,
  isRequired: (field: TypedField) => boolean,
): GraphQLInputObjectType {
  return new GraphQLInputObjectType({
    name,
    description,
    fields: () =>
      Object.fromEntries([
        ...fields.map((field) => [field.graphqlName, inputField(field, values, isRequired(field))] as const),
        ['extra', { type: shared.scalar('JSONObject'), description: extraDescription }],
      ]),
  });
}

function inputField(field: TypedField, values: ValuesByType, isRequired: boolean): GraphQLInputFieldConfig {
  const type = inputType(field, values);
  return {
    type: isRequired ? new GraphQLNonNull(type) : type,
    description: field.references ? 'Global id or upstream id of the record.' : values[field.type].about,
    extensions: fieldDirective(field),
  };
}

/** Creates the function that turns an input into data for upstream. Fields that are left out have no key there. */
export function dataWriter(table: TypedTable, values: ValuesByType): (input: JsonObject) => JsonObject {
  return ({ extra, ...given }) => {
    const data = new Map(Object.entries(isObject(extra) ? extra : {}));
    for (const key of data.keys()) {
      const field = fieldsByKey(table).get(key);
      if (field) throw invalidInput(`extra.${key}`, `has a field of its own: \`${field.graphqlName}\``);
    }
    for (const [fieldName, value] of Object.entries(given)) {
      const field = fieldsByName(table).get(fieldName);
      if (!field || value === undefined) continue;
      data.set(field.name, toWire(field, value, { values, path: fieldName }));
    }
    return Object.fromEntries(data);
  };
}

/**
 * For `.catch` of a write: maps the field names of upstream's messages to paths of the input. Upstream may name a field of the
 * data with or without `data.`. A message about the whole record is one of `input`.
 */
export function mapToInputPaths(table: TypedTable) {
  return mapFieldPaths((path) => {
    const key = path.replace(/^data\./, '');
    const field = fieldsByKey(table).get(path) ?? fieldsByKey(table).get(key);
    if (field) return field.graphqlName;
    return ['', 'data', 'table_name'].includes(path) ? 'input' : `extra.${key}`;
  });
}
