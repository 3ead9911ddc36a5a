import { expect, test } from 'vitest';
import { accountGateway } from './support.ts';
import { isList, settingNames, tileTable, valuesAnywhere } from './tile-table.ts';

const create = `mutation ($input: CreateDashboardInput!) {
  createDashboard(input: $input) {
    __typename
    ... on Dashboard { layout { entryId key config { raw } } }
    ... on ValidationError { fields { field messages } }
  }
}`;
const update = `mutation ($id: ID!, $input: UpdateDashboardInput!) {
  updateDashboard(id: $id, input: $input) {
    __typename
    ... on Dashboard { layout { entryId } }
    ... on ValidationError { fields { field } }
  }
}`;

interface Tile {
  readonly key: string;
  readonly entryId?: string | null;
  readonly config?: Readonly<Record<string, unknown>>;
}

type Gateway = Awaited<ReturnType<typeof accountGateway>>;

/** Sends a layout in a creation and in an update of another dashboard. Returns both results and the upstream calls. */
async function written({ execute, sandbox, makeDashboard }: Gateway, layout: readonly Tile[]) {
  const { id } = await makeDashboard();
  const created = await execute(create, { variables: { input: { name: 'Board', layout } } });
  const updated = await execute(update, { variables: { id, input: { layout } } });
  return { created, updated, calls: sandbox.calls() };
}

/** Expects a layout to be refused with exactly these paths: on an update after one read, of what is stored. */
async function expectRefused(gateway: Gateway, layout: readonly Tile[], fields: readonly string[], name = '') {
  const { created, updated, calls } = await written(gateway, layout);
  const refusal = {
    __typename: 'ValidationError',
    fields: expect.toSatisfy((found: readonly { readonly field: string }[]) => {
      expect(found.map(({ field }) => field).sort(), name).toEqual([...fields].sort());
      return true;
    }),
  };
  expect(created.errors, name).toEqual([]);
  expect(created.data, name).toEqual({ createDashboard: refusal });
  expect(updated.data, name).toEqual({ updateDashboard: refusal });
  expect(calls, name).toEqual(['GET /toolkit/dashboards/:id.json']);
}

async function expectAccepted(gateway: Gateway, layout: readonly Tile[], name = '') {
  const { created, updated, calls } = await written(gateway, layout);
  expect(created.errors, name).toEqual([]);
  const tiles = layout.map(() => ({}));
  expect(created.data, name).toMatchObject({ createDashboard: { __typename: 'Dashboard', layout: tiles } });
  expect(updated.data, name).toMatchObject({ updateDashboard: { __typename: 'Dashboard' } });
  expect(calls, name).toEqual(['POST /toolkit/dashboards.json', 'PATCH /toolkit/dashboards/:id.json']);
}

const documented = Object.entries(tileTable);

test('a setting that a tile does not have is refused', async () => {
  const house = await accountGateway();
  for (const [key, settings] of documented) {
    const own = settings.map(({ name }) => name);
    const foreign = [...settingNames, 'customName', 'customUrl'].filter(
      (name) => !own.includes(name) && !(key === 'quick_actions' && name.startsWith('custom')),
    );
    expect(foreign.length, key).toBeGreaterThan(0);
    const layout = foreign.map((name): Tile => {
      const [value = '/'] = valuesAnywhere(name);
      return { key, config: { [name]: isList(name) ? [value] : value } };
    });
    const fields = foreign.map((name, index) => `layout.${index}.config.${name}`);
    await expectRefused(house, layout, fields, key);
  }
});

test('a value that a setting of a tile does not take is refused', async () => {
  const house = await accountGateway();
  for (const [key, settings] of documented) {
    const disallowed = settings.flatMap(({ name, values, list }) =>
      [...valuesAnywhere(name), ...(name === 'limit' ? [0, -5, 7, 50] : [])]
        .filter((value) => !values.includes(value))
        .map((value) => ({ name, value: list ? [value] : value })),
    );
    for (let at = 0; at < disallowed.length; at += 60) {
      const some = disallowed.slice(at, at + 60);
      const layout = some.map(({ name, value }) => ({ key, config: { [name]: value } }));
      const fields = some.map(({ name }, index) => `layout.${index}.config.${name}`);
      await expectRefused(house, layout, fields, key);
    }
    // A setting that allows every enum value has no value to refuse: GraphQL itself refuses others.
    const takesAll = settings.length === 0 || ['module_header', 'module_icons', 'quick_actions'].includes(key);
    expect(disallowed.length > 0 || takesAll, key).toBe(true);
  }
});

