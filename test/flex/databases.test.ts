import { describe, expect, test } from 'vitest';
import { DB, DBS, flexGateway, flexShop, REFUSAL } from './support.ts';

const CREATE = 'POST /flex/dbs.json';
const UPDATE = 'PATCH /flex/dbs/:id.json';
const DELETE = 'DELETE /flex/dbs/:id.json';
const APP = '5f0c1a52-0b8e-4c0e-9a6e-0d8a0c7f2b11';

const create = `mutation ($input: CreateFlexDbInput!) {
  createFlexDb(input: $input) { ${REFUSAL} ... on FlexDb { id upstreamId name code appId } }
}`;
const update = `mutation ($id: ID!, $input: UpdateFlexDbInput!) {
  updateFlexDb(id: $id, input: $input) { ${REFUSAL} ... on FlexDb { id name code appId } }
}`;
const remove = `mutation ($id: ID!) { deleteFlexDb(id: $id) { __typename ... on DeletedNode { deletedId } } }`;

describe('flexDbs and flexDb', () => {
  test('flexDbs reads the databases of the own account in one list call', async () => {
    const { ask, sandbox, makeDb } = await flexGateway();
    const ids = [makeDb({ name: 'A', code: 'a', app_id: APP }), makeDb({ name: 'B' })];
    makeDb({ name: 'Hidden' }, sandbox.store.createAccount().id);

    const data = await ask('{ flexDbs { id upstreamId name code appId publicMethods { operation } } }');
    const [a, b] = ids.map((id) => ({ id: `FlexDb:${id}`, upstreamId: id, publicMethods: null }));
    expect(data).toEqual({
      flexDbs: [
        { ...a, name: 'A', code: 'a', appId: APP },
        { ...b, name: 'B', code: null, appId: null },
      ],
    });
    expect(sandbox.calls()).toEqual([DBS]);
  });

  test('flexDb takes an id, a global id or a code', async () => {
    const { ask, sandbox, db: id } = await flexShop();

    for (const named of [id, `FlexDb:${id}`, 'shop']) {
      expect(await ask('query ($id: ID!) { flexDb(id: $id) { id code } }', { variables: { id: named } })).toEqual({
        flexDb: { id: `FlexDb:${id}`, code: 'shop' },
      });
    }
    expect(sandbox.calls()).toEqual([DB, DB, DB]);
  });

  test('a database that does not exist, or belongs to another account, is null', async () => {
    const { ask, sandbox, makeDb } = await flexGateway();
    const hidden = makeDb({ code: 'hidden' }, sandbox.store.createAccount().id);

    for (const id of ['nothing', 'hidden', hidden, '5']) {
      expect(await ask('query ($id: ID!) { flexDb(id: $id) { name } }', { variables: { id } })).toEqual({
        flexDb: null,
      });
    }
  });

  test('a credential that upstream refuses is UNAUTHENTICATED, and the error names the flex API', async () => {
    const { execute } = await flexGateway();

    expect((await execute('{ flexDbs { id } }', { token: 'wrong' })).errors).toMatchObject([
      { extensions: { code: 'UNAUTHENTICATED', upstream: { api: 'flex', endpoint: DBS, status: 401 } } },
    ]);
  });
});

describe('createFlexDb', () => {
  test('createFlexDb sends the given fields and returns the database in one call', async () => {
    const { ask, sandbox, bodies } = await flexGateway();

    const input = { name: 'Żółw', code: 'shop', appId: APP };
    expect(await ask(create, { variables: { input } })).toMatchObject({
      createFlexDb: { id: expect.stringMatching(/^FlexDb:.{36}$/), name: 'Żółw', code: 'shop', appId: APP },
    });
    expect(sandbox.calls()).toEqual([CREATE]);
    expect(bodies()).toEqual([{ db: { name: 'Żółw', code: 'shop', app_id: APP } }]);
  });

  test('createFlexDb does not send a field that is left out or null', async () => {
    const { execute, bodies } = await flexGateway();

    await execute(create, { variables: { input: { name: 'x' } } });
    await execute(create, { variables: { input: { name: 'x', code: null, appId: null, schema: null } } });

    expect(bodies()).toEqual([{ db: { name: 'x' } }, { db: { name: 'x' } }]);
  });
});

