import { type DocumentNode, isObjectType, parse, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { describe, expect, test } from 'vitest';
import { apiOf } from '../src/config/apis.ts';
import { AccountSource } from '../src/apis/account/source.ts';
import type { Context } from '../src/operation/context.ts';
import { Departure } from '../src/calls/transport/departure.ts';
import { Upstreams } from '../src/apis/upstreams.ts';
import { CrmSource } from '../src/apis/crm/source.ts';
import { PublicFlexSource } from '../src/apis/flex/public-source.ts';
import { FlexSource } from '../src/apis/flex/source.ts';
import { ForumSource } from '../src/apis/forum/source.ts';
import { schema } from '../src/apis/schema.ts';
import { account } from './endpoints/account.ts';
import { crm } from './endpoints/crm.ts';
import { flex, publicFlex } from './endpoints/flex.ts';
import { forum } from './endpoints/forum.ts';
import { type Ids, NO_ENDPOINT, type Row } from './endpoints/rows.ts';
import { gateway, settingsFor, testConfig } from './support/gateway.ts';
import { callAt } from './support/sandbox.ts';

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
  const methods = Object.getOwnPropertyNames(prototype).filter(
    (name) => name !== 'constructor' && !NO_ENDPOINT.test(name),
  );
  return { name, endpoints, methods };
}

const apis = [
  api('account', AccountSource, (context) => context.account, account),
  api('flex', FlexSource, (context) => context.flex, flex),
  api('public flex', PublicFlexSource, (context) => context.publicFlex, publicFlex),
  api('crm', CrmSource, (context) => context.crm, crm),
  api('forum', ForumSource, (context) => context.forum, forum),
];
const endpoints = apis.flatMap((each) => each.endpoints);

const forumHeaders = { 'x-forum-authorization': `Basic ${Buffer.from('fay:long-enough').toString('base64')}` };

/** A sandbox in which what the rows name exists: a database `shop` with a record, and one of everything else. */
async function prepared() {
  const house = await gateway();
  const { sandbox, account, admin } = house;
  const body = { dashboard: { name: 'Board' } };
  await callAt(sandbox.urls.account)('POST', '/toolkit/dashboards.json', { token: admin.token, body });
  const crm = callAt(sandbox.urls.crm);
  for (const [collection, key] of Object.entries({
    clients: 'client',
    deals: 'deal',
    contacts: 'contact',
    contact_lists: 'contact_list',
  })) {
    await crm('POST', `/app/${collection}.json`, { body: { api_token: admin.token, [key]: { name: 'One' } } });
  }
  const { id: category } = sandbox.store.createForumCategory(account, 'Ideas');
  const post = { title: 'One', category_id: category };
  await crm('POST', '/app/posts.json', { body: { api_token: admin.token, post } });
  sandbox.store.createUser({ account, login: 'fay', password: 'long-enough' });
  sandbox.forgetCalls();
  const { id: db } = sandbox.store.createFlexDatabase(account, {
    name: 'Shop',
    code: 'shop',
    schema: { fields: { note: 'text' } },
    public_methods: { list: true, get: true, create: true, update: true, delete: true, search: true },
  });
  const [record = ''] = sandbox.store.createFlexRecords(db, [{ note: 'x' }]);

  const upstreams = new Upstreams(testConfig(settingsFor(sandbox)));
  const context = upstreams.context({
    headers: { authorization: `Bearer ${admin.token}`, ...forumHeaders },
    address: '127.0.0.1',
    setCookie: () => {},
    gone: new Departure(),
    onSecret: () => {},
    onLateWrite: () => {},
  });
  // The first post of all.
  const named = (operation: string) => operation.replace('DB', db).replace('RECORD', record).replace('FORUM_POST', '1');
  const execute = (operation: string) => house.execute(named(operation), { headers: forumHeaders });
  return { ...house, execute, context, upstreams, ids: { db, record, forumPost: '1' } };
}

test('the documents have 15 endpoints of the account API, 11 of flex and its 6 public methods, 20 of the CRM, 9 of the forum', () => {
  expect(new Set(endpoints.map(({ endpoint }) => endpoint)).size).toBe(endpoints.length);
  expect(apis.map(({ endpoints: rows }) => rows.length)).toEqual([15, 11, 6, 20, 9]);
});

test('the sandbox routes them, and nothing else; public methods by GET, too', async () => {
  const { sandbox } = await prepared();
  const byGet = apis[2]?.endpoints.map(({ endpoint }) => endpoint.replace('POST', 'GET')) ?? [];

  expect([...sandbox.routes].sort()).toEqual([...endpoints.map(({ endpoint }) => endpoint), ...byGet].sort());
});

test.each(apis)('the paths of the $name API are told from those of the others', ({ name, endpoints: rows }) => {
  const found = rows.map(({ endpoint }) => apiOf(endpoint.replace(/^\w+ |\?.*/g, '')));
  expect([...new Set(found)]).toEqual([name.replace('public ', '')]);
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
    const { sandbox, execute } = await prepared();

    const { errors } = await execute(operation);

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
