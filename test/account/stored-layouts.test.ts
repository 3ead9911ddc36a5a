import { expect, test } from 'vitest';
import { accountGateway, gatewayOverAnswers } from './support.ts';

// A layout that upstream stored is accepted back unchanged.

const ONE = 'GET /toolkit/dashboards/1.json';
const UPDATE = 'PATCH /toolkit/dashboards/1.json';

const update = `mutation ($id: ID!, $layout: [DashboardTileInput!]) {
  updateDashboard(id: $id, input: { layout: $layout }) {
    __typename
    ... on Dashboard { layout { entryId config { customName customUrl } } }
    ... on ValidationError { fields { field } }
  }
}`;

/** Sends a layout over an upstream that has stored this one. Returns the result, and the calls. */
async function written(stored: readonly object[], layout: readonly object[]) {
  const dashboard = { id: 1, layout: stored };
  const { ask, received, sent } = await gatewayOverAnswers({ [ONE]: dashboard, [UPDATE]: dashboard });
  const data = await ask(update, { variables: { id: 1, layout } });
  return { data, received, sent };
}

const button = (config: object, ids: object = {}) => ({ ...ids, key: 'quick_actions', config });

const refused = (...fields: string[]) => ({
  updateDashboard: { __typename: 'ValidationError', fields: fields.map((field) => ({ field: `layout.${field}` })) },
});
const accepted = { updateDashboard: { __typename: 'Dashboard' } };

test('half a custom button, which upstream made by the removal of an address, can be sent back', async () => {
  const { execute, sandbox, makeDashboard } = await accountGateway();
  const { id } = await makeDashboard({
    layout: [button({ custom_name: 'Wiki', custom_url: 'javascript:alert(1)' })],
  });
  const read = await execute(
    'query ($id: ID!) { dashboard(id: $id) { layout { entryId config { customName customUrl } } } }',
    {
      variables: { id },
    },
  );
  const layout = [{ entryId: 'quick_actions', config: { customName: 'Wiki', customUrl: null } }];
  expect(read.data).toEqual({ dashboard: { layout } });

  const tile = { ...layout[0], key: 'quick_actions' };
  const { data } = await execute(update, { variables: { id, layout: [tile, { key: 'tasks' }] } });

  expect(data).toMatchObject({
    updateDashboard: { __typename: 'Dashboard', layout: [...layout, { entryId: 'tasks' }] },
  });
  expect(sandbox.calls()).toEqual([
    'GET /toolkit/dashboards/:id.json',
    'GET /toolkit/dashboards/:id.json',
    'PATCH /toolkit/dashboards/:id.json',
  ]);
});

test('a good layout is written without a read', async () => {
  const { data, received } = await written([], [{ key: 'tasks', config: { limit: 10 } }]);

  expect(data).toMatchObject(accepted);
  expect(received).toEqual([UPDATE]);
});

test.each([
  ['a value', { key: 'tasks', config: { limit: '50' } }, { key: 'tasks', config: { limit: 50 } }],
  ['a number', { key: 'tasks', config: { limit: 50 } }, { key: 'tasks', config: { limit: 50 } }],
  ['a setting of another tile', { key: 'kpi', config: { scope: 'mine' } }, { key: 'kpi', config: { scope: 'MINE' } }],
  [
    'a setting of an unknown tile',
    { key: 'geo_map', config: { hidden_counters: ['kb_entries'] } },
    { key: 'geo_map', config: { hiddenCounters: ['KB_ENTRIES'] } },
  ],
  ['a key', { key: 'Geo.Map' }, { key: 'Geo.Map' }],
  [
    'an address',
    button({ custom_name: 'Wiki', custom_url: 'wiki:home' }),
    button({ customName: 'Wiki', customUrl: 'wiki:home' }),
  ],
  ['a name without an address', button({ custom_name: 'Wiki', custom_url: null }), button({ customName: 'Wiki' })],
])('%s that is stored is sent back after one read', async (_name, stored, tile) => {
  const { data, received } = await written([{ id: 'it', ...stored }], [{ entryId: 'it', ...tile }]);

  expect(data).toMatchObject(accepted);
  expect(received).toEqual([ONE, UPDATE]);
});

test('a number of tiles that is stored is sent back', async () => {
  const ids = Array.from({ length: 61 }, (_, index) => `Tile ${index}`);
  const { data, received } = await written(
    ids.map((id) => ({ id, key: 'tasks' })),
    ids.map((entryId) => ({ entryId, key: 'tasks' })),
  );

  expect(data).toMatchObject(accepted);
  expect(received).toEqual([ONE, UPDATE]);
});

const wiki = button({ custom_name: 'Wiki' }, { id: 'it' });

test.each([
  ['of another tile', wiki, button({ customName: 'Wiki' }, { entryId: 'other' }), '0.config.customUrl'],
  ['of another kind', wiki, { entryId: 'it', key: 'tasks', config: { customName: 'Wiki' } }, '0.config.customName'],
  ['that differs', wiki, button({ customName: 'Docs' }, { entryId: 'it' }), '0.config.customUrl'],
  [
    'that loses its half',
    { ...wiki, config: { custom_name: 'Wiki', custom_url: '/kb' } },
    button({ customName: 'Wiki' }, { entryId: 'it' }),
    '0.config.customUrl',
  ],
  [
    'beside a good one',
    { id: 'it', key: 'tasks' },
    { entryId: 'it', key: 'tasks', config: { limit: 7 } },
    '0.config.limit',
  ],
])('a setting %s is a new loss, and refused after one read', async (_name, stored, tile, field) => {
  const { data, received } = await written([stored], [tile]);

  expect(data).toEqual(refused(field));
  expect(received).toEqual([ONE]);
});

test('raw settings are passed on as they are, and without a read', async () => {
  const config = {
    scope: 'team',
    hidden_counters: ['new_counter'],
    limit: 10,
    custom_name: 'Wiki',
    zoom: [{ a: null }],
  };
  const tiles = ['tasks', 'kpi', 'quick_actions', 'geo_map'].map((key) => ({ key, config }));
  const { data, received, sent } = await written(
    [],
    tiles.map(({ key }) => ({ key, config: { raw: config } })),
  );

  expect(data).toMatchObject(accepted);
  expect(received).toEqual([UPDATE]);
  expect(sent).toEqual([JSON.stringify({ dashboard: { layout: tiles } })]);
});

test('a layout that would be refused is a NotFoundError when there is no such dashboard', async () => {
  const { execute, received } = await gatewayOverAnswers({});

  const { data } = await execute(update, { variables: { id: 1, layout: [{ key: 'tasks', config: { limit: 7 } }] } });

  expect(data).toEqual({ updateDashboard: { __typename: 'NotFoundError' } });
  expect(received).toEqual([ONE]);
});
