import { builder, type InputFieldBuilder } from '../../graph/builder.ts';
import { wireEnum, wireValues } from '../../graph/enums.ts';
import { isObject, type JsonObject } from '../../formats/decode.ts';
import { invalidInput, ValidationError } from '../../errors.ts';
import { boolean, oneOf, text, texts } from '../../formats/leaves.ts';
import { fieldTypes } from './field-types.ts';
import { indexColumns } from './index-columns.ts';
import type { TableSchema } from './wire.ts';

const FlexFieldType = wireEnum('FlexFieldType', 'The type of a field.', fieldTypes);

interface Field {
  readonly name: string;
  readonly definition: unknown;
  readonly indexColumn: string | null;
}

/** The definition of a field as an object: upstream also stores the type alone. */
const fieldOptions = (definition: unknown): JsonObject => (isObject(definition) ? definition : { type: definition });

const FlexField = builder.objectRef<Field>('FlexField').implement({
  description: 'A field of a table.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: false, description: 'Name of the field, a key of the data.' }),
    type: t.field({
      type: FlexFieldType,
      description: 'Type of the field. Upstream converts values to this type.',
      resolve: ({ definition }) => oneOf(wireValues(fieldTypes))(fieldOptions(definition)['type']),
    }),
    typeText: t.string({
      description: 'Type of the field as upstream names it.',
      resolve: ({ definition }) => text(fieldOptions(definition)['type']),
    }),
    required: t.boolean({
      description: 'Whether each record of the table must have this field.',
      resolve: ({ definition }) => boolean(fieldOptions(definition)['required'] ?? false),
    }),
    indexColumn: t.exposeString('indexColumn', {
      description: 'Column of the index, such as `idx_str_1`. Null: the field has no index, so searches are slower.',
    }),
  }),
});

export const FlexTable = builder.objectRef<TableSchema>('FlexTable').implement({
  description: 'A table of a database. A schema without tables appears as one table without a name.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the table. Null in a schema without tables.' }),
    fields: t.field({
      type: [FlexField],
      semanticNonNull: true,
      description: 'Fields of the table, in the order of the schema; names that are whole numbers come first.',
      resolve: (table) => {
        const columns = indexColumns(table);
        return Object.entries(table.fields).map(([name, definition]) => ({
          name,
          definition,
          indexColumn: columns.get(name) ?? null,
        }));
      },
    }),
    indexedFields: t.stringList({
      description: 'The list of fields to index. Null when the schema has none, or names the columns itself.',
      resolve: ({ indexedFields }) => texts(indexedFields),
    }),
  }),
});

const FlexFieldInput = builder.inputType('FlexFieldInput', {
  description: 'A field of a table.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of the field, a key of the data.' }),
    type: t.field({ type: FlexFieldType, required: true, description: 'Type of the field.' }),
    required: t.boolean({ description: 'Whether each record of the table must have this field.' }),
  }),
});

const FlexIndexInput = builder.inputType('FlexIndexInput', {
  description: 'A column of the index and its field.',
  fields: (t) => ({
    column: t.string({
      required: true,
      description:
        'Column of the index: `idx_str_1` to `idx_str_3`, `idx_int_1`, `idx_int_2`, `idx_time_1` or `idx_time_2`.',
    }),
    field: t.string({ required: true, description: 'Name of the field.' }),
  }),
});

const tableFields = (t: InputFieldBuilder) => ({
  fields: t.field({ type: [FlexFieldInput], required: true, description: 'Fields of the table.' }),
  indexedFields: t.stringList({
    description:
      'The fields to index. Upstream indexes the first 3 text fields, 2 number fields and 2 time fields of this list.',
  }),
  indexes: t.field({
    type: [FlexIndexInput],
    description:
      'The columns of the index, such as those of `FlexField.indexColumn`: a new definition then keeps them. Cannot be ' +
      'combined with `indexedFields`.',
  }),
});

const FlexTableInput = builder.inputType('FlexTableInput', {
  description: 'The only table of a schema without tables.',
  fields: tableFields,
});

const FlexNamedTableInput = builder.inputType('FlexNamedTableInput', {
  description: 'One of the tables of a schema.',
  fields: (t) => ({ name: t.string({ required: true, description: 'Name of the table.' }), ...tableFields(t) }),
});

export const FlexSchemaInput = builder.inputType('FlexSchemaInput', {
  description: 'The schema of a database: set exactly one field.',
  isOneOf: true,
  fields: (t) => ({
    table: t.field({ type: FlexTableInput, description: 'One table, without a name.' }),
    tables: t.field({ type: [FlexNamedTableInput], description: 'Several named tables.' }),
    raw: t.field({
      type: 'JSONObject',
      description: 'The schema as upstream stores it, such as `FlexDb.schema`.',
    }),
  }),
});

type TableInput = typeof FlexTableInput.$inferInput;

/**
 * Maps a schema to the wire. Tables and fields become keys of an object, so a duplicate name would be lost.
 *
 * @returns null and undefined unchanged
 * @throws ValidationError for a name that appears twice
 */
export function schemaFields(
  schema: typeof FlexSchemaInput.$inferInput | null | undefined,
): JsonObject | null | undefined {
  if (!schema) return schema;
  if (schema.raw) return schema.raw;
  if (schema.table) return tableSchema(schema.table, 'schema.table');
  const tables = (schema.tables ?? []).map((table, index) => ({ table, path: `schema.tables.${index}` }));
  assertUniqueNames(tables.map(({ table, path }) => ({ name: table.name, path: `${path}.name` })));
  return { tables: Object.fromEntries(tables.map(({ table, path }) => [table.name, tableSchema(table, path)])) };
}

function tableSchema({ fields, indexedFields, indexes }: TableInput, path: string): JsonObject {
  if (indexes && indexedFields) throw invalidInput(`${path}.indexes`, 'cannot be combined with `indexedFields`');
  assertUniqueNames(fields.map(({ name }, index) => ({ name, path: `${path}.fields.${index}.name` })));
  assertUniqueNames((indexes ?? []).map(({ column }, at) => ({ name: column, path: `${path}.indexes.${at}.column` })));
  const definitions = fields.map(({ name, type, required }) => [name, required ? { type, required } : type]);
  return {
    fields: Object.fromEntries(definitions),
    ...(indexedFields && { indexed_fields: indexedFields }),
    ...(indexes && { indexes: Object.fromEntries(indexes.map(({ column, field }) => [column, field])) }),
  };
}

function assertUniqueNames(names: readonly { readonly name: string; readonly path: string }[]): void {
  const seen = new Set<string>();
  for (const { name, path } of names) {
    if (seen.has(name)) {
      throw new ValidationError(`The name ${JSON.stringify(name)} appears twice.`, {
        [path]: ['appears twice'],
      });
    }
    seen.add(name);
  }
}
