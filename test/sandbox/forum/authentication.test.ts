import { describe, expect, test } from 'vitest';
import { forum } from '../../endpoints/forum.ts';
import { callAt } from '../../support/sandbox.ts';
import { requestsTo } from '../endpoints.ts';
import { basic, forumSandbox, requestsOf } from './support.ts';

const malformed = [
  '',
  'Basic',
  'Basic ',
  'Basic !!!!',
  `Basic ${btoa('ada')}`,
  `Bearer ${btoa('ada:lovelace')}`,
  btoa('ada:lovelace'),
  `Basic ${btoa('ada:lovelace')} x`,
  `Basic ${Buffer.from([0x61, 0x64, 0x61, 0x3a, 0xff]).toString('base64')}`,
];
const wrong = [basic('ada', 'Lovelace'), basic('ada', ''), basic('ada', 'lovelace '), basic('', ''), basic('x', 'y')];

describe.each(requestsTo(forum, 'Main'))('%s %s', (method, path) => {
  test('takes the login and the password of a user, by HTTP basic authentication', async () => {
    const { call, suggest } = await forumSandbox();
    await suggest('T');
    const { status } = await call(method, path);
    expect(status).toBe(method === 'POST' ? 400 : 200); // a body is missing
  });

  test('refuses a credential that is malformed or wrong with 401 in plain text, and names the scheme', async () => {
    const { call } = await forumSandbox();
    for (const authorization of [...malformed, ...wrong]) {
      const { status, type, text, headers } = await call(method, path, { authorization });
      expect({ status, type, text }, authorization).toEqual({
        status: 401,
        type: 'text/plain; charset=utf-8',
        text: 'HTTP Basic: Access denied.',
      });
      expect(headers['www-authenticate']).toBe('Basic realm="forum"');
    }
  });

  test('refuses a token of the other APIs', async () => {
    const { sandbox, base, account } = await forumSandbox();
    sandbox.store.createUser({ account, token: 'raw-token' });
    const { call } = requestsOf(base);
    expect((await call(method, `${path}?api_token=raw-token`)).status).toBe(401);
    expect((await call(method, path, { authorization: 'Bearer raw-token' })).status).toBe(401);
  });

  test('says 401 before it reads the body', async () => {
    const { base } = await forumSandbox();
    const { call } = requestsOf(base);
    for (const body of ['<', 'x'.repeat(1024 * 1024 + 1)])
      expect((await call(method, path, { body })).status).toBe(401);
    expect((await call(method, path, { body: '{}', type: 'application/json' })).status).toBe(401);
  });
});

test('a password may have colons, characters that are not ASCII, and spaces around it', async () => {
  const { sandbox, base, account } = await forumSandbox();
  for (const [login, password] of Object.entries({ bo: 'a:b:c', cy: 'zażółć 🪑', di: ' p ' })) {
    sandbox.store.createUser({ account, login, password });
    const { get } = requestsOf(base, basic(login, password));
    expect((await get('/app/users/me.xml')).status).toBe(200);
    expect((await get('/app/users/me.xml')).status).toBe(200);
    expect((await requestsOf(base, basic(login, 'other')).get('/app/users/me.xml')).status).toBe(401);
  }
});

test('the login and the scheme are compared without case', async () => {
  const { base } = await forumSandbox();
  const header = basic(' ADA', 'lovelace').replace('Basic', 'basic');
  expect((await requestsOf(base, header).get('/app/users/me.xml')).status).toBe(200);
});

test('a user without a login, or without a password, cannot authenticate', async () => {
  const { sandbox, base, account } = await forumSandbox();
  sandbox.store.createUser({ account });
  sandbox.store.createUser({ account, login: 'bo' });
  for (const header of [basic('', ''), basic('null', 'null'), basic('bo', ''), basic('bo', 'null')]) {
    expect((await requestsOf(base, header).get('/app/users/me.xml')).status).toBe(401);
  }
});

test('a password that was verified for one login is not accepted for another', async () => {
  const { sandbox, base, account, get } = await forumSandbox();
  sandbox.store.createUser({ account, login: 'bo', password: 'other' });
  expect((await get('/app/users/me.xml')).status).toBe(200);
  expect((await requestsOf(base, basic('bo', 'lovelace')).get('/app/users/me.xml')).status).toBe(401);
});

test('the first user of an account created by the CRM can authenticate', async () => {
  const { sandbox, base } = await forumSandbox();
  const { token } = sandbox.store.createUser({ account: sandbox.store.createAccount().id });
  const user = { login: 'nora', email: 'nora@example.com', password: 'a-long-password' };
  const body = { api_token: token, account: { prefix: 'harbour' }, user };
  await callAt(sandbox.urls.crm)('POST', '/app/account.json', { body });
  const { text } = await requestsOf(base, basic('nora', 'a-long-password')).get('/app/users/team.xml');
  expect(text.match(/<login>.*<\/login>/g)).toEqual(['<login>nora</login>']);
});

describe('the record of calls', () => {
  test('holds no password', async () => {
    const { sandbox, call, post, get } = await forumSandbox();
    const password = '<password>a-password</password>';
    await post('/app/users.xml', `<user><login>bo</login>${password}</user>`);
    await post('/app/users.xml', '<user><Password>a-password</Password></user>');
    await post('/app/users.xml', password);
    await post('/app/users.xml', '<user><password><x>a-password</x></password></user>');
    await post('/app/users.xml', `<user>${password}${password}</user>`);
    await post('/app/users.xml', `<user>${password}`);
    await get('/app/users/me.xml?password=a-password&user[password]=a-password');
    await call('GET', '/app/users/me.xml', { authorization: btoa('ada:lovelace') });
    const written = JSON.stringify(sandbox.requests);
    expect(written).not.toContain('a-password');
    expect(written).not.toContain('lovelace');
    expect(written).not.toContain(btoa('ada:lovelace'));
    expect(sandbox.requests[0]).toMatchObject({
      route: '/app/users.xml',
      headers: { authorization: 'Basic …' },
      body: { user: { login: 'bo', password: '…' } },
    });
    expect(sandbox.requests.at(-1)?.headers['authorization']).toBe('…');
  });

  test('names the routes as the document does', async () => {
    const { sandbox, get, category, suggest, del } = await forumSandbox();
    category('Main');
    const id = await suggest('T');
    for (const path of ['/', '/Main', '/app/categories.xml', `/app/posts/${id}.xml`]) await get(path);
    await del(`/app/posts/${id}.xml`);
    expect(sandbox.calls()).toEqual([
      'POST /app/posts.xml',
      'GET /',
      'GET /:category_name',
      'GET /app/categories.xml',
      'GET /app/posts/:post_id.xml',
      'DELETE /app/posts/:post_id.xml',
    ]);
    expect(sandbox.requests[0]?.body).toEqual({ post: { title: 'T' } });
  });
});
