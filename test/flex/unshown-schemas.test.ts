import { describe, expect, test } from 'vitest';
import { gatewayOverAnswers } from '../account/support.ts';
import { numbered, REFUSAL } from './support.ts';

// "In a multi-table database `table_name` must be sent again, otherwise the record goes back to the null table." The document
// does not say that a read shows the schema, so a record whose schema is not shown may have a table.

const READ = 'GET /flex/dbs/7.json';
const LIST = 'GET /flex/dbs/7/records.json';
const CREATED = 'POST /flex/dbs/7/records.json';
const patched = (id: string) => `PATCH /flex/dbs/7/records/${id}.json`;

const RESULT = `{ ${REFUSAL} ... on FlexRecord { id } }`;
const one = (more = '') =>
  `mutation { result: updateFlexRecord(id: "FlexRecord:7:a", input: { data: {n: 2}${more} }) ${RESULT} }`;

const UNSHOWN = [
  ['is absent', { id: 7 }],
  ['is null', { id: 7, schema: null }],
  ['is empty', { id: 7, schema: {} }],
  ['has the tables null', { id: 7, schema: { tables: null } }],
  ['is of another form', { id: 7, schema: 'odd' }],
] as const;

const writes = (received: readonly string[]) => received.filter((call) => !call.startsWith('GET '));
const bodies = (sent: readonly string[]): unknown[] =>
  sent.filter((body) => body !== '').map((body) => JSON.parse(body));

describe.each(UNSHOWN)('where the schema of a read %s', (_what, database) => {
  const over = (rows: readonly object[]) =>
    gatewayOverAnswers({
      [READ]: database,
      [LIST]: rows,
      [CREATED]: { id: 'c' },
      [patched('a')]: { id: 'a' },
      [patched('b')]: { id: 'b' },
      'DELETE /flex/dbs/7/records/a.json': { id: 'a' },
    });

  test.each([
    ['a table', 'tasks', { table_name: 'tasks' }],
    ['no table', null, {}],
    ['the empty text as its table', '', {}],
  ])('updateFlexRecord keeps a record whose row has %s where it is', async (_row, table_name, table) => {
    const { ask, received, sent } = await over([{ id: 'a', table_name, data: { n: 1 } }]);

    expect(await ask(one())).toEqual({ result: { __typename: 'FlexRecord', id: 'FlexRecord:7:a' } });
    expect(received).toEqual([READ, LIST, patched('a')]);
    expect(bodies(sent)).toEqual([{ record: { ...table, data: { n: 2 } } }]);
  });

  test('updateFlexRecords does so with one read of the list', async () => {
    const { ask, received, sent } = await over(['a', 'b'].map((id) => ({ id, table_name: 'tasks', data: {} })));

    const items = ['a', 'b'].map((id) => `{ id: "FlexRecord:7:${id}", input: { data: {} } }`).join(', ');
    await ask(`mutation { result: updateFlexRecords(inputs: [${items}]) ${RESULT} }`);
    expect(received).toEqual([READ, LIST, patched('a'), patched('b')]);
    expect(bodies(sent)).toEqual(['a', 'b'].map(() => ({ record: { table_name: 'tasks', data: {} } })));
  });

  test('a merge does so without a read of the database', async () => {
    const { ask, received, sent } = await over([{ id: 'a', table_name: 'tasks', data: { n: 1, m: 1 } }]);

    await ask(one(', merge: true'));
    expect(received).toEqual([LIST, patched('a')]);
    expect(bodies(sent)).toEqual([{ record: { table_name: 'tasks', data: { m: 1, n: 2 } } }]);
  });

  test.each(['', ', merge: true'])('a row without the key tells nothing: refused before the write%s', async (merge) => {
    const { ask, received } = await over([{ id: 'a', data: { n: 1 } }]);

    expect(await ask(one(merge))).toMatchObject({
      result: { __typename: 'ValidationError', fields: [{ field: 'table' }] },
    });
    expect(writes(received)).toEqual([]);
    expect(received).toHaveLength(2);
  });

  test('a record beyond the page that is read is refused before the write', async () => {
    const { execute, received } = await over(numbered(100).map(({ n }) => ({ id: n, table_name: 'tasks' })));

    const { errors } = await execute(one());
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_BAD_RESPONSE', outcome: 'REFUSED' } }]);
    expect(received).toEqual([READ, LIST]);
  });

  test('table: null is obeyed, without a read', async () => {
    const { ask, received, sent } = await over([{ id: 'a', table_name: 'tasks' }]);

    await ask(one(', table: null'));
    expect(received).toEqual([patched('a')]);
    expect(bodies(sent)).toEqual([{ record: { table_name: null, data: { n: 2 } } }]);
  });

  test('createFlexRecord sends what it was given, and deleteFlexRecord reads nothing', async () => {
    const { ask, received, sent } = await over([]);

    await ask(`mutation {
      created: createFlexRecord(db: "FlexDb:7", input: { data: {} }) ${RESULT}
      deleted: deleteFlexRecord(id: "FlexRecord:7:a") { ${REFUSAL} }
    }`);
    expect(received).toEqual([READ, CREATED, 'DELETE /flex/dbs/7/records/a.json']);
    expect(bodies(sent)).toEqual([{ record: { data: {} } }]);
  });
});