test('every documented value of every setting of a tile is stored', async () => {
  const { execute, sandbox, account } = await accountGateway();
  for (const [key, settings] of documented) {
    if (key.startsWith('flex_app:'))
      sandbox.store.createFlexApplication({ account, id: key.slice('flex_app:'.length) });
    const layout = settings.flatMap(({ name, values, list }) =>
      values.map((value) => ({ key, config: { [name]: list ? [value] : value } })),
    );
    const fields = settings.map(({ name }) => name).join(' ');
    const sent = layout.length > 0 ? layout : [{ key }];
    const { data, errors } = await execute(
      `mutation ($layout: [DashboardTileInput!]) { createDashboard(input: { name: "All", layout: $layout }) {
        ... on Dashboard { layout { key config { __typename ${fields} } } }
      } }`,
      { variables: { layout: sent } },
    );
    expect(errors, key).toEqual([]);
    expect(data, key).toMatchObject({ createDashboard: { layout: sent } });
  }
});

const button = (customUrl: string, customName = 'Wiki'): Tile => ({
  key: 'quick_actions',
  config: { customName, customUrl },
});

test('a custom button leads to a page or to an address of HTTP, and nowhere else', async () => {
  const house = await accountGateway();
  for (const customUrl of [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    '//host',
    '/\\host',
    '\\\\host',
    '/\t/host',
    '/\n\r\\\\host',
    '/kb\0',
    'https:host',
    'https://',
    'ftp://host',
    'data:text/html,hi',
    'wiki',
    '',
    `/${'x'.repeat(500)}`,
  ]) {
    await expectRefused(house, [button(customUrl)], ['layout.0.config.customUrl'], customUrl);
  }
  for (const customUrl of [
    'https://wiki.example/a?b=c#d',
    'http://wiki.example',
    'HTTPS://wiki.example',
    'Http://wiki.example/price list',
    '/',
    '/kb/price-list',
    '/kb/price list',
    '/kb/price\tlist',
    `/${'x'.repeat(499)}`,
  ]) {
    await expectAccepted(house, [button(customUrl)], customUrl);
  }
});

test('the name of a custom button has 60 characters at most', async () => {
  await expectAccepted(await accountGateway(), [button('/kb', 'ż'.repeat(60))]);
  await expectRefused(await accountGateway(), [button('/kb', 'x'.repeat(61))], ['layout.0.config.customName']);
});

test('a custom button without a name or without a target is refused, because upstream would not show it', async () => {
  await expectRefused(
    await accountGateway(),
    [
      { key: 'quick_actions', config: { customName: 'Wiki' } },
      { key: 'quick_actions', config: { customUrl: '/kb' } },
    ],
    ['layout.0.config.customUrl', 'layout.1.config.customName'],
  );
});

test('a layout has 60 tiles at most, and may repeat a tile', async () => {
  const tiles = Array.from({ length: 60 }, () => ({ key: 'tasks' }));

  await expectAccepted(await accountGateway(), tiles);
  await expectRefused(await accountGateway(), [...tiles, { key: 'tasks' }], ['layout']);
});

