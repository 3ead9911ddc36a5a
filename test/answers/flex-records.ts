import { twoDatabases } from './flex-databases.ts';
import { bulk, change, invalid, missing, written } from './mutations.ts';
import { lost, lostFields, type Scenario } from './support.ts';

const RECORD = 'id upstreamId table data createdAt updatedAt';

/** The error of a table that upstream does not return. */
const unknownTable = (path: string, message = 'The flex API does not return the table of this record.') => ({
  path,
  message,
  code: 'UPSTREAM_BAD_RESPONSE',
});

const TABLE_REQUIRED =
  'is required: upstream returns neither the table of this record nor a schema without tables, and would move the ' +
  'record to the null table. Null moves it there';

/** Records: `uuid-3` and `uuid-4` are in `shop`, `uuid-5` is in `library`. */
export const flexRecords: Scenario = {
  ...twoDatabases,
  steps: {
    'records of a database without tables': {
      query: `{ flexDb(id: "shop") { records(first: 1) { nodes { ${RECORD} db { name } } pageInfo { hasNextPage } } } }`,
      calls: 3,
    },
    'records of a database with tables': {
      query: `{ flexDb(id: "FlexDb:uuid-2") { records { nodes { ${RECORD} } } } }`,
      calls: 1,
      differs: {
        lean: {
          data: { 'flexDb.records.nodes.0.table': null },
          errors: [unknownTable('flexDb.records.nodes.0.table')],
          calls: 2,
        },
      },
    },
    'records of one table': {
      query: '{ flexDb(id: "FlexDb:uuid-2") { records(table: "books") { nodes { data table } } } }',
      calls: 1,
      differs: {
        lean: {
          data: { 'flexDb.records': null },
          errors: [
            unknownTable('flexDb.records', 'The flex API does not return the table of its records: use `search`.'),
          ],
          calls: 2,
        },
      },
    },
    'a record': {
      query: `{ flexDb(id: "FlexDb:uuid-1") { record(id: "uuid-3") { ${RECORD} } } }`,
      calls: 1,
      differs: { lean: { calls: 2 } },
    },
    'a record that is missing': { query: '{ flexDb(id: "FlexDb:uuid-1") { record(id: "none") { data } } }', calls: 1 },
    'a search': {
      query: `{ flexDb(id: "FlexDb:uuid-1") { search(query: "a", sort: { field: "title" }) { nodes { ${RECORD} } } } }`,
      calls: 2,
    },
    'a search of a table': {
      query: '{ flexDb(id: "library") { search(table: "books") { nodes { table data(fields: ["title"]) } } } }',
      calls: 2,
    },
    'a search without a table where there are some': {
      query: '{ flexDb(id: "library") { search { nodes { data } } } }',
      calls: 2,
      errors: [{ path: 'flexDb.search', message: 'table_name is required', code: 'BAD_USER_INPUT' }],
    },
    'a new record with the fields that were sent': {
      query: written('createFlexRecord', 'db: "shop", input: { data: { title: "d" } }', 'FlexRecord', 'data'),
      calls: 2,
    },
    'a new record with its id': {
      query: written('createFlexRecord', 'db: "shop", input: { data: { title: "e" } }', 'FlexRecord', 'id data'),
      calls: 2,
      differs: { unread: { data: { createFlexRecord: null }, errors: [lost('createFlexRecord.id')] } },
    },
    'a new record with fields that were not sent': {
      query: written(
        'createFlexRecord',
        'db: "FlexDb:uuid-2", input: { table: "books", data: { title: "f" } }',
        'FlexRecord',
        'table data createdAt db { name }',
      ),
      calls: 2,
      differs: { unread: lostFields('createFlexRecord', 'createdAt'), lean: { calls: 3 } },
    },
    'a new record without a required field': invalid(
      'createFlexRecord',
      'db: "FlexDb:uuid-2", input: { table: "books", data: {} }',
      'title is required',
    ),
    'a new record without a table where there are some': invalid(
      'createFlexRecord',
      'db: "library", input: { data: {} }',
    ),
    'a change of a record': change(
      'updateFlexRecord',
      'id: "FlexRecord:uuid-1:uuid-3", input: { data: { title: "g" } }',
      'FlexRecord',
      RECORD,
      2,
    ),
    'a change that keeps the table': {
      query: written(
        'updateFlexRecord',
        'id: "FlexRecord:uuid-2:uuid-5", input: { data: { n: 4 }, merge: true }',
        'FlexRecord',
        'id table data',
      ),
      calls: 2,
      differs: {
        unread: { calls: 3 },
        lean: {
          data: {
            updateFlexRecord: {
              __typename: 'ValidationError',
              message: `\`table\` ${TABLE_REQUIRED}.`,
              fields: [{ field: 'table', messages: [TABLE_REQUIRED] }],
            },
          },
        },
      },
    },
    'a change that sends the table': {
      ...change(
        'updateFlexRecord',
        'id: "FlexRecord:uuid-2:uuid-5", input: { table: "books", data: { title: "h", n: 4 } }',
        'FlexRecord',
        'id table data updatedAt',
      ),
      differs: { unread: { calls: 2 }, lean: { calls: 2 } },
    },
    'a change to a wrong value': {
      ...invalid('updateFlexRecord', 'id: "FlexRecord:uuid-1:uuid-3", input: { data: { n: "x" } }'),
      calls: 2,
    },
    'a change of a record that is missing': missing(
      'updateFlexRecord',
      'id: "FlexRecord:uuid-1:none", input: { table: null, data: {} }',
    ),
    'new records': {
      query: bulk(
        'createFlexRecords',
        'db: "shop", inputs: [{ data: { title: "i" } }, { data: { n: "x" } }, { data: {} }]',
        'FlexRecord',
        'data',
      ),
      calls: 3,
      refused: ['ValidationError', 'NotAttempted'],
      differs: {
        'bare:refused-200': { data: { 'createFlexRecords.1.message': 'n is not of type integer; title is required' } },
      },
    },
    'changes of records': {
      query: bulk(
        'updateFlexRecords',
        'inputs: [{ id: "FlexRecord:uuid-1:uuid-3", input: { data: { title: "j" } } }, { id: "FlexRecord:uuid-1:none", input: { table: null, data: {} } }]',
        'FlexRecord',
        'id data',
      ),
      calls: 3,
      refused: ['NotFoundError'],
      differs: { unread: { calls: 4 } },
    },
    'deletions of records': {
      query: bulk(
        'deleteFlexRecords',
        'ids: ["FlexRecord:uuid-1:none", "FlexRecord:uuid-1:uuid-3"], onFailure: CONTINUE',
        'DeletedNode',
        'deletedId',
      ),
      calls: 2,
      refused: ['NotFoundError'],
    },
    'a deletion of a record': {
      query: written('deleteFlexRecord', 'id: "FlexRecord:uuid-1:uuid-4"', 'DeletedNode', 'deletedId'),
      calls: 1,
    },
    'a deletion of a record again': missing('deleteFlexRecord', 'id: "FlexRecord:uuid-1:uuid-4"'),
    'a new database without a schema': {
      query: written('createFlexDb', 'input: { name: "Notes", code: "notes" }', 'FlexDb', 'name'),
      calls: 1,
      differs: { unread: { calls: 2 } },
    },
    'a new record in it': {
      query: written('createFlexRecord', 'db: "notes", input: { data: { a: 1 } }', 'FlexRecord', 'data'),
      calls: 2,
    },
    'a search of a table that it does not have': {
      query: '{ flexDb(id: "notes") { search(table: "none") { nodes { table data } } } }',
      calls: 2,
      data: { flexDb: { search: { nodes: [{ table: null, data: { a: 1 } }] } } },
      differs: { lean: { errors: [unknownTable('flexDb.search.nodes.0.table')], calls: 4 } },
    },
  },
};
