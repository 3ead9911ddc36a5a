import { written } from './mutations.ts';
import { flexUuids } from './records.ts';
import { lost, type Scenario } from './support.ts';

const RECORD = 'id upstreamId code data createdAt updatedAt';
const all = { list: true, get: true, update: true, delete: true, search: true };
const publicly = (field: string, args: string, selection: string) =>
  written(field, `code: "book", ${args}`, field.startsWith('delete') ? 'DeletedNode' : 'PublicFlexRecord', selection);

/** The public methods of `book`, called without a credential. `uuid-3` and `uuid-4` are its records. */
export const publicFlex: Scenario = {
  uuids: flexUuids,
  seed: ({ sandbox: { store }, account }) => {
    const public_methods = { ...all, create: { required_fields: ['title'], default_values: { stars: 5 } } };
    const { id } = store.createFlexDatabase(account, { name: 'Book', code: 'book', public_methods });
    store.createFlexDatabase(account, { name: 'Closed', code: 'closed' });
    store.createFlexRecords(id, [{ title: 'a' }, { title: 'b', empty: '' }]);
  },
  token: null,
  steps: {
    'a list': {
      query: `{ publicFlexDb(code: "book") { code list(first: 5) { nodes { ${RECORD} } pageInfo { hasNextPage } } } }`,
      calls: 1,
    },
    'a search': {
      query: `{ publicFlexDb(code: "book") { search(query: "a") { edges { node { ${RECORD} } } } } }`,
      calls: 1,
    },
    'a record': { query: `{ publicFlexDb(code: "book") { get(id: "uuid-3") { ${RECORD} } } }`, calls: 1 },
    'a record that is missing': { query: '{ publicFlexDb(code: "book") { get(id: "none") { id } } }', calls: 1 },
    'a database without public methods': {
      query: '{ publicFlexDb(code: "closed") { list { nodes { id } } } }',
      calls: 1,
      errors: [
        {
          path: 'publicFlexDb.list',
          message: '`code` is not the code of a database that allows this public method.',
          code: 'BAD_USER_INPUT',
        },
      ],
    },
    'a new record with the fields that were sent': {
      query: publicly('createPublicFlexRecord', 'data: { title: "c", stars: 4 }', 'code data'),
      calls: 1,
    },
    'a new record with its id': {
      query: publicly('createPublicFlexRecord', 'data: { title: "d", stars: 3 }', RECORD),
      calls: 1,
      differs: {
        unread: { data: { createPublicFlexRecord: null }, errors: [lost('createPublicFlexRecord.id')] },
      },
    },
    'a new record with fields that were not sent': {
      query: publicly('createPublicFlexRecord', 'data: { title: "e" }', 'data createdAt'),
      calls: 1,
      differs: {
        unread: {
          data: { 'createPublicFlexRecord.data': { title: 'e' }, 'createPublicFlexRecord.createdAt': null },
          errors: [lost('createPublicFlexRecord.createdAt')],
        },
      },
    },
    'a new record without a required field': {
      query: publicly('createPublicFlexRecord', 'data: {}', 'id'),
      calls: 1,
      refused: ['ValidationError'],
      differs: { 'bare:refused-200': { data: { 'createPublicFlexRecord.message': 'title is required' } } },
    },
    'a change': {
      query: publicly('updatePublicFlexRecord', 'id: "uuid-3", data: { title: "f" }', RECORD),
      calls: 1,
      differs: { unread: { calls: 2 } },
    },
    'a change with the id alone': {
      query: publicly('updatePublicFlexRecord', 'id: "uuid-3", data: { title: "g" }', 'id'),
      calls: 1,
    },
    'a change of a record that is missing': {
      query: publicly('updatePublicFlexRecord', 'id: "none", data: {}', 'id'),
      calls: 1,
      refused: ['NotFoundError'],
    },
    'a deletion': { query: publicly('deletePublicFlexRecord', 'id: "uuid-3"', 'deletedId'), calls: 1 },
    'a deletion again': {
      query: publicly('deletePublicFlexRecord', 'id: "uuid-3"', 'deletedId'),
      calls: 1,
      refused: ['NotFoundError'],
    },
  },
};
