import { type GraphQLInputFieldConfig, GraphQLInputObjectType, GraphQLNonNull } from 'graphql';
import { fieldExtensions } from './directives.ts';
import { inputType } from './field-input.ts';
import type { ValuesByType } from './field-values.ts';
import type { TypedField, TypedTable } from '../model/model.ts';
import type { Parts } from './parts.ts';
import { addFields } from './table-fields.ts';

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
      Object.assign(
        addFields({}, fields, (field) => inputField(field, values, isRequired(field))),
        { extra: { type: shared.scalar('JSONObject'), description: extraDescription } },
      ),
  });
}

/** Creates a field of an input. */
export function inputField(field: TypedField, values: ValuesByType, isRequired: boolean): GraphQLInputFieldConfig {
  const type = inputType(field, values);
  return {
    type: isRequired ? new GraphQLNonNull(type) : type,
    description: field.references ? 'Global id or upstream id of the record.' : values[field.type].about,
    extensions: fieldExtensions(field),
  };
}
