import { fieldTypes, type FlexFieldTypeName } from '../../flex/field-types.ts';
import { columnsOf, type TableDefinition, typeOf } from '../snapshot/definition.ts';
import type { Reference, TypedField, TypedTable } from './model.ts';
import { NameRegister, type Naming } from './naming.ts';
import { constantCase } from './names.ts';
import { ENUM_LITERALS, ROW_FIELDS, SORT_VALUES } from './reserved-names.ts';
import type { FieldName, TableNames } from '../snapshot/snapshot.ts';

/** Gives the tables of one database their names. */
export class TableReader {
  readonly #naming: Naming;
  /** The fields of the database's type. */
  readonly #databaseFields: NameRegister;

  /** @param reserved fields of the database's type beside those of its tables */
  constructor(naming: Naming, reserved: readonly string[]) {
    this.#naming = naming;
    this.#databaseFields = new NameRegister('field of its database', reserved, naming.problems);
  }

  /**
   * Notes problems in `Naming`. The name of a type with a problem is empty.
   *
   * @param path the keys of its entry in the mapping
   */
  read(name: string | null, definition: TableDefinition, names: TableNames, path: readonly string[]): TypedTable {
    const { type, list: listField, one: oneField } = names;
    const typeName = this.#naming.takeRecordType(type, [...path, 'type']) ? type : '';
    this.#databaseFields.take(listField, [...path, 'list']);
    this.#databaseFields.take(oneField, [...path, 'one']);
    return { name, typeName, listField, oneField, fields: this.#fields(definition, names, path) };
  }

  #fields(definition: TableDefinition, names: TableNames, path: readonly string[]): TypedField[] {
    const fieldNames = new NameRegister('field', ROW_FIELDS, this.#naming.problems);
    const enumValues = new NameRegister('enum value', [...SORT_VALUES, ...ENUM_LITERALS], this.#naming.problems);
    const columns = columnsOf(definition);
    const pairs = this.#naming.paired(definition.fields, names.fields, [...path, 'fields']);
    return pairs.flatMap(({ key: name, definition: field, names: entry, path }) => {
      if (entry === null) return [];
      const given = typeof entry === 'string' ? { name: entry } : entry;
      const enumValue = given.enum ?? constantCase(given.name);
      if (fieldNames.take(given.name, path)) enumValues.take(enumValue, path);
      const { type: upstreamType, required } = typeOf(field);
      const type = upstreamType !== null && isFieldType(upstreamType) ? upstreamType : 'json';
      const references = this.#reference(given, type, path);
      return [
        {
          name,
          graphqlName: given.name,
          enumValue,
          type,
          required,
          indexColumn: columns.get(name) ?? null,
          references,
        },
      ];
    });
  }

  #reference(
    entry: Exclude<FieldName, string | null>,
    type: TypedField['type'],
    path: readonly string[],
  ): Reference | undefined {
    if (entry.references === undefined) {
      if (entry.as !== undefined) this.#naming.problems.note(path, '`as` needs `references`: write both, or neither');
      return undefined;
    }
    const reference = { typeName: entry.references, reverseField: entry.as };
    this.#naming.references.add({ reference, type, path });
    return reference;
  }
}

function isFieldType(type: string): type is FlexFieldTypeName {
  return Object.hasOwn(fieldTypes, type);
}
