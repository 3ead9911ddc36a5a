import { expect, test } from 'vitest';
import { z } from 'zod';
import { doctor } from '../../src/cli/doctor.ts';
import type { Config } from '../../src/config.ts';
import { snapshotText } from '../../src/typed-flex/snapshot/snapshot.ts';
import { gatewayOver, settingsFor, testConfig } from '../support/gateway.ts';
import { callAt, freshSandbox } from '../support/sandbox.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';
import { snapshotAt, snapshotFile, textFile } from './snapshot-files.ts';
import { snapshotOf } from './snapshots.ts';

// Types never change while a gateway serves them. Databases that operations read anyway are compared with the snapshot.

const shop = { name: 'Shop', code: 'shop', schema: { fields: { title: 'string', price: 'number' } } };
const club = { name: 'Club', code: 'club', schema: { tables: { members: { fields: { name: 'string' } } } } };
const DATABASES = '{ flexDbs { code schema } }';

/** A gateway with the types of two databases, and what it tells of them. */
async function served(settings: Partial<Config> = {}) {
  const { sandbox } = await freshSandbox({ origins: 'own' });
  const { id: account } = sandbox.store.createAccount({ modules: ['organize'] });
  const { token } = sandbox.store.createUser({ account, permissions: ['account_settings'] });
  const ids = [shop, club].map((database) => sandbox.store.createFlexDatabase(account, database).id);
  const FLEX_SCHEMA = await textFile(snapshotText(await snapshotAt(sandbox.urls.flex, token)));
  const config = { ...settingsFor(sandbox), FLEX_SCHEMA, ...settings };
  const gateway = await gatewayOver(sandbox.urls.account, config, token);
  const call = callAt(sandbox.urls.flex);
  const change = async (code: string, db: object) => call('PATCH', `/flex/dbs/${code}.json`, { token, body: { db } });
  sandbox.forgetCalls();
  return { ...gateway, ...tellsOf(gateway), ids, config, token, sandbox, call, change };
}

const line = z.object({ level: z.number(), msg: z.string(), databases: z.array(z.string()) });

function tellsOf({ url, logs }: { readonly url: string; readonly logs: readonly string[] }) {
  return {
    /** The lines of the log about definitions. */
    told: () =>
      logs.flatMap((text) => {
        const { data } = line.safeParse(JSON.parse(text));
        return data ? [{ about: data.msg, databases: data.databases }] : [];
      }),
    ready: async () => {
      const response = await fetch(`${url}/ready`);
      return { status: response.status, ...(await response.json()).flexSchema };
    },
  };
}

const CHANGED = { about: expect.stringMatching(/^a database has another definition than in FLEX_SCHEMA/) };
const MISSING = { about: expect.stringMatching(/^a caller does not have a database of FLEX_SCHEMA/) };
const none = { status: 200, databases: 2, changed: [], missing: [] };

test('what is not read is not compared, and what is the same is not told', async () => {
  const { execute, ready, told, sandbox } = await served();
  expect(await ready()).toEqual({ ...none, compared: 0 });
  await execute(DATABASES);
  expect(await ready()).toEqual({ ...none, compared: 2 });
  expect(told()).toEqual([]);
  expect(sandbox.calls()).toEqual(['GET /flex/dbs.json']);
});

test.each([
  ['a list', DATABASES],
  ['a database by its code', '{ flexDb(id: "shop") { name } }'],
  ['several databases', '{ a: flexDb(id: "shop") { name } b: flexDb(id: "club") { name } }'],
])('another definition is told once, when %s is read anyway: its types stay', async (_name, query) => {
  const { execute, change, ready, told, sandbox } = await served();
  await change('shop', { schema: { fields: { title: 'string', price: 'text', canary: 'string' } } });
  sandbox.forgetCalls();
  await execute(query);
  const calls = sandbox.calls().length;
  await execute(query);
  expect(sandbox.calls()).toHaveLength(calls * 2);
  expect(sandbox.calls().filter((call) => !call.startsWith('GET /flex/dbs'))).toEqual([]);

  expect(told()).toEqual([{ ...CHANGED, databases: ['shop'] }]);
  expect(await ready()).toMatchObject({ status: 200, changed: ['shop'], missing: [] });
  const { data } = await execute('{ __type(name: "ShopRow") { fields { name } } }');
  expect(JSON.stringify(data)).toContain('price');
  expect(JSON.stringify(data)).not.toContain('canary');
});

test('public methods are part of a definition, the name of a database is none', async () => {
  const { execute, change, ready } = await served();
  await change('shop', { name: 'Bazaar' });
  await execute(DATABASES);
  expect(await ready()).toMatchObject({ changed: [] });
  await change('shop', { public_methods: { list: true } });
  await execute(DATABASES);
  expect(await ready()).toMatchObject({ changed: ['shop'] });
});

test('a definition that is as before again is no difference any more, and is not told again', async () => {
  const { execute, change, ready, told } = await served();
  const changes = [{ fields: { other: 'string' } }, shop.schema, { fields: {} }];
  const seen = [];
  for (const schema of changes) {
    await change('shop', { schema });
    await execute(DATABASES);
    seen.push((await ready()).changed);
  }
  expect(seen).toEqual([['shop'], [], ['shop']]);
  expect(told()).toEqual([{ ...CHANGED, databases: ['shop'] }]);
});

test.each([
  ['a list lacks it', DATABASES],
  ['it is not found', '{ flexDb(id: "club") { name } }'],
  ['its typed rows are not found', '{ club { members(first: 1) { nodes { name } } } }'],
])('a database that is gone is told once: %s', async (_name, query) => {
  const { execute, call, token, ready, told } = await served();
  await call('DELETE', '/flex/dbs/club.json', { token });
  await execute(query);
  await execute(query);
  expect(await ready()).toMatchObject({ status: 200, changed: [], missing: ['club'] });
  expect(told()).toEqual([{ ...MISSING, databases: ['club'] }]);
});