test.each([
  ['', 'mail'],
  ['UPPER', 'mail'],
  ['with space', 'mail'],
  ['żółw', 'mail'],
  ['x'.repeat(33), 'mail'],
  ['line\n', 'mail'],
  ['tasks', 'mail'],
])('the entryId %j, invalid or a duplicate, is sent as it is, and upstream replaces it', async (entryId, assigned) => {
  const { execute, sandbox } = await accountGateway();
  const layout = [
    { key: 'tasks', entryId: 'tasks' },
    { key: 'mail', entryId },
  ];
  const { data } = await execute(create, { variables: { input: { name: 'Board', layout } } });
  expect(sandbox.requests[0]?.body).toMatchObject({ dashboard: { layout: [{ id: 'tasks' }, { id: entryId }] } });
  expect(data).toMatchObject({ createDashboard: { layout: [{ entryId: 'tasks' }, { entryId: assigned }] } });
});

test('tiles without an entryId, or with one that upstream replaces, are accepted without a read', async () => {
  await expectAccepted(await accountGateway(), [
    { key: 'tasks' },
    { key: 'tasks', entryId: null },
    { key: 'mail', entryId: 'a-z_0' },
    { key: 'mail', entryId: 'a-z_0' },
    { key: 'kpi', entryId: 'NO' },
  ]);
});

test('a tile key that is none is refused', async () => {
  const house = await accountGateway();
  for (const key of ['', 'with space', '../tasks', 'flex_app:', 'flex_app:a/b', 'Tasks']) {
    await expectRefused(house, [{ key }], ['layout.0.key'], key);
  }
});

test('one error lists all problems of a layout', async () => {
  await expectRefused(
    await accountGateway(),
    [
      { key: 'tasks', entryId: 'ok', config: { limit: 5 } },
      { key: 'kpi', entryId: 'NO', config: { limit: 5, scope: 'MINE' } },
      button('//host', ''),
    ],
    ['layout.1.config.limit', 'layout.1.config.scope', 'layout.2.config.customName', 'layout.2.config.customUrl'],
  );
});

test('the message names all problems of a layout, the first three in full', async () => {
  const { execute } = await accountGateway();
  const tile = { key: 'kpi', config: { limit: 5, scope: 'MINE' } };
  const query = `mutation ($input: CreateDashboardInput!) { createDashboard(input: $input) { ... on MutationError { message } } }`;
  const { data } = await execute(query, { variables: { input: { name: 'Board', layout: [tile, tile, tile] } } });
  const message = expect.stringMatching(
    /^The layout is invalid: `layout\.0\.config\.limit` .+; `layout\.0\.config\.scope` .+; `layout\.1\.config\.limit` .+; also layout\.1\.config\.scope, layout\.2\.config\.limit, layout\.2\.config\.scope\.$/,
  );
  expect(data).toEqual({ createDashboard: { message } });
});

test('a value that a tile does not take is refused with the hint that raw takes it', async () => {
  const { execute } = await accountGateway();
  const layout = [
    { key: 'tasks', config: { limit: 50 } },
    { key: 'kpi', config: { limit: 5, hiddenCounters: ['CRM_NOTES'] } },
    { key: 'geo_map', config: { limit: 5 } },
  ];

  const { data } = await execute(create, { variables: { input: { name: 'Board', layout } } });

  const paths = ['0.config.limit', '1.config.hiddenCounters', '1.config.limit', '2.config.limit'];
  expect(data).toEqual({
    createDashboard: {
      __typename: 'ValidationError',
      fields: paths.map((path) => ({ field: `layout.${path}`, messages: [expect.stringContaining('`raw`')] })),
    },
  });
});

test('size and sizeText are refused together, before any call', async () => {
  const layout = [{ key: 'tasks', size: 'HALF', sizeText: 'half' }];
  const { created, updated, calls } = await written(await accountGateway(), layout);

  const refusal = { __typename: 'ValidationError', fields: [{ field: 'layout.0.sizeText' }] };
  expect(created.data).toMatchObject({ createDashboard: refusal });
  expect(updated.data).toEqual({ updateDashboard: refusal });
  expect(calls).toEqual([]);
});

test('GraphQL refuses an unknown enum value in a config before any call', async () => {
  const { execute, sandbox } = await accountGateway();

  const { errors } = await execute(create, {
    variables: { input: { name: 'Board', layout: [{ key: 'tasks', config: { scope: 'theirs' } }] } },
  });

  expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  expect(sandbox.calls()).toEqual([]);
});
