import { describe, expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { saysJson } from '../support/stub-crm.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

// Lists within records, and lists that are parts of other lists: an entry that cannot be read costs itself, and one error
// at the field counts it.

const TILES = [{ id: 'a', key: 'tasks' }, null, { key: 'mail' }, { id: 'b', key: 'inbox' }];
const METHODS = { list: true, get: 5, search: { allowed_params: ['q'] } };
const TABLES = { t: { fields: { a: 'string' } }, u: 5, v: { fields: [] }, w: { fields: { b: 'date' } } };
const FLEX_DB = { id: 1, name: 'a', code: null, app_id: 'app1', schema: { tables: TABLES }, public_methods: METHODS };
const RECORDS = [
  { id: 1, table_name: 't', data: {} },
  { id: 2, data: {} },
  { id: 3, table_name: {}, data: {} },
  { id: 4, table_name: 't', data: {} },
  { id: 5, table_name: '', data: {} },
];

/** Runs an operation over an upstream with these responses by path. */
async function answersTo(query: string, answers: Readonly<Record<string, unknown>>) {
  const upstream = await stubUpstream((request, response) => {
    const found = answers[request.url?.split('?', 1)[0] ?? ''];
    (found === undefined ? saysJson({}, 404) : saysJson(found))(request, response);
  });
  const { execute } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url) }, 'token');
  return { ...(await execute(query)), received: upstream.received };
}

/** The errors of a response by path and message. */
const told = (errors: readonly { path?: readonly (string | number)[]; message: string }[]) =>
  errors.map(({ path = [], message }) => [path.join('.'), message]);

const TWO_TILES = '2 of 4 rows were left out: A tile has no id or no key.';
const noObject = (got: string, of: number) => `1 of ${of} rows was left out: Expected an object, got ${got}.`;

