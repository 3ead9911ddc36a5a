import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { temporaryFolder } from '../../cli/trivium.ts';
import { callAt } from '../../support/sandbox.ts';
import { crmSandbox, refusal } from './support.ts';

const path = '/app/account.json';
const account = { prefix: 'harbour', initial_module: null, from_partner: null };
const user = { login: 'nora', email: 'nora@example.com', password: 'a-long-password' };
const opened = z.object({ prefix: z.string(), api_token: z.string(), url: z.string(), login: z.string() });

test('POST answers 201 with prefix, api_token, url, login and email, and never the password', async () => {
  const { post } = await crmSandbox();
  expect(await post(path, { account, user })).toMatchObject({ status: 201 });
  const { body } = await post(path, { account: { prefix: 'other' }, user: { ...user, login: 'other' } });
  expect(body).toEqual({
    prefix: 'other',
    api_token: expect.stringMatching(/^\w{32,}$/),
    url: 'https://other.crm.example',
    login: 'other',
    email: 'nora@example.com',
  });
});

test('prefix and login are normalised', async () => {
  const { post } = await crmSandbox();
  const sent = { account: { prefix: '  Harbour & Söns-2 ' }, user: { ...user, login: ' Nora ' } };
  expect((await post(path, sent)).body).toMatchObject({ prefix: 'harboursns-2', login: 'nora' });
});

test('the token authorizes every API, for a user with all permissions, in an account that is separate from all others', async () => {
  const { sandbox, call, post, makeClient, clients } = await crmSandbox();
  await makeClient();
  const { api_token: token } = opened.parse((await post(path, { account, user })).body);
  expect((await call('GET', `/app/clients.json?api_token=${token}`)).body).toEqual([]);
  const settings = '/account/api_tokens.json?for_account=yes';
  expect(await callAt(sandbox.urls.account)('GET', settings, { token })).toMatchObject({ status: 200, body: [] });
  expect(await callAt(sandbox.urls.flex)('GET', '/flex/dbs.json', { token })).toMatchObject({ status: 200, body: [] });
  const body = { dashboard: { name: 'N', shared: true } };
  const board = await callAt(sandbox.urls.account)('POST', '/toolkit/dashboards.json', { token, body });
  expect(board.status).toBe(201);

  const made = await call('POST', '/app/posts.json', { body: { api_token: token, post: { title: 'T' } } });
  expect(made.body).toMatchObject({ nick: 'nora' });
  expect(await clients()).toHaveLength(1);
});

test.each([
  ['crm', { crm: true, organize: false }],
  ['organize', { crm: false, organize: true }],
  ['anything', { crm: false, organize: false }],
  ['', { crm: false, organize: false }],
  [null, { crm: false, organize: false }],
])('after an initial_module of %j these modules are enabled: %j', async (initial_module, enabled) => {
  const { sandbox, post } = await crmSandbox();
  const { body } = await post(path, { account: { ...account, initial_module, from_partner: 'friend' }, user });
  const { api_token: token } = opened.parse(body);
  const call = callAt(sandbox.urls.account);
  const tile = async (key: string) =>
    (await call('GET', `/toolkit/dashboards/widget.json?key=${key}`, { token })).status === 200;
  expect({ crm: await tile('crm_clients'), organize: await tile('organize_projects') }).toEqual(enabled);
});

describe('is refused with 422 by field', () => {
  test.each<[object: 'account' | 'user', fields: string, values: unknown[]]>([
    ['account', 'prefix', [undefined, null, '', ' ', '-a', '1a', '!!', 7, [], 'a\0', 'a'.repeat(64)]],
    ['account', 'initial_module from_partner', [7, []]],
    ['user', 'login', [undefined, null, '', ' ', 7, [], 'a\0']],
    ['user', 'email', [undefined, null, '', 'nora', 7]],
    ['user', 'password', [undefined, null, '', '1234567', 12345678, ['12345678']]],
  ])('an %s with a wrong %s', async (object, fields, values) => {
    const { post } = await crmSandbox();
    const given = { account, user };
    for (const field of fields.split(' ')) {
      for (const value of values) {
        const { status, body } = await post(path, { ...given, [object]: { ...given[object], [field]: value } });
        expect({ status, body }, String(value)).toMatchObject(refusal(field));
        expect(JSON.stringify(body)).not.toContain('a-long-password');
      }
    }
  });

  test('with the messages of both objects at once', async () => {
    const { post } = await crmSandbox();
    const sent = { account: { prefix: '' }, user: { login: '', email: '', password: '' } };
    expect(await post(path, sent)).toMatchObject(refusal('prefix', 'login', 'email', 'password'));
  });

  test('for a taken prefix and a taken login, compared after they were normalised', async () => {
    const { post } = await crmSandbox();
    await post(path, { account, user });
    const again = { account: { prefix: 'HARBOUR' }, user: { ...user, login: ' NORA' } };
    expect(await post(path, again)).toMatchObject(refusal('prefix', 'login'));
    expect((await post(path, { account: { prefix: 'new' }, user: { ...user, login: 'new' } })).status).toBe(201);
  });
});

test('neither the password nor the token is in the data file', async () => {
  const folder = await temporaryFolder();
  const { post } = await crmSandbox({ data: join(folder, 'data.db') });
  const { api_token } = opened.parse((await post(path, { account, user })).body);
  const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'latin1')));
  const written = files.join('');
  expect(written).toContain('nora@example.com');
  expect(written).not.toContain(user.password);
  expect(written).not.toContain(api_token);
});

test('a refused request creates neither an account nor a user; a password of 8 characters is enough', async () => {
  const { post } = await crmSandbox();
  expect((await post(path, { account, user: { ...user, email: 'x' } })).status).toBe(422);
  expect((await post(path, { account })).status).toBe(400);
  expect((await post(path, { account, user: { ...user, password: '12345678' } })).status).toBe(201);
});
