import { type DocumentNode, isObjectType, parse, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { describe, expect, test } from 'vitest';
import { AccountSource } from '../src/account/source.ts';
import { type Context, Upstreams } from '../src/context.ts';
import { PublicFlexSource } from '../src/flex/public-source.ts';
import { FlexSource } from '../src/flex/source.ts';
import { schema } from '../src/schema.ts';
import { gateway, testConfig } from './support/gateway.ts';
import { callAt } from './support/sandbox.ts';

/** The ids that upstream makes up, of what exists before a row is tried. */
interface Ids {
  readonly db: string;
  readonly record: string;
}

/**
 * A row of the documents' endpoint tables: as it is written there, its method of the source, a field that reaches it.
 * In the operation, DB and RECORD stand for their ids.
 */
type Row<Source> = readonly [endpoint: string, call: (source: Source, ids: Ids) => Promise<unknown>, operation: string];

// A record, so that no method of a source can go without its row.
const account: Readonly<Record<keyof AccountSource, Row<AccountSource>>> = {
  apiTokens: ['GET /account/api_tokens.json', (source) => source.apiTokens(), '{ apiTokens { id } }'],
  accountApiTokens: [
    'GET /account/api_tokens.json?for_account=yes',
    (source) => source.accountApiTokens(),
    '{ apiTokens(scope: ACCOUNT) { id } }',
  ],
  apiToken: ['GET /account/api_tokens/:id.json', (source) => source.apiToken('1'), '{ apiToken(id: 1) { id } }'],
  createApiToken: [
    'POST /account/api_tokens.json',
    (source) => source.createApiToken({}),
    'mutation { createApiToken(input: {}) { __typename } }',
  ],
  updateApiToken: [
    'PATCH /account/api_tokens/:id.json',
    (source) => source.updateApiToken('1', {}),
    'mutation { updateApiToken(id: 1, input: {}) { __typename } }',
  ],
  deleteApiToken: [
    'DELETE /account/api_tokens/:id.json',
    (source) => source.deleteApiToken('1'),
    'mutation { deleteApiToken(id: 1) { __typename } }',
  ],
  dashboards: ['GET /toolkit/dashboards.json', (source) => source.dashboards(), '{ dashboards { id } }'],
  dashboard: ['GET /toolkit/dashboards/:id.json', (source) => source.dashboard('1'), '{ dashboard(id: 1) { id } }'],
  createDashboard: [
    'POST /toolkit/dashboards.json',
    (source) => source.createDashboard({ name: 'Board' }),
    'mutation { createDashboard(input: { name: "Board" }) { __typename } }',
  ],
  updateDashboard: [
    'PATCH /toolkit/dashboards/:id.json',
    (source) => source.updateDashboard('1', {}),
    'mutation { updateDashboard(id: 1, input: {}) { __typename } }',
  ],
  deleteDashboard: [
    'DELETE /toolkit/dashboards/:id.json',
    (source) => source.deleteDashboard('1'),
    'mutation { deleteDashboard(id: 1) { __typename } }',
  ],
  selectDashboard: [
    'PATCH /toolkit/dashboards/select.json',
    (source) => source.selectDashboard('main', 1),
    'mutation { selectDashboard(context: MAIN, selection: { dashboard: 1 }) { __typename } }',
  ],
  displayedDashboard: [
    'GET /toolkit/dashboards/widgets.json',
    (source) => source.displayedDashboard('main'),
    '{ displayedDashboard { layout { key } } }',
  ],
  dashboardWidget: [
    'GET /toolkit/dashboards/widget.json',
    (source) => source.dashboardWidget('tasks'),
    '{ dashboardWidget(key: "tasks") { key } }',
  ],
  setField: [
    'POST /account/set_field.json',
    (source) => source.setField('account.settings.modules', 'add', 'toolkit'),
    'mutation { enableDashboards { __typename } }',
  ],
};

const flex: Readonly<Record<keyof FlexSource, Row<FlexSource>>> = {
  databases: ['GET /flex/dbs.json', (source) => source.databases(), '{ flexDbs { id } }'],
  database: ['GET /flex/dbs/:id.json', (source) => source.database('shop'), '{ flexDb(id: "shop") { id } }'],
  createDatabase: [
    'POST /flex/dbs.json',
    (source) => source.createDatabase({ name: 'New' }),
    'mutation { createFlexDb(input: { name: "New" }) { __typename } }',
  ],
  updateDatabase: [
    'PATCH /flex/dbs/:id.json',
    (source) => source.updateDatabase('shop', {}),
    'mutation { updateFlexDb(id: "shop", input: {}) { __typename } }',
  ],
  deleteDatabase: [
    'DELETE /flex/dbs/:id.json',
    (source) => source.deleteDatabase('shop'),
    'mutation { deleteFlexDb(id: "shop") { __typename } }',
  ],
  replace: [
    'PATCH /flex/dbs/:id/replace.json',
    (source) => source.replace('shop', { field: 'schema', old_string: 'text', new_string: 'string' }),
    'mutation { replaceInFlexDb(id: "shop", input: { field: SCHEMA, oldString: "text", newString: "string" }) { __typename } }',
  ],
  records: [
    'GET /flex/dbs/:db_id/records.json',
    (source) => source.records('shop'),
    '{ flexDb(id: "shop") { records { nodes { id } } } }',
  ],
  createRecord: [
    'POST /flex/dbs/:db_id/records.json',
    (source) => source.createRecord('shop', { data: {} }),
    'mutation { createFlexRecord(db: "shop", input: { data: {} }) { __typename } }',
  ],
  updateRecord: [
    'PATCH /flex/dbs/:db_id/records/:id.json',
    (source, { record }) => source.updateRecord('shop', record, { data: {} }),
    'mutation { updateFlexRecord(id: "FlexRecord:DB:RECORD", input: { data: {} }) { __typename } }',
  ],
  deleteRecord: [
    'DELETE /flex/dbs/:db_id/records/:id.json',
    (source, { record }) => source.deleteRecord('shop', record),
    'mutation { deleteFlexRecord(id: "FlexRecord:DB:RECORD") { __typename } }',
  ],
  search: [
    'GET /flex/dbs/:db_id/search.json',
    (source) => source.search('shop', { filters: {} }, { limit: 1, offset: 0 }),
    '{ flexDb(id: "shop") { search { nodes { id } } } }',
  ],
};

const publicFlex: Readonly<Record<keyof PublicFlexSource, Row<PublicFlexSource>>> = {
  list: [
    'POST /flex/db/:db_code/list',
    (source) => source.list('shop', {}),
    '{ publicFlexDb(code: "shop") { list { id } } }',
  ],
  get: [
    'POST /flex/db/:db_code/get',
    (source, { record }) => source.get('shop', record),
    '{ publicFlexDb(code: "shop") { get(id: "RECORD") { id } } }',
  ],
  create: [
    'POST /flex/db/:db_code/create',
    (source) => source.create('shop', {}),
    'mutation { createPublicFlexRecord(code: "shop", data: {}) { __typename } }',
  ],
  update: [
    'POST /flex/db/:db_code/update',
    (source, { record }) => source.update('shop', record, {}),
    'mutation { updatePublicFlexRecord(code: "shop", id: "RECORD", data: {}) { __typename } }',
  ],
  delete: [
    'POST /flex/db/:db_code/delete',
    (source, { record }) => source.delete('shop', record),
    'mutation { deletePublicFlexRecord(code: "shop", id: "RECORD") { __typename } }',
  ],
  search: [
    'POST /flex/db/:db_code/search',
    (source) => source.search('shop', {}),
    '{ publicFlexDb(code: "shop") { search { id } } }',
  ],
};

interface Endpoint {
  readonly endpoint: string;
  readonly method: string;
  readonly call: (context: Context, ids: Ids) => Promise<unknown>;
  readonly operation: string;
}

/** The rows of one API. `methods` are those that its source really has. */
function api<Source>(
  name: string,
  { prototype }: { readonly prototype: object },
  sourceOf: (context: Context) => Source,
  rows: Readonly<Record<string, Row<Source>>>,
) {
  const endpoints = Object.entries(rows).map(([method, [endpoint, call, operation]]): Endpoint => ({
    endpoint,
    method,
    call: (context, ids) => call(sourceOf(context), ids),
    operation,
  }));
  const methods = Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');
  return { name, endpoints, methods };
}

const apis = [
  api('account', AccountSource, (context) => context.account, account),
  api('flex', FlexSource, (context) => context.flex, flex),
  api('public flex', PublicFlexSource, (context) => context.publicFlex, publicFlex),
];
const endpoints = apis.flatMap((each) => each.endpoints);

/** A sandbox in which what the rows name exists: a token 1, a dashboard 1, a database `shop` and a record of it. */
async function prepared() {
  const house = await gateway();
  const { sandbox, account, admin } = house;
  const body = { dashboard: { name: 'Board' } };
  await callAt(sandbox.urls.account)('POST', '/toolkit/dashboards.json', { token: admin.token, body });
  sandbox.forgetCalls();
  const { id: db } = sandbox.store.createFlexDatabase(account, {
    name: 'Shop',
    code: 'shop',
    schema: { fields: { note: 'text' } },
    public_methods: { list: true, get: true, create: true, update: true, delete: true, search: true },
  });
  const [record = ''] = sandbox.store.createFlexRecords(db, [{ note: 'x' }]);

  const { account: accountUrl, flex: flexUrl } = sandbox.urls;
  const upstreams = new Upstreams(testConfig({ ACCOUNT_URL: new URL(accountUrl), FLEX_URL: new URL(flexUrl) }));
  const context = upstreams.context({
    headers: { authorization: `Bearer ${admin.token}` },
    address: '127.0.0.1',
    forbidStoring: () => {},
    setCookie: () => {},
  });
  const named = (operation: string) => operation.replace('DB', db).replace('RECORD', record);
  return { ...house, context, upstreams, ids: { db, record }, named };
}

test('the documents have 15 endpoints of the account API, 11 of the flex API and its 6 public methods', () => {
  expect(new Set(endpoints.map(({ endpoint }) => endpoint)).size).toBe(endpoints.length);
  expect(apis.map(({ endpoints: rows }) => rows.length)).toEqual([15, 11, 6]);
});

test('the sandbox routes them, and nothing else; public methods by GET, too', async () => {
  const { sandbox } = await prepared();
  const byGet = apis[2]?.endpoints.map(({ endpoint }) => endpoint.replace('POST', 'GET')) ?? [];

  expect([...sandbox.routes].sort()).toEqual([...endpoints.map(({ endpoint }) => endpoint), ...byGet].sort());
});

test.each(apis)('each method of the source of the $name API has its row', ({ endpoints: rows, methods }) => {
  expect(rows.map(({ method }) => method).sort()).toEqual(methods.sort());
});

test.each(endpoints)('$endpoint is what $method calls, once', async ({ endpoint, call }) => {
  const { sandbox, context, upstreams, ids } = await prepared();

  await call(context, ids);
  await upstreams.close();

  expect(sandbox.calls()).toEqual([endpoint]);
  expect(sandbox.requests).toMatchObject([{ status: expect.toBeOneOf([200, 201, 204]) }]);
});

describe('from GraphQL', () => {
  test.each(endpoints)('$endpoint is reached by $operation', async ({ endpoint, operation }) => {
    const { sandbox, execute, named } = await prepared();

    const { errors } = await execute(named(operation));

    expect(errors).toEqual([]);
    // A deletion may read before: the endpoint in question comes last.
    expect(sandbox.calls().at(-1)).toBe(endpoint);
  });

  test.each(endpoints)('$endpoint stands in the description of a field that calls it', ({ endpoint, operation }) => {
    const [path = '', query = ''] = endpoint.split('?');

    expect(describedBy(parse(operation))).toContain(`\`${path}\``);
    if (query !== '') expect(describedBy(parse(operation))).toContain(`\`?${query}\``);
  });
});

test('no field names an endpoint that no document has', () => {
  const fields = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) ? Object.values(type.getFields()) : [],
  );
  const named = fields.flatMap(({ description }) =>
    [...(description ?? '').matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) [^`]+)`/g)].map(([, endpoint]) => endpoint),
  );

  expect(new Set(named).size).toBe(new Set(endpoints.map(({ endpoint }) => endpoint.split('?')[0])).size);
  expect(named.filter((endpoint) => !endpoints.some((known) => known.endpoint === endpoint))).toEqual([]);
});

/** The descriptions of all fields that an operation selects. */
function describedBy(operation: DocumentNode): string {
  const types = new TypeInfo(schema);
  const descriptions: string[] = [];
  const Field = () => void descriptions.push(types.getFieldDef()?.description ?? '');
  visit(operation, visitWithTypeInfo(types, { Field }));
  return descriptions.join('\n');
}
