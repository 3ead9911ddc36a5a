import { type FlexDbRecord, type FlexRecordRecord, readableTables } from '../flex/wire.ts';
import { path, withQuery } from '../http/transport/path.ts';
import { kinds } from './kinds.ts';
import type { ContractRead, Fields, FieldsOf } from './shape.ts';

const database = {
  id: kinds.ownId,
  name: kinds.text,
  code: kinds.text,
  app_id: kinds.text,
  schema: kinds.object,
  public_methods: kinds.object,
  created_at: kinds.instant, // Not documented (A67): the stamps
  updated_at: kinds.instant,
} satisfies FieldsOf<FlexDbRecord & { readonly created_at: unknown; readonly updated_at: unknown }>;

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

export const flexReads: readonly ContractRead[] = [
  {
    endpoint: 'GET /flex/dbs.json',
    path: () => path`/flex/dbs.json`,
    fields: database,
    recordKey: 'db',
    isList: true,
    gives: ({ id, schema }) => ({ db: id, table: readableTables(schema)?.[0]?.name ?? '' }),
  },
  {
    endpoint: 'GET /flex/dbs/:id.json',
    needs: ['db'],
    path: ({ db: id = '' }) => path`/flex/dbs/${id}.json`,
    fields: database,
    recordKey: 'db',
  },
  {
    endpoint: 'GET /flex/dbs/:db_id/records.json',
    needs: ['db'],
    path: ({ db = '' }) => path`/flex/dbs/${{ db_id: db }}/records.json`,
    fields: record,
    recordKey: 'record',
    isList: true,
  },
  {
    endpoint: 'GET /flex/dbs/:db_id/search.json',
    needs: ['db'],
    path: ({ db = '', table }) =>
      withQuery(path`/flex/dbs/${{ db_id: db }}/search.json`, { table_name: table === '' ? undefined : table }),
    fields: flatRecord,
    recordKey: 'record',
    isList: true,
    isOpen: true,
  },
];
