import { publicOperations } from '../../apis/flex/public-operations.ts';
import { wireValues } from '../../graph/enums.ts';
import type { MethodDefinition } from '../snapshot/definition.ts';
import type { PublicMethods, PublicOperation, TypedField, TypedTable } from './model.ts';
import { MISSING, NameRegister, type Naming } from './naming.ts';
import { constantCase } from './names.ts';
import { ENUM_LITERALS, ROW_FIELDS, SORT_VALUES } from './reserved-names.ts';
import type { DatabaseNames, StoredDatabase } from '../snapshot/snapshot.ts';

/** Gives the public methods of a database their names. Undefined without any, and without a code to call them by. */
export function publicMethodsOf(
  key: string,
  stored: StoredDatabase,
  names: DatabaseNames['public'],
  tables: readonly TypedTable[],
  naming: Naming,
): PublicMethods | undefined {
  const methods = methodsOf(stored.public_methods);
  const { code } = stored;
  if (code === null || methods.size === 0) {
    if (names) naming.problems.note([key, 'public'], 'the database has no public method: remove the entry');
    return undefined;
  }
  if (!names) {
    naming.problems.note([key, 'public'], MISSING);
    return undefined;
  }
  const { query: queryField, type: typeName, row: rowTypeName } = names;
  naming.queryFields.take(queryField, [key, 'public', 'query']);
  naming.types.take(typeName, [key, 'public', 'type']);
  naming.takeRecordType(rowTypeName, [key, 'public', 'row']);
  const shown = shownFields(methods);
  const fields = mergedFields(key, tables).filter(({ field }) => shown?.has(field.name) ?? true);
  const fieldNames = new NameRegister(`field of ${rowTypeName}`, ROW_FIELDS, naming.problems);
  const enumValues = new NameRegister(
    `enum value of ${rowTypeName}`,
    [...SORT_VALUES, ...ENUM_LITERALS],
    naming.problems,
  );
  for (const { field, path } of fields) {
    if (!naming.problems.has(path) && fieldNames.take(field.graphqlName, path)) enumValues.take(field.enumValue, path);
  }
  return {
    code,
    queryField,
    typeName,
    rowTypeName,
    methods,
    tables: namedTables(key, tables, naming),
    fields: fields.map(({ field }) => field),
  };
}

function methodsOf(stored: StoredDatabase['public_methods']): PublicMethods['methods'] {
  const methods = new Map<PublicOperation, MethodDefinition>();
  for (const operation of wireValues(publicOperations)) {
    const method = Object.hasOwn(stored, operation) ? stored[operation] : undefined;
    if (method !== undefined) methods.set(operation, method === true ? {} : method);
  }
  return methods;
}

const reads: readonly PublicOperation[] = ['list', 'get', 'search'];
const writes: readonly PublicOperation[] = ['create', 'update'];

/** The names of fields that callers of the methods learn anyway. Undefined for all. */
function shownFields(methods: PublicMethods['methods']): ReadonlySet<string> | undefined {
  if (reads.some((operation) => methods.has(operation))) return undefined;
  if (writes.some((operation) => methods.has(operation) && !methods.get(operation)?.allowed_fields)) return undefined;
  const taking = writes.flatMap((operation) => methods.get(operation) ?? []);
  const options = taking.flatMap((method) => [
    ...(method.allowed_fields ?? []),
    ...(method.required_fields ?? []),
    ...(method.default_values ?? []),
    ...(method.auto_fields ?? []),
    ...(method.scope_by === undefined ? [] : [method.scope_by]),
  ]);
  return new Set(options);
}

interface MergedField {
  readonly field: TypedField;
  /** The keys of its entry in the mapping. */
  readonly path: readonly string[];
}

/**
 * The fields of all tables: public methods but `search` know no tables. A field of several tables has its first name. It is
 * neither required nor indexed for all of them.
 */
function mergedFields(key: string, tables: readonly TypedTable[]): MergedField[] {
  const merged = new Map<string, MergedField>();
  for (const table of tables) {
    const path = table.name === null ? [key, 'table', 'fields'] : [key, 'tables', table.name, 'fields'];
    for (const own of table.fields) {
      const { field = own } = merged.get(own.name) ?? {};
      const type = field.type === own.type ? own.type : 'json';
      const single = table.name === null ? {} : { required: false, indexColumn: null };
      const first = merged.get(own.name)?.path ?? [...path, own.name];
      merged.set(own.name, { field: { ...field, ...single, type, references: undefined }, path: first });
    }
  }
  return [...merged.values()];
}

function namedTables(key: string, tables: readonly TypedTable[], naming: Naming): PublicMethods['tables'] {
  const values = new NameRegister('enum value', ENUM_LITERALS, naming.problems);
  return tables.flatMap(({ name, listField }) => {
    if (name === null) return [];
    const enumValue = constantCase(listField);
    const path = [key, 'tables', name, 'list'];
    if (!naming.problems.has(path)) values.take(enumValue, path);
    return [{ name, enumValue }];
  });
}
