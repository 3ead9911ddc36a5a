import type { PublicFlexSource } from '../../src/apis/flex/public-source.ts';
import type { FlexSource } from '../../src/apis/flex/source.ts';
import type { Rows } from './rows.ts';

export const flex: Rows<FlexSource> = {
  databases: ['GET /flex/dbs.json', (source) => source.databases(), '{ flexDbs { id } }'],
  database: ['GET /flex/dbs/:id.json', (source) => source.database('shop'), '{ flexDb(id: "shop") { id } }'],
  createDatabase: [
    'POST /flex/dbs.json',
    (source) => source.createDatabase({ name: 'New' }),
    'mutation { createFlexDb(input: { name: "New" }) { __typename } }',
  ],
  updateDatabase: [
    'PATCH /flex/dbs/:id.json',
    (source) => source.updateDatabase('shop', {}, false),
    'mutation { updateFlexDb(id: "shop", input: { name: "x" }) { __typename } }',
  ],
  deleteDatabase: [
    'DELETE /flex/dbs/:id.json',
    (source) => source.deleteDatabase('shop'),
    'mutation { deleteFlexDb(id: "shop") { __typename } }',
  ],
  replace: [
    'PATCH /flex/dbs/:id/replace.json',
    (source) => source.replace('shop', { field: 'schema', old_string: 'text', new_string: 'string' }, false),
    'mutation { replaceInFlexDb(id: "shop", input: { field: SCHEMA, oldString: "text", newString: "string" }) { __typename } }',
  ],
  records: [
    'GET /flex/dbs/:db_id/records.json',
    (source) => source.records('shop'),
    '{ flexDb(id: "shop") { records { nodes { id } } } }',
  ],
  createRecord: [
    'POST /flex/dbs/:db_id/records.json',
    (source) => source.createRecord('shop', { data: {} }),
    'mutation { createFlexRecord(db: "shop", input: { data: {} }) { __typename } }',
  ],
  updateRecord: [
    'PATCH /flex/dbs/:db_id/records/:id.json',
    (source, { record }) => source.updateRecord('shop', record, { data: {} }),
    'mutation { updateFlexRecord(id: "FlexRecord:DB:RECORD", input: { data: {} }) { __typename } }',
  ],
  deleteRecord: [
    'DELETE /flex/dbs/:db_id/records/:id.json',
    (source, { record }) => source.deleteRecord('shop', record),
    'mutation { deleteFlexRecord(id: "FlexRecord:DB:RECORD") { __typename } }',
  ],
  search: [
    'GET /flex/dbs/:db_id/search.json',
    (source) => source.search('shop', { filters: {} }, { limit: 1, offset: 0 }),
    '{ flexDb(id: "shop") { search { nodes { id } } } }',
  ],
};

export const publicFlex: Rows<PublicFlexSource> = {
  list: [
    'POST /flex/db/:db_code/list',
    (source) => source.list('shop', {}),
    '{ publicFlexDb(code: "shop") { list { nodes { id } } } }',
  ],
  get: [
    'POST /flex/db/:db_code/get',
    (source, { record }) => source.get('shop', record),
    '{ publicFlexDb(code: "shop") { get(id: "RECORD") { id } } }',
  ],
  create: [
    'POST /flex/db/:db_code/create',
    (source) => source.create('shop', {}),
    'mutation { createPublicFlexRecord(code: "shop", data: {}) { __typename } }',
  ],
  update: [
    'POST /flex/db/:db_code/update',
    (source, { record }) => source.update('shop', record, {}),
    'mutation { updatePublicFlexRecord(code: "shop", id: "RECORD", data: {}) { __typename } }',
  ],
  delete: [
    'POST /flex/db/:db_code/delete',
    (source, { record }) => source.delete('shop', record),
    'mutation { deletePublicFlexRecord(code: "shop", id: "RECORD") { __typename } }',
  ],
  search: [
    'POST /flex/db/:db_code/search',
    (source) => source.search('shop', {}),
    '{ publicFlexDb(code: "shop") { search { nodes { id } } } }',
  ],
};
