import {
  buildClientSchema,
  buildSchema,
  getIntrospectionQuery,
  introspectionFromSchema,
  isInputObjectType,
  isObjectType,
  parse,
  print,
  validate,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { publicTabs } from '../../src/cli/graphiql-tabs.ts';
import { schema } from '../../src/apis/schema.ts';
import { servedSchema } from '../../src/apis/served-schema.ts';
import { Upstreams } from '../../src/apis/upstreams.ts';
import { gatewayOverReplies, KEY, LIST } from '../flex/public-support.ts';
import { sharedDemo } from '../support/demo.ts';
import { stubUpstream } from '../support/stub-upstream.ts';
import { gatewayOver, testConfig } from '../support/gateway.ts';
import { publicSettings } from './public-gateway.ts';
import { sharedDemoSnapshot, snapshotFile } from './snapshot-files.ts';

const open = sharedDemo();
const snapshot = sharedDemoSnapshot();
const start = (settings = {}) => open({ PUBLIC: 'true', FLEX_SCHEMA: snapshot(), ...settings });

/** Each header that the other modes read a credential from, and each form of one. */
const CANARIES = {
  authorization: 'Bearer canary-token-1',
  'x-crm-token': 'canary-token-2',
  'x-forum-authorization': `Basic ${Buffer.from('canary:canary-password').toString('base64')}`,
  'proxy-authorization': 'Bearer canary-token-3',
};
const CANARY = new RegExp(`canary|${CANARIES['x-forum-authorization'].slice(6)}`);

const LISTED = '{ publicGuestbook { list(first: 2) { nodes { id text: message extra } } } }';
const CREATED = 'mutation { createPublicGuestbookRow(input: { message: "Hi" }) { __typename } }';

describe('a gateway with PUBLIC', () => {
  test('serves public methods alone', async () => {
    const { execute, sandbox } = await start();

    const listed = await execute(LISTED, { token: null, headers: { cookie: `flex_key=${'1'.repeat(32)}` } });
    const row = {
      id: expect.stringMatching(/^PublicGuestbookRow:/),
      text: expect.any(String),
      extra: expect.any(Object),
    };
    expect(listed).toMatchObject({ data: { publicGuestbook: { list: { nodes: [row, row] } } }, errors: [] });

    const fields = Object.keys(schema.getQueryType()?.getFields() ?? {});
    for (const field of fields) {
      const { errors } = await execute(`{ ${field} }`, { token: 'demo-admin' });
      expect(errors[0]?.message).toContain(`Cannot query field "${field}" on type "Query".`);
    }
    expect(sandbox.calls()).toEqual([LIST]);
  });

  test('tells of the demo databases what the public methods of the guest book allow', async () => {
    const { execute } = await start();
    const { data } = await execute(getIntrospectionQuery(), { token: null });
    const told = JSON.stringify(data);
    const own = buildClientSchema(JSON.parse(told));
    const fieldsOf = (name: string) => {
      const type = own.getType(name);
      return isObjectType(type) || isInputObjectType(type) ? Object.keys(type.getFields()) : [];
    };
    const written = ['message', 'author', 'rating'];

    expect(fieldsOf('Query')).toEqual(['publicGuestbook']);
    expect(fieldsOf('Mutation')).toEqual(['create', 'update', 'delete'].map((verb) => `${verb}PublicGuestbookRow`));
    expect(fieldsOf('PublicGuestbook')).toEqual(['id', 'list', 'get', 'search']);
    const row = ['id', 'upstreamId', ...written, 'owner', 'createdAt', 'updatedAt', 'extra'];
    expect(fieldsOf('PublicGuestbookRow')).toEqual(row);
    expect(fieldsOf('CreatePublicGuestbookRowInput')).toEqual(written);
    expect(fieldsOf('UpdatePublicGuestbookRowInput')).toEqual(written);
    expect(told).not.toMatch(/tracker|people|product|\bip\b|cookie_key|Anonymous"/i);
  });

  test('lets no credential reach an upstream, a log or an answer', async () => {
    const { execute, sandbox, logs } = await start({ LOG_LEVEL: 'debug', TRACE: 'true' });

    const headers = { ...CANARIES, 'x-trivium-trace': '1' };
    const answers = [
      await execute(LISTED, { token: null, headers }),
      await execute(CREATED, { token: null, headers }),
      await execute('{ nothing }', { token: null, headers }),
    ];

    expect(answers[1]?.data).toEqual({ createPublicGuestbookRow: { __typename: 'PublicGuestbookRow' } });
    expect(sandbox.requests).toHaveLength(2);
    for (const { headers: sent } of sandbox.requests) expect(sent).not.toHaveProperty('authorization');
    expect(JSON.stringify([answers, sandbox.requests, logs])).not.toMatch(CANARY);
  });

  test('reads no credential: it neither counts callers by theirs, nor knows them as secrets', async () => {
    const message = 'canary-token-1, canary-token-2 and canary-password are odd.';
    const refusal = { status: 422, body: { message } };
    const limits = { RATE_LIMIT: 2, RATE_LIMIT_ADDRESS: 100 };
    const settings = { ...limits, ...(await publicSettings({ list: true })) };
    const { execute } = await gatewayOverReplies([refusal, refusal, refusal], settings);

    for (let count = 0; count < 3; count += 1) {
      const list = '{ publicBook { list { nodes { id } } } }';
      const { status, errors } = await execute(list, { token: null, headers: CANARIES });
      expect({ status, errors }).toMatchObject({ status: 200, errors: [{ message }] });
    }
  });

  test('needs the address of the flex API alone, and calls no other', async () => {
    const flex = await stubUpstream((_request, response) => response.end('[]'));
    const other = await stubUpstream((_request, response) => response.end('[]'));
    const url = new URL(other.url);
    const settings = {
      FLEX_URL: new URL(flex.url),
      CRM_URL: url,
      FORUM_URL: url,
      ...(await publicSettings({ list: true })),
    };
    const { execute } = await gatewayOver(other.url, settings);
    const alone = await gatewayOver(other.url, { ...settings, ACCOUNT_URL: undefined, CRM_URL: undefined });

    for (const run of [execute, alone.execute]) {
      const { data } = await run('{ publicBook { list { nodes { id } } } }', { token: null });
      expect(data).toEqual({ publicBook: { list: { nodes: [] } } });
    }
    expect(flex.received).toHaveLength(2);
    expect(other.received).toEqual([]);
    const ready = await (await fetch(`${alone.url}/ready`)).json();
    expect(ready).toEqual({ status: 'ok', upstreams: { flex: expect.any(Object) } });
    const called = new Upstreams(testConfig({ ...settings, ACCOUNT_URL: url }));
    expect(called.figures().map(({ api }) => api)).toEqual(['flex']);
    await called.close();
  });

  test('has errors that name no other API, whatever goes wrong', async () => {
    const replies = [401, 403, 404, 409, 429, 302, 500, 503].map((status) => ({ status }));
    const { execute } = await gatewayOverReplies(replies, await publicSettings({ list: true, get: true }));
    const away = await gatewayOver('http://127.0.0.1:9', await publicSettings({ list: true }));

    const seen: unknown[] = [];
    for (const run of [...replies.map(() => execute), away.execute]) {
      const { errors } = await run('{ publicBook { list { nodes { id } } } }', { token: 'canary' });
      expect(errors).toHaveLength(1);
      seen.push(errors);
    }
    seen.push((await execute('{ publicBook { get(id: "Client:1") { id } } }', { token: null })).errors[0]?.message);

    expect(JSON.stringify(seen)).toContain('The flex API');
    expect(JSON.stringify(seen)).not.toMatch(/canary|account|crm|forum|token|header|Bearer/i);
  });

  test('passes on the cookies of FLEX_COOKIES, and no other', async () => {
    const { execute, sandbox } = await start();
    await execute(LISTED, { token: null, headers: { cookie: `flex_key=${KEY}; session=canary` } });
    expect(sandbox.requests[0]?.headers).toMatchObject({ cookie: `flex_key=${KEY}`, 'x-forwarded-for': '127.0.0.1' });
  });

  test('does not ask browsers for credentials', async () => {
    const { url } = await start({ CORS_ORIGINS: ['https://page.example'] });
    const headers = {
      origin: 'https://page.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    const answer = await fetch(`${url}/graphql`, { method: 'OPTIONS', headers });
    const allowed = answer.headers.get('access-control-allow-headers');
    expect(allowed).toContain('Content-Type');
    expect(allowed).not.toMatch(/Authorization|Token/);
  });
});

const page = async (url: string) => (await fetch(url, { headers: { accept: 'text/html' } })).text();

test('its pages show the anonymous schema, and nothing of the other APIs', async () => {
  const { url } = await start();
  const [home, graphiql, sdl] = await Promise.all(['/', '/graphql', '/schema.graphql'].map((path) => page(url + path)));

  const types = introspectionFromSchema(buildSchema(sdl ?? '')).__schema.types.map(({ name }) => name);
  expect(types).toContain('PublicGuestbookRow');
  expect(types).not.toContain('Client');
  expect(home).toContain('public methods');
  // A nonce is random: it may spell any name.
  for (const text of [home, graphiql, sdl].map((text = '') => text.replaceAll(/nonce="[^"]*"/g, '')))
    expect(text).not.toMatch(/crm|forum|demo-admin|bearer|apiTokens|authorization:/i);
});

/** The options of GraphiQL for a snapshot that is served to anonymous callers. */
async function graphiqlOf(FLEX_SCHEMA: string) {
  const { model } = await servedSchema({ FLEX_SCHEMA, PUBLIC: 'true' });
  const options = publicTabs(model);
  return { options, query: options.defaultTabs?.[0]?.query ?? '' };
}

describe('GraphiQL for anonymous callers', () => {
  test('has a tab that lists records without a place for credentials, and its query runs', async () => {
    const { ask } = await start();
    const { options, query } = await graphiqlOf(snapshot());

    expect(options).toMatchObject({ isHeadersEditorEnabled: false, shouldPersistHeaders: false });
    expect(options).not.toHaveProperty('headers');
    expect(options.defaultTabs).toEqual([{ query }]);
    expect(query).toContain('# Rows of this browser alone');
    const data = await ask(query, { token: null, headers: { cookie: `flex_key=${'1'.repeat(32)}` } });
    expect(Object(data).publicGuestbook.list.nodes.length).toBeGreaterThan(0);
  });

  test.each([
    [
      'the rows that everyone sees, where there are any',
      [{ list: { scope_by: 'owner' } }, { list: true }],
      'b { list(',
    ],
    [
      'a search, where no list is for everyone',
      [{ list: { scope_by: 'owner' }, search: true }],
      'a { search(first: 5)',
    ],
    ['a search that takes no number', [{ search: { allowed_params: ['q'] } }], 'a { search { nodes'],
    ['nothing, where no method lists rows', [{ create: true }], '{ __typename }'],
  ])('shows %s', async (_name, methods, expected) => {
    const databases = methods.map((public_methods, index) => {
      const code = index === 0 ? 'a' : 'b';
      return { id: code, code, schema: { fields: { owner: 'string' } }, public_methods };
    });
    const FLEX_SCHEMA = await snapshotFile(...databases);
    const { query } = await graphiqlOf(FLEX_SCHEMA);
    const { schema: anonymous } = await servedSchema({ FLEX_SCHEMA, PUBLIC: 'true' });
    expect(validate(anonymous, parse(query))).toEqual([]);
    expect(print(parse(query)).replaceAll(/\s+/g, ' ').toLowerCase()).toContain(expected);
  });
});
