import { expect, test } from 'vitest';
import { CREATE, DB, flexShop, RECORDS, REFUSAL, UPDATE } from './support.ts';

const create = `mutation ($db: ID!, $inputs: [FlexRecordInput!]!) {
  createFlexRecords(db: $db, inputs: $inputs) { ${REFUSAL} ... on FlexRecord { id table data } }
}`;

const tabled = { schema: { tables: { items: { fields: { n: 'integer' } } } } };

const untabled = { schema: { fields: { n: 'integer' }, indexed_fields: ['n'] } };

test('records of one database are created one by one, and the database is read once', async () => {
  const { ask, sandbox, db } = await flexShop([], untabled);

  const data = await ask(create, {
    variables: { db: 'shop', inputs: [{ data: { n: 1 } }, { data: { n: 2 } }] },
  });
  expect(data).toEqual({
    createFlexRecords: [1, 2].map((n) => ({
      __typename: 'FlexRecord',
      id: expect.stringContaining(`FlexRecord:${db}:`),
      table: null,
      data: { n },
    })),
  });
  expect(sandbox.calls()).toEqual([DB, CREATE, CREATE]);
});

test('a record that upstream refuses stops the later ones', async () => {
  const { ask, sandbox } = await flexShop([], untabled);

  const data = await ask(create, {
    variables: { db: 'shop', inputs: [{ data: { n: 1 } }, { data: { n: 'x' } }, { data: { n: 3 } }] },
  });
  expect(data).toMatchObject({
    createFlexRecords: [
      { data: { n: 1 } },
      { __typename: 'ValidationError', fields: [{ field: 'data.n' }] },
      { __typename: 'NotAttempted', message: 'Item 1 failed.' },
    ],
  });
  expect(sandbox.calls()).toEqual([DB, CREATE, CREATE]);
});

test('a record without a table is refused in a database with tables, and the others are created', async () => {
  const { ask, sandbox } = await flexShop([], tabled);

  const data = await ask(create.replace('inputs: $inputs)', 'inputs: $inputs, onFailure: CONTINUE)'), {
    variables: { db: 'shop', inputs: [{ data: { n: 1 } }, { table: 'items', data: { n: 2 } }] },
  });
  expect(data).toMatchObject({
    createFlexRecords: [{ __typename: 'ValidationError', fields: [{ field: 'table' }] }, { table: 'items' }],
  });
  expect(sandbox.calls().filter((call) => call === CREATE)).toHaveLength(1);
});

test('an unknown database refuses the first record', async () => {
  const { ask, sandbox } = await flexShop([], untabled);

  expect(await ask(create, { variables: { db: 'none', inputs: [{ data: {} }, { data: {} }] } })).toMatchObject({
    createFlexRecords: [{ __typename: 'NotFoundError' }, { __typename: 'NotAttempted' }],
  });
  expect(sandbox.calls()).toEqual([DB]);
});

test('records are changed and deleted one by one, and their tables are read once', async () => {
  const { ask, sandbox, db, ids } = await flexShop([{ n: 1 }, { n: 2 }], { ...tabled, table: 'items' });
  const inputs = ids.map((id, at) => ({ id: `FlexRecord:${db}:${id}`, input: { data: { n: at + 10 } } }));

  const data = await ask(
    `mutation ($inputs: [FlexRecordChange!]!, $ids: [ID!]!) {
      updateFlexRecords(inputs: $inputs) { ${REFUSAL} ... on FlexRecord { table data } }
      deleteFlexRecords(ids: $ids) { ${REFUSAL} ... on DeletedNode { deletedId } }
    }`,
    { variables: { inputs, ids: inputs.map(({ id }) => id) } },
  );
  expect(data).toEqual({
    updateFlexRecords: [10, 11].map((n) => ({ __typename: 'FlexRecord', table: 'items', data: { n } })),
    deleteFlexRecords: inputs.map(({ id }) => ({ __typename: 'DeletedNode', deletedId: id })),
  });
  expect(sandbox.calls()).toEqual([
    DB,
    RECORDS,
    ...Array(2).fill(UPDATE),
    ...Array(2).fill('DELETE /flex/dbs/:db_id/records/:id.json'),
  ]);
});

test('a second change of one record is refused, for it was prepared from what the first one changes', async () => {
  const { execute, db, ids } = await flexShop([{ n: 1 }]);
  const change = { id: `FlexRecord:${db}:${ids[0]}`, input: { data: { n: 2 } } };

  const { data } = await execute(
    `mutation ($inputs: [FlexRecordChange!]!) { updateFlexRecords(inputs: $inputs) { ${REFUSAL} ... on FlexRecord { data } } }`,
    { variables: { inputs: [change, change] } },
  );

  expect(data).toMatchObject({
    updateFlexRecords: [{ data: { n: 2 } }, { __typename: 'ValidationError', fields: [{ field: 'id' }] }],
  });
});

test.each([
  ['its database by code first', ['FlexRecord:shop:', 'FlexRecord:$:']],
  ['its database by code last', ['FlexRecord:$:', 'shop:']],
  ['no type first', ['shop:', '$:']],
])('of two changes of one record in two spellings the later one is refused: %s', async (_name, spellings) => {
  const { execute, db, ids } = await flexShop([{ n: 1 }, { n: 2 }], untabled);
  const [one = '', other = ''] = ids;
  const inputs = [...spellings.map((start) => `${start.replace('$', db)}${one}`), `FlexRecord:${db}:${other}`].map(
    (id, at) => ({ id, input: { table: null, data: { n: at + 10 } } }),
  );

  const { data } = await execute(
    `mutation ($inputs: [FlexRecordChange!]!) {
      updateFlexRecords(inputs: $inputs, onFailure: CONTINUE) { ${REFUSAL} ... on FlexRecord { data } }
    }`,
    { variables: { inputs } },
  );

  expect(data).toMatchObject({
    updateFlexRecords: [
      { data: { n: 10 } },
      { __typename: 'ValidationError', fields: [{ field: 'id' }] },
      { data: { n: 12 } },
    ],
  });
});
