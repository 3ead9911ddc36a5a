import { change, creation, invalid, missing, written } from './mutations.ts';
import { flexUuids } from './records.ts';
import { MEMBER, type Scenario } from './support.ts';

const DB = `id upstreamId name code appId schema publicMethodsRaw
  tables { name indexedFields fields { name type required } } publicMethods { operation requiredFields }`;

const fields = { title: { type: 'string', required: true }, n: { type: 'integer' } };
const books = { tables: { books: { fields }, shelves: { fields: { name: { type: 'string' } } } } };

/** Two databases: `uuid-1` is `shop`, without tables; `uuid-2` is `library`, with two. */
export const twoDatabases: Pick<Scenario, 'uuids' | 'seed'> = {
  uuids: flexUuids,
  seed: ({ sandbox: { store }, account }) => {
    const shop = store.createFlexDatabase(account, { name: 'Shop', code: 'shop', schema: { fields } });
    const library = store.createFlexDatabase(account, { name: 'Library', code: 'library', schema: books });
    store.createFlexRecords(shop.id, [
      { title: 'a', n: 1 },
      { title: 'b', n: 2 },
    ]);
    store.createFlexRecords(library.id, [{ title: 'c', n: 3 }], 'books');
  },
};

/** Databases. */
export const flexDatabases: Scenario = {
  ...twoDatabases,
  steps: {
    'all databases': {
      query: `{ flexDbs { ${DB} } }`,
      calls: 1,
      differs: {
        lean: {
          notSent: [0, 1].flatMap((at) => [`flexDbs.${at}.publicMethods`, `flexDbs.${at}.publicMethodsRaw`]),
          calls: 3,
        },
      },
    },
    'a database by its id': {
      query: `{ flexDb(id: "FlexDb:uuid-1") { ${DB} } }`,
      calls: 1,
      differs: { lean: { notSent: ['flexDb.publicMethods', 'flexDb.publicMethodsRaw'] } },
    },
    'the times of a database': {
      query: '{ flexDb(id: "FlexDb:uuid-1") { createdAt updatedAt } }',
      calls: 1,
      differs: {
        lean: {
          data: { 'flexDb.createdAt': null, 'flexDb.updatedAt': null },
          notSent: ['flexDb.createdAt', 'flexDb.updatedAt'],
        },
      },
    },
    'a database by its code': { query: '{ flexDb(id: "library") { id name tables { name } } }', calls: 1 },
    'a database that is missing': { query: '{ flexDb(id: "none") { name } }', data: { flexDb: null }, calls: 1 },
    'a new database with the fields that were sent': {
      query: written('createFlexDb', 'input: { name: "A" }', 'FlexDb', 'name'),
      calls: 1,
    },
    'a new database with its id': creation('createFlexDb', 'input: { name: "B" }', 'FlexDb', 'id name'),
    'a new database with a code is read by it': {
      query: written(
        'createFlexDb',
        'input: { name: "C", code: "c", schema: { table: { fields: [] } } }',
        'FlexDb',
        DB,
      ),
      calls: 1,
      differs: {
        unread: { calls: 2 },
        lean: { notSent: ['createFlexDb.publicMethods', 'createFlexDb.publicMethodsRaw'], calls: 2 },
      },
    },
    'a new database whose code is taken': invalid(
      'createFlexDb',
      'input: { name: "D", code: "c" }',
      'code has already been taken',
    ),
    'a change with the fields that were sent': change(
      'updateFlexDb',
      'id: "FlexDb:uuid-1", input: { name: "Shop 2" }',
      'FlexDb',
      'id name',
    ),
    'a change with all fields, by the code': {
      query: written('updateFlexDb', 'id: "shop", input: { name: "Shop 3" }', 'FlexDb', DB),
      calls: 1,
      differs: {
        unread: { calls: 2 },
        lean: { notSent: ['updateFlexDb.publicMethods', 'updateFlexDb.publicMethodsRaw'], calls: 2 },
      },
    },
    'a change of the code': {
      query: written('updateFlexDb', 'id: "c", input: { code: "c2" }', 'FlexDb', 'id code'),
      calls: 2,
      differs: { unread: { calls: 3 } },
    },
    'a change of a database that is missing': missing('updateFlexDb', 'id: "none", input: { name: "X" }'),
    'an edit of the schema': change(
      'replaceInFlexDb',
      'id: "FlexDb:uuid-1", input: { field: SCHEMA, oldString: "\\"required\\":true", newString: "\\"required\\":false" }',
      'FlexDb',
      'id name schema',
    ),
    'an edit by the code': change(
      'replaceInFlexDb',
      'id: "shop", input: { field: SCHEMA, oldString: "\\"required\\":false", newString: "\\"required\\":true" }',
      'FlexDb',
      'id name',
    ),
    'an edit of a text that does not occur': invalid(
      'replaceInFlexDb',
      'id: "FlexDb:uuid-1", input: { field: SCHEMA, oldString: "none", newString: "" }',
    ),
    'a deletion of a database': { query: written('deleteFlexDb', 'id: "c2"', 'DeletedNode', 'deletedId'), calls: 2 },
    'a deletion of a database that is missing': missing('deleteFlexDb', 'id: "none"'),
    'another user': { query: '{ flexDb(id: "shop") { name } }', token: MEMBER, calls: 1 },
  },
};
