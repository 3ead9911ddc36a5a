import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { crm } from '../../endpoints/crm.ts';
import { requestsTo } from '../endpoints.ts';
import { callAt } from '../../support/sandbox.ts';
import { clock, crmSandbox } from './support.ts';

const methods = z.enum(['GET', 'POST', 'PUT', 'DELETE']);
const refused = { status: 401, body: { error: 'login_required' } };

describe.each(requestsTo(crm))('%s %s', (method, path) => {
  const reads = method === 'GET' || method === 'DELETE';

  /** The status of a request with this body, which GET may have, too. */
  async function statusWith(url: string, body: object): Promise<number> {
    const { statusCode, body: answer } = await request(url, {
      method: methods.parse(method),
      body: JSON.stringify(body),
    });
    await answer.dump();
    return statusCode;
  }

  test('without a working token is refused with 401', async () => {
    const { sandbox, call } = await crmSandbox();
    expect(await call(method, path)).toMatchObject(refused);
    for (const token of ['unknown', '', 'a b', '\0', 'ż']) {
      expect(await call(method, `${path}?api_token=${encodeURIComponent(token)}`)).toMatchObject(refused);
      expect(await statusWith(sandbox.urls.crm + path, { api_token: token })).toBe(401);
    }
    for (const api_token of [undefined, null, 7, true, [], {}, ['a'], 'half \ud800']) {
      expect(await statusWith(sandbox.urls.crm + path, { api_token })).toBe(401);
    }
  });

  test(`takes the token from the ${reads ? 'query' : 'body'} alone`, async () => {
    const { sandbox, call, token } = await crmSandbox();
    const url = sandbox.urls.crm + path;
    const inQuery = await statusWith(`${url}?api_token=${token}`, {});
    const inBody = await statusWith(url, { api_token: token });
    expect(await call(method, path, { token })).toMatchObject(refused); // the Authorization header
    expect(reads ? inBody : inQuery).toBe(401);
    expect(reads ? inQuery : inBody).toBeOneOf([200, 400, 404]);
  });
});

test.each(['secret/prefix', 'a+b&c=d%2F', 'ü?#;é', 'a b'])('the token %s is read as it was made', async (token) => {
  const { sandbox, call, account } = await crmSandbox();
  sandbox.store.createUser({ account, token });
  const query = new URLSearchParams({ api_token: token });
  expect((await call('GET', `/app/clients.json?${query}`)).status).toBe(200);
  const body = { api_token: token, client: { name: 'N' } };
  expect((await call('POST', '/app/clients.json', { body })).status).toBe(201);
});

test('an inactive and an expired token are refused, those of the account API work', async () => {
  const { now, set } = clock('2026-03-01T10:00:00Z');
  const { sandbox, call, token } = await crmSandbox({ now });
  const account = callAt(sandbox.urls.account);
  const made = async (api_token: object) => {
    const { body } = await account('POST', '/account/api_tokens.json', { token, body: { api_token } });
    return z.object({ token: z.string() }).parse(body).token;
  };
  const status = async (token: string) => (await call('GET', `/app.json?api_token=${token}`)).status;
  const [inactive, expiring] = [await made({ active: false }), await made({ expires_at: '2026-03-01' })];
  expect([await status(inactive), await status(expiring)]).toEqual([401, 200]);
  set('2026-03-02T00:00:00Z');
  expect(await status(expiring)).toBe(401);
});

test('the record of calls holds neither tokens nor passwords', async () => {
  const { sandbox, get, post, put, del, token } = await crmSandbox();
  await post('/app/clients.json', { client: { name: 'N' } });
  await put('/app/clients/1.json', { client: { name: '' } });
  await post('/app/account.json', { account: { prefix: 'p' }, user: { login: 'l', password: 'a-password' } });
  await post('/app/clients.json', { api_token: [token] });
  await get('/app/clients.json');
  await del('/app/clients/1.json');
  const written = JSON.stringify(sandbox.requests);
  expect(written).not.toContain(token);
  expect(written).not.toContain('a-password');
  expect(sandbox.requests[0]?.body).toEqual({ api_token: '…', client: { name: 'N' } });
  expect(sandbox.requests.at(-1)?.query).toEqual({ api_token: '…' });
});

