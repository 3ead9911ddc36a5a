import { expect, test } from 'vitest';
import { gatewayOverAnswers } from './support.ts';
import { isList, settingNames, tileTable } from './tile-table.ts';

const ONE = 'GET /toolkit/dashboards/1.json';
const UPDATE = 'PATCH /toolkit/dashboards/1.json';

/** Reads the only tile of a layout. */
async function tile(entry: object, fields: string) {
  const { execute } = await gatewayOverAnswers({ [ONE]: { id: 1, layout: [{ id: 'it', ...entry }] } });
  return execute(`{ dashboard(id: 1) { layout { ${fields} } } }`);
}

const layoutOf = (...entries: object[]) => ({ dashboard: { layout: entries } });

test.each(Object.entries(tileTable))(
  'a setting of the tile %s that is not stored has its documented default',
  async (key, settings) => {
    const { data, errors } = await tile({ key }, `kind config { ${settingNames.join(' ')} customName customUrl raw }`);

    const config = Object.fromEntries(settingNames.map((name) => [name, null]));
    const own = settings.map(({ name, standard }) => [name, isList(name) ? [] : standard]);
    const kind = key.startsWith('flex_app:') ? 'FLEX_APP' : key.toUpperCase();
    expect(errors).toEqual([]);
    expect(data).toEqual(
      layoutOf({ kind, config: { ...config, customName: null, customUrl: null, ...Object.fromEntries(own), raw: {} } }),
    );
  },
);

test('a setting that is null reads like one that is not stored', async () => {
  const settings = { scope: null, limit: null };
  const { data, errors } = await tile({ key: 'inbox', config: settings }, 'config { scope limit raw }');

  expect({ data, errors }).toEqual({
    data: layoutOf({ config: { scope: 'MINE', limit: 10, raw: settings } }),
    errors: [],
  });
  const figures = await tile({ key: 'kpi', config: { hidden_counters: null } }, 'config { hiddenCounters }');
  expect(figures).toMatchObject({ data: layoutOf({ config: { hiddenCounters: [] } }), errors: [] });
});

test.each([['5'], [5]])('the limit %j is read as a number', async (limit) => {
  const { data } = await tile({ key: 'tasks', config: { limit } }, 'config { limit }');

  expect(data).toEqual(layoutOf({ config: { limit: 5 } }));
});

test.each([undefined, null, {}])('the config %j has no settings', async (config) => {
  const { data, errors } = await tile({ key: 'tasks', config }, 'config { scope raw }');

  expect({ data, errors }).toEqual({ data: layoutOf({ config: { scope: 'ALL', raw: {} } }), errors: [] });
});

test.each([
  ['a limit as a string', '{ limit: 15 }', { limit: '15' }],
  [
    'a typed setting, and not the same one in raw',
    '{ scope: ALL, raw: { scope: "mine", limit: "5" } }',
    { scope: 'all', limit: '5' },
  ],
  [
    'no setting that a typed null removes from raw',
    '{ scope: null, raw: { scope: "mine", limit: "5" } }',
    { limit: '5' },
  ],
])('a tile is sent with %s', async (_what, config, expected) => {
  const { execute, sent } = await gatewayOverAnswers({ [UPDATE]: { id: 1 } });

  const layout = `[{ key: "tasks", config: ${config} }]`;
  await execute(`mutation { updateDashboard(id: 1, input: { layout: ${layout} }) { __typename } }`);

  expect(sent.map((body) => JSON.parse(body))).toEqual([layoutOf({ key: 'tasks', config: expected })]);
});

test('undocumented tiles and settings can be read and written back', async () => {
  const entries = [
    {
      id: 'map',
      key: 'geo_map',
      size: 'full',
      config: { zoom: 3, scope: 'continent', layers: ['rain', { at: null }] },
    },
    { id: 'tasks', key: 'tasks', size: 'half', config: { scope: 'mine', colour: 'red' } },
  ];
  const { execute, ask, sent, received } = await gatewayOverAnswers({
    [ONE]: { id: 1, layout: entries },
    [UPDATE]: { id: 1, layout: entries },
  });

  const data = await ask('{ dashboard(id: 1) { layout { entryId key kind size config { raw } } } }');
  const read = [
    { entryId: 'map', key: 'geo_map', kind: null, size: 'FULL', config: { raw: entries[0]?.config } },
    { entryId: 'tasks', key: 'tasks', kind: 'TASKS', size: 'HALF', config: { raw: entries[1]?.config } },
  ];
  expect(data).toEqual({ dashboard: { layout: read } });

  const layout = read.map(({ kind: _kind, ...entry }) => entry);
  const written = await execute(
    'mutation ($layout: [DashboardTileInput!]) { updateDashboard(id: 1, input: { layout: $layout }) { __typename } }',
    { variables: { layout } },
  );
  expect(written.data).toEqual({ updateDashboard: { __typename: 'Dashboard' } });
  expect(sent.at(-1)).toBe(JSON.stringify(layoutOf(...entries)));
  expect(received).toEqual([ONE, UPDATE]);
});

