import type { TypedDatabase, TypedField, TypedModel, TypedTable } from '../../src/typed-flex/model.ts';

// The databases of the demo, as a snapshot of them defines them.

type FieldOptions = Partial<TypedField> & Pick<TypedField, 'name' | 'type'>;

/** A field under its own name in camel case. */
export function typedField({ name, ...more }: FieldOptions): TypedField {
  const graphqlName = name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  const enumValue = name.toUpperCase();
  return { name, graphqlName, enumValue, required: false, indexColumn: null, references: undefined, ...more };
}

export function typedTable(table: Partial<TypedTable> & Pick<TypedTable, 'typeName'>): TypedTable {
  return { name: null, listField: 'rows', oneField: 'row', fields: [], ...table };
}

/** A database with an id to be replaced, without public methods. */
export function typedDatabase(database: Partial<TypedDatabase> & Pick<TypedDatabase, 'typeName'>): TypedDatabase {
  const code = database.typeName.toLowerCase();
  return {
    id: '0',
    code,
    key: code,
    fingerprint: '',
    queryField: code,
    tables: [],
    untabledTypeName: undefined,
    publicMethods: undefined,
    ...database,
  };
}

const people = typedTable({
  name: 'people',
  typeName: 'TrackerPerson',
  listField: 'people',
  oneField: 'person',
  fields: [
    typedField({ name: 'name', type: 'string', required: true, indexColumn: 'idx_str_1' }),
    typedField({ name: 'email', type: 'string', indexColumn: 'idx_str_2' }),
    typedField({ name: 'role', type: 'string', indexColumn: 'idx_str_3' }),
    typedField({ name: 'joined_on', type: 'date', indexColumn: 'idx_time_1' }),
  ],
});

const tasks = typedTable({
  name: 'tasks',
  typeName: 'TrackerTask',
  listField: 'tasks',
  oneField: 'task',
  fields: [
    typedField({ name: 'title', type: 'string', required: true }),
    typedField({ name: 'status', type: 'string', required: true, indexColumn: 'idx_str_1' }),
    typedField({ name: 'assignee', type: 'string', indexColumn: 'idx_str_2' }),
    typedField({ name: 'priority', type: 'integer', indexColumn: 'idx_int_1' }),
    typedField({ name: 'estimate', type: 'number' }),
    typedField({ name: 'done', type: 'boolean' }),
    typedField({ name: 'due_at', type: 'datetime', indexColumn: 'idx_time_1' }),
    typedField({ name: 'notes', type: 'text' }),
  ],
});

const products = typedTable({
  typeName: 'ProductsRow',
  fields: [
    typedField({ name: 'name', type: 'string', required: true, indexColumn: 'idx_str_1' }),
    typedField({ name: 'sku', type: 'string', required: true, indexColumn: 'idx_str_2' }),
    typedField({ name: 'category', type: 'string', indexColumn: 'idx_str_3' }),
    typedField({ name: 'price', type: 'number' }),
    typedField({ name: 'stock', type: 'integer', indexColumn: 'idx_int_1' }),
    typedField({ name: 'active', type: 'boolean' }),
    typedField({ name: 'listed_on', type: 'date', indexColumn: 'idx_time_1' }),
    typedField({ name: 'description', type: 'text' }),
  ],
});

const entries = typedTable({
  typeName: 'GuestbookRow',
  fields: [
    typedField({ name: 'message', type: 'text', required: true }),
    typedField({ name: 'author', type: 'string', indexColumn: 'idx_str_2' }),
    typedField({ name: 'rating', type: 'integer', indexColumn: 'idx_int_1' }),
    typedField({ name: 'owner', type: 'string', indexColumn: 'idx_str_1' }),
  ],
});

/** The model of the three databases of the demo. Ids are new in each sandbox. */
export function demoModel(idOf: (code: string) => string): TypedModel {
  const databases = [
    typedDatabase({ typeName: 'Products', tables: [products] }),
    typedDatabase({ typeName: 'Tracker', tables: [people, tasks], untabledTypeName: 'TrackerUntabled' }),
    typedDatabase({ typeName: 'Guestbook', tables: [entries] }),
  ];
  return { databases: databases.map((database) => ({ ...database, id: idOf(database.key) })) };
}
