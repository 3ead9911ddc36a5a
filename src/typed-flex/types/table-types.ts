import type { StoredRecord } from '../../apis/flex/stored-records.ts';
import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from 'graphql';
import type { Context } from '../../operation/context.ts';
import { lazyRecordField } from '../../apis/flex/records.ts';
import { parseData } from '../../apis/flex/wire.ts';
import { globalId } from '../../graph/ids.ts';
import { type NodeType, nodeTypes } from '../../graph/node.ts';
import { identifier } from '../../formats/leaves.ts';
import type { TypedDatabase, TypedField, TypedModel, TypedTable } from '../model/model.ts';
import { fieldOf, interfaceType, objectType, scalarType } from './base-types.ts';
import { connectionType } from './connection-type.ts';
import { fieldExtensions, tableDirective } from './directives.ts';
import { fieldValues, scalarOf } from './field-values.ts';
import { type Referring, reverseList } from './reverse-list.ts';
import { addFields, extraResolver, isShadowed, valueResolver } from './table-fields.ts';
import { nodeType, type RecordSet, recordsOf, untabledRecords } from './typed-records.ts';

type RecordField = GraphQLFieldConfig<StoredRecord, Context>;

/** The types of the records of one table, or of no table. */
interface RecordTypes {
  readonly record: GraphQLObjectType<StoredRecord, Context>;
  readonly connection: GraphQLObjectType;
  /** Loads records by their upstream ids, in a batch. */
  readonly node: NodeType;
}

/** The types of the records of a model, and the references between them and to records of other APIs. */
export class ModelTypes {
  readonly #base: GraphQLSchema;
  readonly #types = new Map<string, RecordTypes>();
  /** The references that have a list at their other end, by the type that has the list. */
  readonly #reverse = new Map<string, Referring[]>();

  constructor({ databases }: TypedModel, base: GraphQLSchema) {
    this.#base = base;
    for (const database of databases) {
      for (const table of database.tables) {
        this.#add(recordsOf(database, table), tableType(database, table, this, base));
        for (const field of table.fields) this.#note({ database, table, field });
      }
      const untabled = untabledRecords(database);
      if (untabled) this.#add(untabled, untabledType(database, untabled, base));
    }
  }

