import { type FlexDbRecord, type FlexRecordRecord, readableTables } from '../../apis/flex/wire.ts';
import { kinds } from './kinds.ts';
import { type ContractRead, type Fields, type FieldsOf, listAndRecord } from './shape.ts';

const database = {
  id: kinds.ownId,
  name: kinds.text,
  code: kinds.text,
  app_id: kinds.text,
  schema: kinds.object,
  public_methods: kinds.object,
  created_at: kinds.instant, // Not documented (A67): the stamps
  updated_at: kinds.instant,
} satisfies FieldsOf<FlexDbRecord>;

const record = {
  id: kinds.ownId,
  data: kinds.object,
  table_name: kinds.text,
  created_at: kinds.instant,
  updated_at: kinds.instant,
} satisfies FieldsOf<FlexRecordRecord>;

const { data: _data, table_name: _table, ...found } = record;

/** A row of a search: the other keys are the fields of its data. */
const flatRecord: Fields = found;

/** Any text that can be a segment of a path may be the id of a database. */
const segment = (id: string) => id;

const [databases, oneDatabase] = listAndRecord(['GET /flex/dbs.json', 'GET /flex/dbs/:id.json'], 'db', database);

export const flexReads: readonly ContractRead[] = [
  { ...databases, gives: ({ id, schema }) => ({ db: id, table: readableTables(schema)?.[0]?.name ?? '' }) },
  { ...oneDatabase, segment },
  {
    endpoint: 'GET /flex/dbs/:db_id/records.json',
    needs: { db_id: 'db' },
    segment,
    fields: record,
    recordKey: 'record',
    isList: true,
  },
  {
    endpoint: 'GET /flex/dbs/:db_id/search.json',
    needs: { db_id: 'db' },
    segment,
    query: ({ table }) => ({ table_name: table === '' ? undefined : table }),
    fields: flatRecord,
    recordKey: 'record',
    isList: true,
    isOpen: true,
  },
];