test('records of another account are 404, and in no list', async () => {
  const { makeClient, makePost, makeDeal, makeContact, makeList, client, stranger } = await crmSandbox();
  const paths = [
    ['client', `/app/clients/${(await makeClient()).id}.json`],
    ['post', `/app/posts/${(await makePost()).id}.json`],
    ['deal', `/app/deals/${(await makeDeal()).id}.json`],
    ['contact', `/app/contacts/${(await makeContact()).id}.json`],
    ['contact_list', `/app/contact_lists/${(await makeList()).id}.json`],
  ] as const;
  const { get, put, del } = stranger();
  for (const [key, path] of paths) {
    expect((await get(path)).status).toBe(404);
    if (key !== 'post') expect((await put(path, { [key]: { name: 'Mine' } })).status).toBe(404);
    if (key === 'client' || key === 'deal') expect((await del(path)).status).toBe(404);
  }
  for (const list of ['/app/clients.json', '/app.json', '/app/deals.json']) expect((await get(list)).body).toEqual([]);
  expect(await client(1)).toMatchObject({ name: 'Shop' });
});

test('a colleague sees and changes the same records', async () => {
  const { makeClient, colleague, client } = await crmSandbox();
  const { id } = await makeClient();
  const { put } = colleague();
  expect((await put(`/app/clients/${id}.json`, { client: { name: 'Ours' } })).status).toBe(200);
  expect(await client(id)).toMatchObject({ name: 'Ours' });
});

test.each(['0', '-1', '1.5', 'x', '01', '1e0', '99999999999999999999', '%00', ''])(
  'the id "%s" names nothing: 404',
  async (id) => {
    const { get, put, del, makeClient, makePost, makeDeal, makeContact, makeList } = await crmSandbox();
    await Promise.all([makeClient(), makePost(), makeDeal(), makeContact(), makeList()]);
    for (const [kind, key] of [
      ['clients', 'client'],
      ['posts', ''],
      ['deals', 'deal'],
      ['contacts', 'contact'],
      ['contact_lists', 'contact_list'],
    ] as const) {
      const path = `/app/${kind}/${id}.json`;
      expect((await get(path)).status).toBe(404);
      if (key) expect((await put(path, { [key]: { name: 'N' } })).status).toBe(404);
      if (key === 'client' || key === 'deal') expect((await del(path)).status).toBe(404);
    }
  },
);

test.each([
  ['POST', '/app/clients.json', 'client'],
  ['PUT', '/app/clients/1.json', 'client'],
  ['POST', '/app/posts.json', 'post'],
  ['POST', '/app/deals.json', 'deal'],
  ['PUT', '/app/deals/1.json', 'deal'],
  ['POST', '/app/contacts.json', 'contact'],
  ['PUT', '/app/contacts/1.json', 'contact'],
  ['POST', '/app/contact_lists.json', 'contact_list'],
  ['PUT', '/app/contact_lists/1.json', 'contact_list'],
  ['POST', '/app/account.json', 'account'],
])('%s %s without the object %s in its body is 400', async (method, path, key) => {
  const { call, token, makeClient, makeDeal, makeContact, makeList } = await crmSandbox();
  await Promise.all([makeClient(), makeDeal(), makeContact(), makeList()]);
  for (const value of [undefined, null, 'x', 7, []]) {
    const body = { api_token: token, [key]: value, user: {} };
    expect(await call(method, path, { body })).toMatchObject({ status: 400, body: { error: expect.any(String) } });
  }
  expect((await call(method, path, { body: [] })).status).toBe(400);
});
