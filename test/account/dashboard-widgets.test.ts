import { expect, test } from 'vitest';
import { accountGateway, gatewayOverAnswers } from './support.ts';

const WIDGET = 'GET /toolkit/dashboards/widget.json';
const widget = `query ($key: String!) { dashboardWidget(key: $key) {
  key name settings { name options default multiple text } config { scope filter limit raw }
} }`;

test('a widget has the name, the settings and the defaults of a tile', async () => {
  const { ask, sandbox } = await accountGateway();

  const data = await ask(widget, { variables: { key: 'crm_deals' } });

  const choice = { multiple: false, text: false };
  const limits = ['5', '10', '15', '20'];
  expect(data).toEqual({
    dashboardWidget: {
      key: 'crm_deals',
      name: expect.stringMatching(/./),
      settings: [
        { name: 'scope', options: ['all', 'mine'], default: null, ...choice },
        { name: 'filter', options: ['open', 'all'], default: 'open', ...choice },
        { name: 'limit', options: limits, default: '5', ...choice },
      ],
      config: { scope: null, filter: 'OPEN', limit: 5, raw: { filter: 'open', limit: '5' } },
    },
  });
  expect(sandbox.calls()).toEqual([WIDGET]);
  expect(sandbox.requests.map(({ query }) => query)).toEqual([{ key: 'crm_deals' }]);
});

test('a widget has settings that take a list or free text', async () => {
  const { execute } = await accountGateway();

  const { data } = await execute(widget, { variables: { key: 'quick_actions' } });

  const text = { options: null, default: null, multiple: false, text: true };
  expect(data).toMatchObject({
    dashboardWidget: {
      settings: [
        { name: 'hidden_actions', options: expect.arrayContaining(['new_task']), multiple: true, text: false },
        { name: 'custom_name', ...text },
        { name: 'custom_url', ...text },
      ],
    },
  });
});

test.each(['crm_notes', 'todo', 'no_such_tile', 'flex_app:3f2a9c54-7d1e-4b86-9a0f-5c8e21d47b10', ''])(
  'the widget of the tile %j is null when it is not available to the caller',
  async (key) => {
    const { ask, sandbox, user } = await accountGateway();

    expect(await ask(widget, { variables: { key }, token: user().token })).toEqual({ dashboardWidget: null });
    expect(sandbox.calls()).toEqual([WIDGET]);
  },
);

const scope = { options: ['all', 'mine'], default: 'all', multiple: 0, text: '0' };

test.each([
  ['a map by name', { scope }],
  ['a list of entries', [{ name: 'scope', ...scope }]],
])('settings are read as %s', async (_form, settings) => {
  const { ask } = await gatewayOverAnswers({ [`${WIDGET}?key=tasks`]: { key: 'tasks', name: 'Tasks', settings } });

  expect(await ask(widget, { variables: { key: 'tasks' } })).toEqual({
    dashboardWidget: {
      key: 'tasks',
      name: 'Tasks',
      settings: [{ name: 'scope', options: ['all', 'mine'], default: 'all', multiple: false, text: false }],
      config: { scope: 'ALL', filter: 'ALL', limit: 5, raw: {} },
    },
  });
});

test('`raw` is a setting as upstream sends it, also where its options or its default are no texts', async () => {
  const pairs = {
    options: [
      ['all', 'All of them'],
      ['mine', 'Mine'],
    ],
    default: 'all',
  };
  const objects = { options: [{ value: 5, name: 'Five' }], default: { value: 5 }, unit: 'rows' };
  const settings = { scope: pairs, limit: objects, size: { options: [5, 10], default: 5 } };
  const { execute } = await gatewayOverAnswers({ [`${WIDGET}?key=tasks`]: { name: 'Tasks', settings } });

  const { data, errors } = await execute('{ dashboardWidget(key: "tasks") { settings { name options default raw } } }');

  expect(data).toEqual({
    dashboardWidget: {
      settings: [
        { name: 'scope', options: null, default: 'all', raw: pairs },
        { name: 'limit', options: null, default: null, raw: objects },
        { name: 'size', options: null, default: '5', raw: { options: [5, 10], default: 5 } },
      ],
    },
  });
  expect(errors.map(({ path }) => path?.slice(2).join('.'))).toEqual([
    '0.options',
    '1.options',
    '1.default',
    '2.options',
  ]);
});

test.each([
  ['text', null],
  [[{ options: [] }], []],
  [{ scope: 'all' }, []],
])('settings in another form are an error of `settings` only: %j', async (settings, shown) => {
  const { execute } = await gatewayOverAnswers({ [`${WIDGET}?key=tasks`]: { name: 'Tasks', settings } });

  const { data, errors } = await execute('{ dashboardWidget(key: "tasks") { name settings { name } } }');

  expect(data).toEqual({ dashboardWidget: { name: 'Tasks', settings: shown } });
  expect(errors).toMatchObject([
    { path: ['dashboardWidget', 'settings'], extensions: { code: 'UPSTREAM_BAD_RESPONSE' } },
  ]);
});

test('the settings of a widget are null when upstream sends none', async () => {
  const { ask } = await gatewayOverAnswers({ [`${WIDGET}?key=tasks`]: {} });

  const data = await ask(widget, { variables: { key: 'tasks' } });

  expect(data).toMatchObject({ dashboardWidget: { key: 'tasks', name: null, settings: null } });
});

const widgets = `query ($keys: [String!]!) { dashboardWidgets(keys: $keys) { key name } }`;
const call = (key: string) => `${WIDGET}?key=${key}`;

test('widgets come in the order of their keys, by one call for each different key', async () => {
  const { execute, received } = await gatewayOverAnswers({
    [call('tasks')]: { name: 'Tasks' },
    [call('mail')]: { name: 'Mail' },
    [call('chats')]: { name: { pl: 'Czaty' } },
    [call('inbox')]: 'broken',
  });

  const keys = ['tasks', 'todo', 'mail', 'tasks', 'chats', 'inbox', 'todo'];
  const { data, errors } = await execute(widgets, { variables: { keys } });

  const tasks = { key: 'tasks', name: 'Tasks' };
  expect(data).toEqual({
    dashboardWidgets: [tasks, null, { key: 'mail', name: 'Mail' }, tasks, { key: 'chats', name: null }, null, null],
  });
  expect(errors.map(({ path }) => path?.slice(1)).sort()).toEqual([[4, 'name'], [5]]);
  expect(received.toSorted()).toEqual(['chats', 'inbox', 'mail', 'tasks', 'todo'].map(call));
});

test('dashboardWidgets takes MAX_NODES keys at most, and calls nothing for more', async () => {
  const { execute, sandbox } = await accountGateway({ MAX_NODES: 2 });

  expect((await execute(widgets, { variables: { keys: [] } })).data).toEqual({ dashboardWidgets: [] });
  const { data, errors } = await execute(widgets, { variables: { keys: ['tasks', 'tasks', 'tasks'] } });

  expect(data).toEqual({ dashboardWidgets: null });
  expect(errors).toMatchObject([
    { message: expect.stringContaining('MAX_NODES'), extensions: { code: 'QUERY_LIMIT_EXCEEDED' } },
  ]);
  expect(sandbox.calls()).toEqual([]);
});
