import { expect, test } from 'vitest';
import { gatewayOverAnswers } from '../account/support.ts';
import { DASHBOARDS, DBS, linkedGateway } from './support.ts';

// `DashboardTile.flexDbs`: a tile of the account API, databases of the flex API.

const QUERY = '{ dashboards { name layout { key flexDbs { name } } } }';

/** A gateway over two applications: three databases are linked to the first, none to the second. */
async function applications() {
  const house = await linkedGateway();
  const { sandbox, account, makeDb } = house;
  const application = (name: string) => sandbox.store.createFlexApplication({ account, name }).id;
  const [desk, empty] = [application('Desk'), application('Empty')];
  for (const name of ['Orders', 'Returns', 'Carriers']) makeDb({ name, app_id: desk });
  makeDb({ name: 'Nobody’s' });
  const makeBoard = async (name: string, ...keys: string[]) => {
    const layout = keys.map((key) => ({ key }));
    const response = await fetch(`${sandbox.urls.account}/toolkit/dashboards.json`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${house.admin.token}` },
      body: JSON.stringify({ dashboard: { name, layout } }),
    });
    if (response.status !== 201) throw new Error(await response.text());
    sandbox.forgetCalls();
  };
  return { ...house, desk, empty, makeBoard };
}

test('a tile of an application lists its databases, or none if it has none; any other tile has null', async () => {
  const { ask, desk, empty, makeBoard } = await applications();
  await makeBoard('Mixed', `flex_app:${desk}`, 'todo', `flex_app:${empty}`);

  expect(await ask(QUERY)).toEqual({
    dashboards: [
      {
        name: 'Mixed',
        layout: [
          { key: `flex_app:${desk}`, flexDbs: ['Orders', 'Returns', 'Carriers'].map((name) => ({ name })) },
          { key: 'todo', flexDbs: null },
          { key: `flex_app:${empty}`, flexDbs: [] },
        ],
      },
    ],
  });
});

test('all tiles of all dashboards and the field flexDbs share one list of databases', async () => {
  const { execute, sandbox, desk, empty, makeBoard } = await applications();
  for (const name of ['One', 'Two', 'Three']) await makeBoard(name, `flex_app:${desk}`, `flex_app:${empty}`, 'kpi');

  const { errors } = await execute(`{ ...Boards ...Boards2 flexDbs { name } }
    fragment Boards on Query { dashboards { layout { flexDbs { name code tables { name } } } } }
    fragment Boards2 on Query { again: dashboards { layout { flexDbs { id } } } }`);

  expect(errors).toEqual([]);
  expect(sandbox.calls().toSorted()).toEqual([DBS, DASHBOARDS]);
});

test('no database is read where none is selected, or no tile is of an application', async () => {
  const { execute, sandbox, desk, makeBoard } = await applications();
  await makeBoard('Desk', `flex_app:${desk}`);
  await execute('{ dashboards { layout { key kind size } } }');
  expect(sandbox.calls()).toEqual([DASHBOARDS]);

  const others = await applications();
  await others.makeBoard('Others', 'todo', 'kpi');
  await others.execute(QUERY);
  expect(others.sandbox.calls()).toEqual([DASHBOARDS]);
});

test('a failing flex API makes the databases null, not the tiles', async () => {
  const { execute, received } = await gatewayOverAnswers({
    'GET /toolkit/dashboards.json': [
      {
        id: 1,
        name: 'Board',
        layout: [
          { id: 'a', key: 'flex_app:x' },
          { id: 'b', key: 'todo' },
        ],
      },
    ],
  });

  const { data, errors } = await execute(QUERY);

  expect(data).toEqual({
    dashboards: [
      {
        name: 'Board',
        layout: [
          { key: 'flex_app:x', flexDbs: null },
          { key: 'todo', flexDbs: null },
        ],
      },
    ],
  });
  expect(errors).toMatchObject([{ path: ['dashboards', 0, 'layout', 0, 'flexDbs'] }]);
  expect(received).toEqual([DASHBOARDS, DBS]);
});

test('a database with an unreadable `app_id` is left out and counted; the case of the id does not matter', async () => {
  const { execute } = await gatewayOverAnswers({
    'GET /toolkit/dashboards.json': [
      {
        id: 1,
        name: 'Board',
        layout: [
          { id: 'a', key: 'flex_app:7f' },
          { id: 'b', key: 'flex_app:7F' },
        ],
      },
    ],
    'GET /flex/dbs.json': [
      { id: 1, name: 'Odd', app_id: { no: 'id' } },
      { id: 2, name: 'Unlinked', app_id: null },
      { id: 3, name: 'Silent' },
      { id: 4, name: 'Linked', app_id: '7F' },
    ],
  });

  const { data, errors } = await execute(QUERY);

  const message = '1 row was left out by the filter, because its `app_id` cannot be read.';
  expect(errors).toMatchObject([
    { path: ['dashboards', 0, 'layout', 0, 'flexDbs'], message },
    { path: ['dashboards', 0, 'layout', 1, 'flexDbs'], message },
  ]);
  expect(data).toEqual({
    dashboards: [
      { name: 'Board', layout: ['flex_app:7f', 'flex_app:7F'].map((key) => ({ key, flexDbs: [{ name: 'Linked' }] })) },
    ],
  });
});

test('a list of databases without `app_id` is an error, and not an empty list', async () => {
  const { execute } = await gatewayOverAnswers({
    'GET /toolkit/dashboards.json': [{ id: 1, name: 'Board', layout: [{ id: 'a', key: 'flex_app:7f' }] }],
    'GET /flex/dbs.json': [{ id: 1, name: 'One' }],
  });

  const { data, errors } = await execute(QUERY);

  expect(data).toEqual({ dashboards: [{ name: 'Board', layout: [{ key: 'flex_app:7f', flexDbs: null }] }] });
  expect(errors).toMatchObject([
    { message: expect.stringContaining('`app_id`'), extensions: { code: 'UPSTREAM_BAD_RESPONSE' } },
  ]);
});
