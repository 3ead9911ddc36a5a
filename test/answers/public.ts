import { change, creation, invalid, missing, written } from './mutations.ts';
import { flexUuids } from './records.ts';
import { lost, type Scenario } from './support.ts';

const RECORD = 'id upstreamId code data createdAt updatedAt';
const TYPE = 'PublicFlexRecord';
const [CREATE, UPDATE, DELETE] = [
  'createPublicFlexRecord',
  'updatePublicFlexRecord',
  'deletePublicFlexRecord',
] as const;
const all = { list: true, get: true, update: true, delete: true, search: true };

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
      query: written(CREATE, 'code: "book", data: { title: "c", stars: 4 }', TYPE, 'code data'),
      calls: 1,
    },
    'a new record with its id': creation(CREATE, 'code: "book", data: { title: "d", stars: 3 }', TYPE, RECORD),
    'a new record with fields that were not sent': {
      query: written(CREATE, 'code: "book", data: { title: "e" }', TYPE, 'data createdAt'),
      calls: 1,
      differs: {
        unread: {
          data: { 'createPublicFlexRecord.data': { title: 'e' }, 'createPublicFlexRecord.createdAt': null },
          errors: [lost('createPublicFlexRecord.createdAt')],
        },
      },
    },
    'a new record without a required field': invalid(CREATE, 'code: "book", data: {}', 'title is required'),
    'a change': change(UPDATE, 'code: "book", id: "uuid-3", data: { title: "f" }', TYPE, RECORD),
    'a change with the id alone': {
      query: written(UPDATE, 'code: "book", id: "uuid-3", data: { title: "g" }', TYPE, 'id'),
      calls: 1,
    },
    'a change of a record that is missing': missing(UPDATE, 'code: "book", id: "none", data: {}'),
    'a deletion': { query: written(DELETE, 'code: "book", id: "uuid-3"', 'DeletedNode', 'deletedId'), calls: 1 },
    'a deletion again': missing(DELETE, 'code: "book", id: "uuid-3"'),
  },
};