  /** The types with global ids. */
  get nodes(): readonly NodeType[] {
    return [...this.#types.values()].map(({ node }) => node);
  }

  /** The types of records, by the name of theirs. */
  of(typeName: string): RecordTypes {
    const types = this.#types.get(typeName);
    if (types) return types;
    throw new Error(`The model has no such type: ${typeName}.`);
  }

  /** The record that a field refers to, of a table or of another API. */
  target(typeName: string): Omit<RecordTypes, 'connection'> {
    const own = this.#types.get(typeName);
    if (own) return own;
    const node = nodeTypes.get(typeName);
    if (node) return { record: objectType(this.#base, typeName), node };
    throw new Error(`The type ${typeName} has no loader.`);
  }

  /** The types outside of the model that have lists of records which refer to them. */
  get outerTypes(): readonly string[] {
    return [...this.#reverse.keys()].filter((name) => !this.#types.has(name));
  }

  /** The lists that a type has of records which refer to it. */
  reverseFields(typeName: string): GraphQLFieldConfigMap<{ readonly id: string }, Context> {
    const referring = this.#reverse.get(typeName) ?? [];
    return Object.fromEntries(
      referring.map((from) => [
        from.field.references?.reverseField,
        reverseList(from, this.of(from.table.typeName).connection, this.#base),
      ]),
    );
  }

  #add(records: RecordSet, record: RecordTypes['record']): void {
    const connection = connectionType(record, this.#base);
    this.#types.set(records.typeName, { record, connection, node: nodeType(records) });
  }

  #note(referring: Referring): void {
    const { references } = referring.field;
    if (references?.reverseField === undefined) return;
    const others = this.#reverse.get(references.typeName) ?? [];
    this.#reverse.set(references.typeName, [...others, referring]);
  }
}

const dataOf = lazyRecordField('data', parseData);

/** Creates the type of the records of a table. */
function tableType(
  database: TypedDatabase,
  table: TypedTable,
  types: ModelTypes,
  base: GraphQLSchema,
): RecordTypes['record'] {
  const { typeName, name, fields } = table;
  return new GraphQLObjectType<StoredRecord, Context>({
    name: typeName,
    description: describeTable(database, table),
    extensions: tableDirective(database.key, name),
    interfaces: [interfaceType(base, 'Node')],
    fields: () =>
      Object.assign(
        addFields(identityFields(typeName, base), fields, (field) => outputField(field, types, base)),
        timeFields(base),
        { extra: extraField(table, base) },
        types.reverseFields(typeName),
      ),
  });
}

/** Creates the type of the records of no table. */
function untabledType(database: TypedDatabase, { typeName }: RecordSet, base: GraphQLSchema): RecordTypes['record'] {
  return new GraphQLObjectType<StoredRecord, Context>({
    name: typeName,
    description:
      `A record of the database ${database.key} that belongs to no table: no definition validates it, and no search ` +
      'finds it. Public methods create such records.',
    interfaces: [interfaceType(base, 'Node')],
    fields: () => ({
      ...identityFields(typeName, base),
      data: { type: scalarType(base, 'JSONObject'), description: 'Values of the record.', resolve: dataOf },
      ...timeFields(base),
    }),
  });
}

function describeTable({ key }: TypedDatabase, { name }: TypedTable): string {
  const place = name === null ? `the database ${key}` : `the table ${name} of the database ${key}`;
  return `A record of ${place}. All fields may be null: records are as old as they are, and definitions change.`;
}

function identityFields(typeName: string, base: GraphQLSchema): GraphQLFieldConfigMap<StoredRecord, Context> {
  return {
    id: {
      type: new GraphQLNonNull(GraphQLID),
      description: fieldOf(base, 'FlexRecord', 'id').description,
      resolve: ({ id }) => globalId(typeName, id),
    },
    upstreamId: fieldOf(base, 'FlexRecord', 'upstreamId'),
  };
}

function timeFields(base: GraphQLSchema): GraphQLFieldConfigMap<StoredRecord, Context> {
  return {
    createdAt: fieldOf(base, 'FlexRecord', 'createdAt'),
    updatedAt: fieldOf(base, 'FlexRecord', 'updatedAt'),
  };
}

function outputField(field: TypedField, types: ModelTypes, base: GraphQLSchema): RecordField {
  const { type, references } = field;
  const { read, about } = fieldValues[type];
  const extensions = fieldExtensions(field);
  if (!references)
    return {
      type: scalarOf(field, base),
      description: describeOutput(field, about),
      extensions,
      resolve: reader(field, read),
    };
  const { record: target, node } = types.target(references.typeName);
  const description =
    'The record. Null when it does not exist or the caller cannot see it. Records of a list are loaded together.';
  const readId = reader(field, identifier);
  return {
    type: target,
    description: describeOutput(field, description),
    extensions,
    resolve: async (record, args, context, info) => {
      const id = await readId(record, args, context, info);
      return id === null ? null : node.getDataloader(context).load(id);
    },
  };
}

/** Creates a resolver for the value of a field. */
function reader<Value>({ name }: TypedField, read: (value: unknown) => Value) {
  return valueResolver(isShadowed(name) ? listedData : dataOf, name, read);
}

function describeOutput(field: TypedField, about: string): string {
  if (!isShadowed(field.name)) return about;
  return (
    `${about} A search cannot return the field ${field.name} of the data, so rows of a list read it from ` +
    '`GET /flex/dbs/:db_id/records.json`, once per operation.'
  );
}

/** The whole data of a record, from the list of its database when a search returned it. */
function listedData(record: StoredRecord, args: object, context: Context, info: GraphQLResolveInfo) {
  const { id, db, isFlat } = record;
  return dataOf(isFlat ? { id, db } : record, args, context, info);
}

function extraField(table: TypedTable, base: GraphQLSchema): RecordField {
  return {
    type: scalarType(base, 'JSONObject'),
    description:
      'Values under keys that have no field here. A list requests all fields from upstream when it is selected. It ' +
      'cannot return keys named id, created_at or updated_at.',
    resolve: extraResolver(dataOf, table),
  };
}
