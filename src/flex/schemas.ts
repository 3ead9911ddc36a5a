import { builder, type InputFieldBuilder } from '../builder.ts';
import { wireEnum, wireValues } from '../graphql/enums.ts';
import { isObject, type JsonObject } from '../http/formats/decode.ts';
import { ValidationError } from '../http/errors.ts';
import { boolean, oneOf } from '../http/formats/leaves.ts';
import { indexColumns } from './index-columns.ts';
import type { TableSchema } from './wire.ts';

const types = {
  string: 'A short text.',
  text: 'A long text.',
  integer: 'A whole number.',
  number: 'A number.',
  boolean: 'True or false.',
  datetime: 'An instant.',
  date: 'A date.',
  time: 'A time of day.',
};
const FlexFieldType = wireEnum('FlexFieldType', 'The type of a field.', types);

interface Field {
  readonly name: string;
  readonly definition: unknown;
  readonly indexColumn: string | null;
}

/** A field is written `<field>: <type>` or `<field>: {type, required}`. */
const full = (definition: unknown): JsonObject => (isObject(definition) ? definition : { type: definition });

const FlexField = builder.objectRef<Field>('FlexField').implement({
  description: 'A field of a table.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: false, description: 'Its name, which is a key of the data.' }),
    type: t.field({
      type: FlexFieldType,
      description: 'Its type, to which upstream converts values.',
      resolve: ({ definition }) => oneOf(wireValues(types))(full(definition)['type']),
    }),
    required: t.boolean({
      description: 'Whether a record of this table must have it.',
      resolve: ({ definition }) => boolean(full(definition)['required'] ?? false),
    }),
    indexColumn: t.exposeString('indexColumn', {
      description: 'The column that upstream indexes it by, such as `idx_str_1`; null: searchable, but slower.',
    }),
  }),
});

export const FlexTable = builder.objectRef<TableSchema>('FlexTable').implement({
  description: 'A table of a database. A schema without tables is one table without a name.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name; null in a schema without tables.' }),
    fields: t.field({
      type: [FlexField],
      description: 'Its fields.',
      resolve: (table) => {
        const columns = indexColumns(table);
        return Object.entries(table.fields).map(([name, definition]) => ({
          name,
          definition,
          indexColumn: columns.get(name) ?? null,
        }));
      },
    }),
  }),
});

const FlexFieldInput = builder.inputType('FlexFieldInput', {
  description: 'A field of a table.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Its name, which is a key of the data.' }),
    type: t.field({ type: FlexFieldType, required: true, description: 'Its type.' }),
    required: t.boolean({ description: 'Whether a record of this table must have it.' }),
  }),
});

const tableFields = (t: InputFieldBuilder) => ({
  fields: t.field({ type: [FlexFieldInput], required: true, description: 'Its fields.' }),
  indexedFields: t.stringList({
    description: 'The fields to index: at most 3 of texts, 2 of numbers and 2 of times are, in this order.',
  }),
});

const FlexTableInput = builder.inputType('FlexTableInput', {
  description: 'The one table of a schema without tables.',
  fields: tableFields,
});

const FlexNamedTableInput = builder.inputType('FlexNamedTableInput', {
  description: 'One of the tables of a schema.',
  fields: (t) => ({ name: t.string({ required: true, description: 'Its name.' }), ...tableFields(t) }),
});

export const FlexSchemaInput = builder.inputType('FlexSchemaInput', {
  description: 'The schema of a database: one of these.',
  isOneOf: true,
  fields: (t) => ({
    table: t.field({ type: FlexTableInput, description: 'Records of one kind.' }),
    tables: t.field({ type: [FlexNamedTableInput], description: 'Several tables, whose records never mix.' }),
  }),
});

type TableInput = typeof FlexTableInput.$inferInput;

/** The schema as upstream takes it. @throws ValidationError for a name that stands twice: it would be lost */
export function schemaFields(
  schema: typeof FlexSchemaInput.$inferInput | null | undefined,
): JsonObject | null | undefined {
  if (!schema) return schema;
  if (schema.table) return tableSchema(schema.table, 'schema.table');
  const tables = (schema.tables ?? []).map((table, index) => ({ table, path: `schema.tables.${index}` }));
  assertUniqueNames(tables.map(({ table, path }) => ({ name: table.name, path })));
  return { tables: Object.fromEntries(tables.map(({ table, path }) => [table.name, tableSchema(table, path)])) };
}

function tableSchema({ fields, indexedFields }: TableInput, path: string): JsonObject {
  assertUniqueNames(fields.map(({ name }, index) => ({ name, path: `${path}.fields.${index}` })));
  const written = fields.map(({ name, type, required }) => [name, required ? { type, required } : type]);
  return { fields: Object.fromEntries(written), ...(indexedFields && { indexed_fields: indexedFields }) };
}

function assertUniqueNames(named: readonly { readonly name: string; readonly path: string }[]): void {
  const seen = new Set<string>();
  for (const { name, path } of named) {
    if (seen.has(name)) {
      throw new ValidationError(`The name ${JSON.stringify(name)} stands twice.`, {
        [`${path}.name`]: ['stands twice'],
      });
    }
    seen.add(name);
  }
}
