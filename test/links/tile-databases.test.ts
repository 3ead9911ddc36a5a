import { expect, test } from 'vitest';
import { gatewayOverAnswers } from '../account/support.ts';
import { DASHBOARDS, DBS, linkedGateway } from './support.ts';

// `DashboardTile.flexDbs`: a tile of the account API, databases of the flex API.

const QUERY = '{ dashboards { name layout { key flexDbs { name } } } }';

/** The answer to that query for one dashboard: the names of the databases by the key of each tile. */
const shown = (name: string, tiles: Readonly<Record<string, readonly string[] | null>>) => {
  const layout = Object.entries(tiles).map(([key, names]) => ({
    key,
    flexDbs: names && names.map((name) => ({ name })),
  }));
  return { dashboards: [{ name, layout }] };
};

/** A gateway over an upstream with one dashboard of these tiles, and these databases. Without any it has no list of them. */
async function boardOf(keys: readonly string[], databases?: readonly object[]) {
  const layout = keys.map((key, index) => ({ id: `tile-${index}`, key }));
  return gatewayOverAnswers({ [DASHBOARDS]: [{ id: 1, name: 'Board', layout }], [DBS]: databases });
}

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

  const own = ['Orders', 'Returns', 'Carriers'];
  const tiles = { [`flex_app:${desk}`]: own, todo: null, [`flex_app:${empty}`]: [] };
  expect(await ask(QUERY)).toEqual(shown('Mixed', tiles));
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
  const { execute, received } = await boardOf(['flex_app:x', 'todo']);

  const { data, errors } = await execute(QUERY);

  expect(data).toEqual(shown('Board', { 'flex_app:x': null, todo: null }));
  expect(errors).toMatchObject([{ path: ['dashboards', 0, 'layout', 0, 'flexDbs'] }]);
  expect(received).toEqual([DASHBOARDS, DBS]);
});

test('a database with an unreadable `app_id` is left out and counted; the case of the id does not matter', async () => {
  const { execute } = await boardOf(
    ['flex_app:7f', 'flex_app:7F'],
    [
      { id: 1, name: 'Odd', app_id: { no: 'id' } },
      { id: 2, name: 'Unlinked', app_id: null },
      { id: 3, name: 'Silent' },
      { id: 4, name: 'Linked', app_id: '7F' },
    ],
  );

  const { data, errors } = await execute(QUERY);

  const message = '1 row was left out by the filter, because its `app_id` cannot be read.';
  expect(errors).toMatchObject([
    { path: ['dashboards', 0, 'layout', 0, 'flexDbs'], message },
    { path: ['dashboards', 0, 'layout', 1, 'flexDbs'], message },
  ]);
  expect(data).toEqual(shown('Board', { 'flex_app:7f': ['Linked'], 'flex_app:7F': ['Linked'] }));
});

test('a list of databases without `app_id` is an error, and not an empty list', async () => {
  const { execute } = await boardOf(['flex_app:7f'], [{ id: 1, name: 'One' }]);

  const { data, errors } = await execute(QUERY);

  expect(data).toEqual(shown('Board', { 'flex_app:7f': null }));
  expect(errors).toMatchObject([
    { message: expect.stringContaining('`app_id`'), extensions: { code: 'UPSTREAM_BAD_RESPONSE' } },
  ]);
});