describe('updateFlexDb', () => {
  test.each(['id', 'global id', 'code'])('updateFlexDb changes the given fields in one call, by %s', async (by) => {
    const { execute, sandbox, bodies, db: id } = await flexShop([], { name: 'Shop', app_id: APP });
    const named = { id, 'global id': `FlexDb:${id}`, code: 'shop' }[by];

    const { data } = await execute(update, { variables: { id: named, input: { name: 'Store' } } });

    const changed = { id: `FlexDb:${id}`, name: 'Store', code: 'shop', appId: APP };
    expect(data).toEqual({ updateFlexDb: { __typename: 'FlexDb', ...changed } });
    expect(sandbox.calls()).toEqual([UPDATE]);
    expect(bodies()).toEqual([{ db: { name: 'Store' } }]);
  });

  test('updateFlexDb clears a field by null and keeps a field that is left out', async () => {
    const { execute, bodies, db: id } = await flexShop([], { app_id: APP });

    const cleared = await execute(update, { variables: { id, input: { appId: null } } });
    expect(cleared.data).toMatchObject({ updateFlexDb: { code: 'shop', appId: null } });
    const same = await execute(update, { variables: { id, input: { name: 'Shop' } } });
    expect(same.data).toMatchObject({ updateFlexDb: { code: 'shop', appId: null } });
    expect(bodies()).toEqual([{ db: { app_id: null } }, { db: { name: 'Shop' } }]);
  });
});

describe('deleteFlexDb', () => {
  test.each([
    ['global id', (id: string) => `FlexDb:${id}`, [DELETE]],
    ['id', (id: string) => id, [DB, DELETE]],
    ['code', () => 'shop', [DB, DELETE]],
  ] as const)('deleteFlexDb deletes the records, too, and returns the global id: by %s', async (_by, named, calls) => {
    const { execute, ask, sandbox, db: id, ids } = await flexShop([{ n: 1 }]);
    const [record] = ids;

    expect(await ask(remove, { variables: { id: named(id) } })).toEqual({
      deleteFlexDb: { __typename: 'DeletedNode', deletedId: `FlexDb:${id}` },
    });
    expect(sandbox.calls()).toEqual(calls);
    expect(sandbox.requests.at(-1)?.path).toBe(`/flex/dbs/${id}.json`);
    const { data: after } = await execute('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
      variables: { ids: [`FlexDb:${id}`, `FlexRecord:${id}:${record}`] },
    });
    expect(after).toEqual({ nodes: [null, null] });
  });
});

describe('many databases by id', () => {
  const nodes = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on FlexDb { name } } }';

  test('as many databases as READS_AT_ONCE are as many calls, more are one list call, identical ids are one call', async () => {
    const { execute, sandbox, makeDb } = await flexGateway({ READS_AT_ONCE: 4 });
    const ids = Array.from({ length: 6 }, (_, index) => `FlexDb:${makeDb({ name: `N${index}` })}`);

    const four = await execute(nodes, { variables: { ids: ids.slice(0, 4) } });
    expect(sandbox.calls()).toEqual([DB, DB, DB, DB]);
    sandbox.forgetCalls();
    const six = await execute(nodes, { variables: { ids } });
    expect(sandbox.calls()).toEqual([DBS]);
    sandbox.forgetCalls();
    await execute(nodes, { variables: { ids: [ids[0], ids[0], ids[0]] } });
    expect(sandbox.calls()).toEqual([DB]);

    expect(four.data).toMatchObject({ nodes: ids.slice(0, 4).map((id) => ({ id })) });
    expect(six.data).toMatchObject({ nodes: ids.map((id, index) => ({ id, name: `N${index}` })) });
  });
});