describe('an odd entry costs itself', () => {
  test.each([
    [
      'the layout of a dashboard',
      '{ dashboard(id: 1) { layout { entryId } } }',
      { '/toolkit/dashboards/1.json': { id: 1, layout: TILES } },
      { dashboard: { layout: [{ entryId: 'a' }, { entryId: 'b' }] } },
      ['dashboard.layout', TWO_TILES],
    ],
    [
      'the displayed layout',
      '{ displayedDashboard { layout { entryId } } }',
      { '/toolkit/dashboards/widgets.json': { current_id: 1, layout: TILES, dashboards: [] } },
      { displayedDashboard: { layout: [{ entryId: 'a' }, { entryId: 'b' }] } },
      ['displayedDashboard.layout', TWO_TILES],
    ],
    [
      'the dashboards that can be selected',
      '{ displayedDashboard { choices { upstreamId } } }',
      { '/toolkit/dashboards/widgets.json': { current_id: 1, layout: [], dashboards: [{ id: 1 }, null, { id: 2 }] } },
      { displayedDashboard: { choices: [{ upstreamId: '1' }, { upstreamId: '2' }] } },
      ['displayedDashboard.choices', noObject('nothing', 3)],
    ],
    [
      'the company dashboards',
      '{ dashboard(id: 1) { companyDashboards { upstreamId } } }',
      {
        '/toolkit/dashboards/1.json': { id: 1, context: 'main' },
        '/toolkit/dashboards.json': [{ id: 1, shared: true }, null],
      },
      { dashboard: { companyDashboards: [{ upstreamId: '1' }] } },
      ['dashboard.companyDashboards', `The account API: ${noObject('nothing', 2)}`],
    ],
    [
      'the settings of a tile as a list',
      '{ dashboardWidget(key: "tasks") { settings { name } } }',
      { '/toolkit/dashboards/widget.json': { settings: [{ name: 'a' }, {}, null, { name: 'b' }] } },
      { dashboardWidget: { settings: [{ name: 'a' }, { name: 'b' }] } },
      [
        'dashboardWidget.settings',
        '2 of 4 rows were left out: A setting has no name. Expected an object, got nothing.',
      ],
    ],
    [
      'the settings of a tile by name',
      '{ dashboardWidget(key: "tasks") { settings { name } } }',
      { '/toolkit/dashboards/widget.json': { settings: { a: {}, b: 'x', c: {} } } },
      { dashboardWidget: { settings: [{ name: 'a' }, { name: 'c' }] } },
      ['dashboardWidget.settings', noObject('a string', 3)],
    ],
    [
      'the public methods of a database',
      '{ flexDb(id: 1) { publicMethods { operationText } } }',
      { '/flex/dbs/1.json': FLEX_DB },
      { flexDb: { publicMethods: [{ operationText: 'list' }, { operationText: 'search' }] } },
      [
        'flexDb.publicMethods',
        '1 of 3 rows was left out: Expected a public method to be true or its options, got a number.',
      ],
    ],
    [
      'the tables of a database',
      '{ flexDb(id: 1) { tables { name fields { name } } } }',
      { '/flex/dbs/1.json': FLEX_DB },
      {
        flexDb: {
          tables: [
            { name: 't', fields: [{ name: 'a' }] },
            { name: 'w', fields: [{ name: 'b' }] },
          ],
        },
      },
      [
        'flexDb.tables',
        '2 of 4 rows were left out: Expected an object, got a number. Expected the fields of a schema to be an object.',
      ],
    ],
    [
      'the records of one table',
      '{ flexDb(id: "FlexDb:1") { records(table: "t") { nodes { upstreamId } } } }',
      { '/flex/dbs/1/records.json': RECORDS },
      { flexDb: { records: { nodes: [{ upstreamId: '1' }, { upstreamId: '4' }] } } },
      ['flexDb.records', '1 row was left out by the filter, because its `table_name` cannot be read.'],
    ],
    [
      'the records of no table',
      '{ flexDb(id: "FlexDb:1") { records(untabled: true) { nodes { upstreamId } } } }',
      { '/flex/dbs/1/records.json': RECORDS },
      { flexDb: { records: { nodes: [{ upstreamId: '2' }, { upstreamId: '5' }] } } },
      ['flexDb.records', '1 row was left out by the filter, because its `table_name` cannot be read.'],
    ],
  ])('%s', async (_list, query, answers, data, error) => {
    const answer = await answersTo(query, answers);
    expect(answer.data).toEqual(data);
    expect(told(answer.errors)).toEqual([error]);
  });

  test('the databases of a tile: rows that are none, and those whose application cannot be read, are counted', async () => {
    const { data, errors } = await answersTo('{ dashboard(id: 1) { layout { flexDbs { upstreamId } } } }', {
      '/toolkit/dashboards/1.json': { id: 1, layout: [{ id: 'a', key: 'flex_app:app1' }] },
      '/flex/dbs.json': [FLEX_DB, null, { id: 2, app_id: {} }],
    });
    expect(data).toEqual({ dashboard: { layout: [{ flexDbs: [{ upstreamId: '1' }] }] } });
    const path = 'dashboard.layout.0.flexDbs';
    expect(told(errors)).toEqual([
      [path, `The flex API: ${noObject('nothing', 3)}`],
      [path, '1 row was left out by the filter, because its `app_id` cannot be read.'],
    ]);
  });

  test.each([
    ['CLIENTS', '/app/clients.json', { name: 'x' }],
    ['POSTS', '/app.json', { title: 'x' }],
    ['DEALS', '/app/deals.json', { name: 'x' }],
  ])('the search tells that a row of %s is missing', async (target, path, fields) => {
    const { data } = await answersTo(
      `{ search(text: "x", in: [${target}]) { nodes { ... on Node { id } } failures { target message } } }`,
      { [path]: [{ id: 1, ...fields }, null] },
    );
    expect(data).toMatchObject({
      search: {
        nodes: [{ id: expect.stringMatching(/:1$/) }],
        failures: [{ target, message: expect.stringContaining(noObject('nothing', 2)) }],
      },
    });
  });

  test.each([
    ['a database', [FLEX_DB, null], [{ id: 7, a: 'x' }]],
    ['a record', [FLEX_DB], [{ id: 7, a: 'x' }, null]],
  ])('the search tells that %s is missing', async (_row, databases, found) => {
    const { data } = await answersTo(
      '{ search(text: "x", in: [FLEX_RECORDS]) { nodes { ... on Node { id } } failures { target message } } }',
      { '/flex/dbs.json': databases.map((db) => db && { ...db, schema: null }), '/flex/dbs/1/search.json': found },
    );
    expect(data).toMatchObject({
      search: {
        nodes: [{ id: 'FlexRecord:1:7' }],
        failures: [{ target: 'FLEX_RECORDS', message: expect.stringContaining(noObject('nothing', 2)) }],
      },
    });
  });
});
