import { type DocumentNode, Kind, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { accountGateway } from './account/support.ts';
import { AccountSource } from '../src/account/source.ts';
import { type Context, Upstreams } from '../src/context.ts';
import { schema } from '../src/schema.ts';
import { testConfig } from './support/gateway.ts';

/** A row of the documents' endpoint tables: as it is written there, its method of the source, a field that reaches it. */
type Row<Source> = readonly [endpoint: string, call: (source: Source) => Promise<unknown>, operation: string];

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

interface Endpoint {
  readonly endpoint: string;
  readonly method: string;
  readonly call: (context: Context) => Promise<unknown>;
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
    call: (context) => call(sourceOf(context)),
    operation,
  }));
  const methods = Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');
  return { name, endpoints, methods };
}

const apis = [api('account', AccountSource, (context) => context.account, account)];
const endpoints = apis.flatMap((each) => each.endpoints);

/** A sandbox in which the records exist that the rows name: a token 1, a dashboard 1. */
async function prepared() {
  const house = await accountGateway();
  await house.makeDashboard();
  const upstreams = new Upstreams(testConfig({ ACCOUNT_URL: new URL(house.sandbox.urls.account) }));
  const context = upstreams.context({ authorization: `Bearer ${house.admin.token}` }, () => {});
  return { ...house, context, upstreams };
}

test('the documents have 15 endpoints', () => {
  expect(new Set(endpoints.map(({ endpoint }) => endpoint)).size).toBe(15);
  expect(endpoints).toHaveLength(15);
});

test('the sandbox routes them, and nothing else', async () => {
  const { sandbox } = await prepared();

  expect([...sandbox.routes].sort()).toEqual(endpoints.map(({ endpoint }) => endpoint).sort());
});

test.each(apis)('each method of the source of the $name API has its row', ({ endpoints: rows, methods }) => {
  expect(rows.map(({ method }) => method).sort()).toEqual(methods.sort());
});

test.each(endpoints)('$endpoint is what $method calls, once', async ({ endpoint, call }) => {
  const { sandbox, context, upstreams } = await prepared();

  await call(context);
  await upstreams.close();

  expect(sandbox.calls()).toEqual([endpoint]);
  expect(sandbox.requests).toMatchObject([{ status: expect.toBeOneOf([200, 201, 204]) }]);
});

describe('from GraphQL', () => {
  test.each(endpoints)('$endpoint is reached by $operation', async ({ endpoint, operation }) => {
    const { sandbox, execute } = await prepared();

    const { errors } = await execute(operation);

    expect(errors).toEqual([]);
    // A deletion may read before: the endpoint in question comes last.
    expect(sandbox.calls().at(-1)).toBe(endpoint);
  });

  test.each(endpoints)('$endpoint stands in the description of the field that calls it', ({ endpoint, operation }) => {
    const [path = '', query = ''] = endpoint.split('?');

    expect(describedBy(parse(operation))).toContain(`\`${path}\``);
    if (query !== '') expect(describedBy(parse(operation))).toContain(`\`?${query}\``);
  });
});

test('no root field names an endpoint that no document has', () => {
  const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.values(type?.getFields() ?? {}),
  );
  const named = roots.flatMap(({ description }) =>
    [...(description ?? '').matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) [^`]+)`/g)].map(([, endpoint]) => endpoint),
  );

  expect(named.length).toBeGreaterThanOrEqual(roots.length - 2); // all but node and nodes
  expect(named.filter((endpoint) => !endpoints.some((known) => known.endpoint === endpoint))).toEqual([]);
});

/** The description of the only root field of an operation. */
function describedBy({ definitions: [operation] }: DocumentNode): string {
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('This is no operation.');
  const [field] = operation.selectionSet.selections;
  if (field?.kind !== Kind.FIELD) throw new Error('This selects no field.');
  return schema.getRootType(operation.operation)?.getFields()[field.name.value]?.description ?? '';
}
