import { fieldTypes, type FlexFieldTypeName } from '../../apis/flex/field-types.ts';
import { columnsOf, type TableDefinition, typeOf } from '../snapshot/definition.ts';
import type { Reference, TypedField, TypedTable } from './model.ts';
import { NameRegister, type Naming, type Paired } from './naming.ts';
import { constantCase } from './names.ts';
import { ENUM_LITERALS, ROW_FIELDS, SORT_VALUES } from './reserved-names.ts';
import type { FieldName, TableNames } from '../snapshot/snapshot.ts';

/**
 * Gives a table its names. Notes problems in `naming`. The name of a type with a problem is empty.
 *
 * @param databaseFields the fields of the database's type
 * @param path the keys of its entry in the mapping
 */
export function typedTable(
  name: string | null,
  { definition, names, path }: Paired<TableDefinition, TableNames>,
  databaseFields: NameRegister,
  naming: Naming,
): TypedTable {
  const { type, list: listField, one: oneField } = names;
  const typeName = naming.takeRecordType(type, [...path, 'type']) ? type : '';
  databaseFields.take(listField, [...path, 'list']);
  databaseFields.take(oneField, [...path, 'one']);
  const fieldNames = new NameRegister('field', ROW_FIELDS, naming.problems);
  const enumValues = new NameRegister('enum value', [...SORT_VALUES, ...ENUM_LITERALS], naming.problems);
  const columns = columnsOf(definition);
  const fields = naming.paired(definition.fields, names.fields, [...path, 'fields']).flatMap((pair): TypedField[] => {
    if (pair.names === null) return [];
    const given = typeof pair.names === 'string' ? { name: pair.names } : pair.names;
    const enumValue = given.enum ?? constantCase(given.name);
    if (fieldNames.take(given.name, pair.path)) enumValues.take(enumValue, pair.path);
    const { type: upstreamType, required } = typeOf(pair.definition);
    const type = upstreamType !== null && isFieldType(upstreamType) ? upstreamType : 'json';
    const references = referenceOf(given, type, pair.path, naming);
    const indexColumn = columns.get(pair.key) ?? null;
    return [{ name: pair.key, graphqlName: given.name, enumValue, type, required, indexColumn, references }];
  });
  return { name, typeName, listField, oneField, fields };
}

function referenceOf(
  { references: typeName, as: reverseField }: Exclude<FieldName, string | null>,
  type: TypedField['type'],
  path: readonly string[],
  naming: Naming,
): Reference | undefined {
  if (typeName === undefined) {
    if (reverseField !== undefined) naming.problems.note(path, '`as` needs `references`: write both, or neither');
    return undefined;
  }
  const reference = { typeName, reverseField };
  naming.addReference({ reference, type, path });
  return reference;
}

function isFieldType(type: string): type is FlexFieldTypeName {
  return Object.hasOwn(fieldTypes, type);
}