test('a typed setting is refused for an undocumented tile, which takes raw settings only', async () => {
  const { execute, received } = await gatewayOverAnswers({ [ONE]: { id: 1 } });

  const { data } = await execute(`mutation {
    updateDashboard(id: 1, input: { layout: [{ key: "geo_map", config: { limit: 5, raw: { zoom: 3 } } }] }) {
      ... on ValidationError { fields { field } }
    }
  }`);

  expect(data).toEqual({ updateDashboard: { fields: [{ field: 'layout.0.config.limit' }] } });
  expect(received).toEqual([ONE]);
});

test.each([
  ['scope', { scope: 'theirs' }],
  ['limit', { limit: 'many' }],
  ['hiddenCounters', { hidden_counters: 'open_tasks' }],
  ['customName', { custom_name: ['Wiki'] }],
])('an odd value of %s spoils that setting only: %j', async (field, config) => {
  const { data, errors } = await tile(
    { key: 'geo_map', config: { frame: 'box', ...config } },
    `config { frame ${field} raw }`,
  );

  expect(data).toEqual(layoutOf({ config: { frame: 'BOX', [field]: null, raw: { frame: 'box', ...config } } }));
  expect(errors).toMatchObject([
    { path: ['dashboard', 'layout', 0, 'config', field], extensions: { code: 'UPSTREAM_BAD_RESPONSE' } },
  ]);
});

test('unknown values of a list are left out, and named by an error of that list', async () => {
  const config = {
    hidden_counters: ['open_tasks', 'new_counter', 'crm_notes', 7, 'a b'],
    hidden_actions: Array.from({ length: 12 }, (_, index) => `new_${index}`),
  };
  const { data, errors } = await tile({ key: 'kpi', config }, 'config { hiddenCounters hiddenActions raw }');

  expect(data).toEqual(
    layoutOf({ config: { hiddenCounters: ['OPEN_TASKS', 'CRM_NOTES'], hiddenActions: [], raw: config } }),
  );
  const path = ['dashboard', 'layout', 0, 'config'];
  const extensions = { code: 'UPSTREAM_BAD_RESPONSE' };
  expect(errors).toMatchObject([
    {
      path: [...path, 'hiddenCounters'],
      extensions,
      message: expect.stringMatching(/new_counter, a number, a string\.$/),
    },
    { path: [...path, 'hiddenActions'], extensions, message: expect.stringMatching(/new_9 and 2 more\.$/) },
  ]);
});

test('an unknown size is given as a text, and can be written back', async () => {
  const entries = [
    { id: 'a', key: 'tasks', size: 'two_thirds' },
    { id: 'b', key: 'mail', size: null },
  ];
  const { execute, ask, sent } = await gatewayOverAnswers({ [ONE]: { id: 1, layout: entries }, [UPDATE]: { id: 1 } });

  const data = await ask('{ dashboard(id: 1) { layout { entryId key sizeText } } }');
  const layout = [
    { entryId: 'a', key: 'tasks', sizeText: 'two_thirds' },
    { entryId: 'b', key: 'mail', sizeText: null },
  ];
  expect(data).toEqual({ dashboard: { layout } });

  await execute(
    'mutation ($layout: [DashboardTileInput!]) { updateDashboard(id: 1, input: { layout: $layout }) { __typename } }',
    { variables: { layout } },
  );
  expect(sent.at(-1)).toBe(
    JSON.stringify(layoutOf({ id: 'a', key: 'tasks', size: 'two_thirds' }, { id: 'b', key: 'mail' })),
  );
});

test('an invalid size or config is an error of that field only', async () => {
  const { data, errors } = await tile(
    { key: 'tasks', size: 'huge', config: ['?'] },
    'entryId key kind size config { scope }',
  );

  expect(data).toEqual(layoutOf({ entryId: 'it', key: 'tasks', kind: 'TASKS', size: null, config: null }));
  expect(errors.map(({ path }) => path?.at(-1))).toEqual(['size', 'config']);
});