test('another database under the same code is not that of the snapshot', async () => {
  const { execute, call, token, ready } = await served();
  await call('DELETE', '/flex/dbs/club.json', { token });
  await call('POST', '/flex/dbs.json', { token, body: { db: club } });
  await execute('{ flexDb(id: "club") { name } }');
  expect(await ready()).toMatchObject({ changed: [], missing: ['club'] });
});

test('a caller of another account has none of them, which no log tells more of than their names', async () => {
  const { execute, sandbox, ready, told, logs } = await served();
  const { id: account } = sandbox.store.createAccount({ modules: [] });
  const { token } = sandbox.store.createUser({ account, permissions: ['account_settings'] });
  sandbox.store.createFlexDatabase(account, { name: 'canary-name', code: 'canary-code', schema: shop.schema });
  await execute(DATABASES, { token });
  expect(told()).toEqual([{ ...MISSING, databases: ['shop', 'club'] }]);
  expect(logs.join('\n')).not.toMatch(/canary|Shop/);
  expect(await ready()).toMatchObject({ missing: ['shop', 'club'] });

  await execute(DATABASES); // of the account itself
  expect(await ready()).toEqual({ ...none, compared: 2 });
});

test('a database without a schema tells nothing, and keys that are not sent are as they were', async () => {
  const stored = snapshotOf([{ id: '7', code: 'shop', schema: shop.schema, public_methods: { list: true } }]);
  const FLEX_SCHEMA = await textFile(snapshotText(stored));
  const answers = [[{ id: 7, code: 'shop' }], [{ id: 7, schema: shop.schema }], [{ id: 7, schema: club.schema }]];
  const upstream = await stubUpstream((request, response) => says(JSON.stringify(answers.shift()))(request, response));
  const gateway = await gatewayOver(upstream.url, { FLEX_SCHEMA }, 'token');
  const { ready } = tellsOf(gateway);
  const seen = [];
  for (const _answer of [...answers]) {
    await gateway.execute('{ flexDbs { id } }');
    seen.push(await ready());
  }
  expect(seen).toMatchObject([
    { compared: 0, changed: [], missing: [] },
    { compared: 1, changed: [], missing: [] },
    { compared: 1, changed: ['shop'], missing: [] },
  ]);
});

test('without FLEX_SCHEMA nothing is compared', async () => {
  const { execute, url } = await served({ FLEX_SCHEMA: '' });
  await execute(DATABASES);
  expect(await (await fetch(`${url}/ready`)).json()).not.toHaveProperty('flexSchema');
});

test('doctor compares with API_TOKEN, by the list that it reads anyway', async () => {
  const { config, token, change, call, sandbox } = await served();
  const found = async () => {
    const { FLEX_URL, FLEX_SCHEMA } = config;
    sandbox.forgetCalls();
    return doctor({ ...testConfig({ FLEX_SCHEMA, API_TOKEN: token }), FLEX_URL });
  };
  const flex = { api: 'flex', ok: true, text: expect.any(String) };
  const finding = (ok: boolean, text: string) => ({ api: 'FLEX_SCHEMA', ok, text });

  expect(await found()).toEqual([flex, finding(true, 'describes databases as they are: 2.')]);
  expect(sandbox.calls()).toEqual(['GET /flex/dbs.json']);
  await change('shop', { schema: club.schema });
  await call('DELETE', '/flex/dbs/club.json', { token });
  const problems = 'another definition than in the snapshot: shop; not in the account of API_TOKEN: club.';
  expect(await found()).toEqual([flex, finding(false, `${problems} \`trivium flex diff\` says what that changes.`)]);
});

test('doctor reads databases one by one where the list does not describe them', async () => {
  const FLEX_SCHEMA = await snapshotFile({ id: '7', ...shop });
  const upstream = await stubUpstream(({ url = '' }, response) => {
    const rows = url.startsWith('/flex/dbs.json') ? [{ id: 7, code: 'shop' }] : { id: 7, ...shop, schema: club.schema };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(rows));
  });
  const config = testConfig({ FLEX_URL: new URL(upstream.url), FLEX_SCHEMA, API_TOKEN: 'token' });
  expect(await doctor(config)).toMatchObject([
    { api: 'flex', ok: true },
    { api: 'FLEX_SCHEMA', ok: false, text: expect.stringContaining('another definition than in the snapshot: shop') },
  ]);
  expect(upstream.received).toEqual(['GET /flex/dbs.json', 'GET /flex/dbs/7.json']);
});

test('doctor tells a code of any characters on its line', async () => {
  const FLEX_SCHEMA = await textFile(snapshotText(snapshotOf([{ id: '7', ...shop, code: 'a\n\x1b[2J' }])));
  const upstream = await stubUpstream(says('[]'));
  const [, finding] = await doctor(testConfig({ FLEX_URL: new URL(upstream.url), FLEX_SCHEMA, API_TOKEN: 'token' }));
  expect(finding?.text).toContain('not in the account of API_TOKEN: ["a\\n\\u001b[2J"].');
});

test('doctor tries the flex API alone where PUBLIC serves it alone', async () => {
  const { config, token } = await served();
  const findings = await doctor({ ...testConfig(config), PUBLIC: 'true', API_TOKEN: token });
  expect(findings).toMatchObject([
    { api: 'flex', ok: true },
    { api: 'FLEX_SCHEMA', ok: true },
  ]);
});
