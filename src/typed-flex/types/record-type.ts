import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLResolveInfo,
} from 'graphql';
import type { Context } from '../../context.ts';
import { lazyRecordField } from '../../flex/records.ts';
import { parseData } from '../../flex/wire.ts';
import { globalId } from '../../graphql/ids.ts';
import { identifier } from '../../http/formats/leaves.ts';
import { extraResolver, valueResolver } from './data-fields.ts';
import { fieldExtensions, tableDirective } from './directives.ts';
import type { ValuesByType } from './field-values.ts';
import type { Joins } from './joins.ts';
import type { TypedDatabase, TypedField, TypedTable } from '../model/model.ts';
import type { Parts } from './parts.ts';
import type { SharedTypes } from './shared-types.ts';
import { addFields, isShadowed } from './table-fields.ts';
import type { RecordSet, TypedRecord } from './typed-records.ts';

type RecordField = GraphQLFieldConfig<TypedRecord, Context>;

const dataOf = lazyRecordField('data', parseData);

/** Creates the type of the records of a table. */
export function tableType(
  database: TypedDatabase,
  table: TypedTable,
  joins: Joins,
  parts: Parts,
): GraphQLObjectType<TypedRecord, Context> {
  const { typeName, name, fields } = table;
  return new GraphQLObjectType<TypedRecord, Context>({
    name: typeName,
    description: describeTable(database, table),
    extensions: tableDirective(database.key, name),
    interfaces: [parts.shared.interface('Node')],
    fields: () =>
      Object.assign(
        addFields(identityFields(typeName), fields, (field) => outputField(field, joins, parts.values)),
        timeFields(parts.shared),
        { extra: extraField(table, parts.shared) },
        joins.reverseFields(typeName),
      ),
  });
}

/** Creates the type of the records of no table. */
export function untabledType(database: TypedDatabase, { typeName }: RecordSet, { shared }: Parts) {
  return new GraphQLObjectType<TypedRecord, Context>({
    name: typeName,
    description:
      `A record of the database ${database.key} that belongs to no table: no definition validates it, and no search ` +
      'finds it. Public methods create such records.',
    interfaces: [shared.interface('Node')],
    fields: () => ({
      ...identityFields(typeName),
      data: { type: shared.scalar('JSONObject'), description: 'Values of the record.', resolve: dataOf },
      ...timeFields(shared),
    }),
  });
}

function describeTable({ key }: TypedDatabase, { name }: TypedTable): string {
  const place = name === null ? `the database ${key}` : `the table ${name} of the database ${key}`;
  return `A record of ${place}. All fields may be null: records are as old as they are, and definitions change.`;
}

const upstreamId: RecordField = {
  type: new GraphQLNonNull(GraphQLID),
  description: 'Id of the record in its database.',
  resolve: ({ id }) => id,
};

function identityFields(typeName: string): GraphQLFieldConfigMap<TypedRecord, Context> {
  return {
    id: {
      type: new GraphQLNonNull(GraphQLID),
      description: 'Global id: the type and the upstream id, such as `Client:42`.',
      resolve: ({ id }) => globalId(typeName, id),
    },
    upstreamId,
  };
}

const readTime = (at: unknown) => at;
const createdAt = lazyRecordField('created_at', readTime);
const updatedAt = lazyRecordField('updated_at', readTime);

function timeFields(shared: SharedTypes): GraphQLFieldConfigMap<TypedRecord, Context> {
  const type = shared.scalar('DateTime');
  return {
    createdAt: { type, description: 'Time of the creation.', resolve: createdAt },
    updatedAt: { type, description: 'Time of the last change.', resolve: updatedAt },
  };
}

function outputField(field: TypedField, joins: Joins, values: ValuesByType): RecordField {
  const { type, references } = field;
  const { scalar, read, about } = values[type];
  const extensions = fieldExtensions(field);
  if (!references)
    return { type: scalar, description: describeOutput(field, about), extensions, resolve: reader(field, read) };
  const target = joins.target(references.typeName);
  const description =
    'The record. Null when it does not exist or the caller cannot see it. Records of a list are loaded together.';
  const readId = reader(field, identifier);
  return {
    type: target.type,
    description: describeOutput(field, description),
    extensions,
    resolve: async (record, args, context, info) => {
      const id = await readId(record, args, context, info);
      return id === null ? null : target.load(id, context);
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
function listedData(record: TypedRecord, args: object, context: Context, info: GraphQLResolveInfo) {
  const { id, db, isFlat } = record;
  return dataOf(isFlat ? { id, db } : record, args, context, info);
}

function extraField(table: TypedTable, shared: SharedTypes): RecordField {
  return {
    type: shared.scalar('JSONObject'),
    description:
      'Values under keys that have no field here. A list requests all fields from upstream when it is selected. It ' +
      'cannot return keys named id, created_at or updated_at.',
    resolve: extraResolver(dataOf, table),
  };
}
