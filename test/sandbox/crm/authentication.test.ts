import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { crm } from '../../endpoints/crm.ts';
import { requestsTo } from '../endpoints.ts';
import { callAt } from '../../support/sandbox.ts';
import { clock } from '../clock.ts';
import { crmSandbox } from './support.ts';

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

test('a token of any characters is read as it was made', async () => {
  const { sandbox, call, account } = await crmSandbox();
  for (const token of ['secret/prefix', 'a+b&c=d%2F', 'ü?#;é', 'a b']) {
    sandbox.store.createUser({ account, token });
    const query = new URLSearchParams({ api_token: token });
    expect((await call('GET', `/app/clients.json?${query}`)).status, token).toBe(200);
    const body = { api_token: token, client: { name: 'N' } };
    expect((await call('POST', '/app/clients.json', { body })).status, token).toBe(201);
  }
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

/** The resources, each with the key of its body and the methods that it has beside GET. */
const resources = [
  ['clients', 'client', ['PUT', 'DELETE']],
  ['posts', 'post', []],
  ['deals', 'deal', ['PUT', 'DELETE']],
  ['contacts', 'contact', ['PUT']],
  ['contact_lists', 'contact_list', ['PUT']],
] as const;

/** A sandbox with one record of each resource. */
async function withRecords() {
  const context = await crmSandbox();
  const { makeClient, makePost, makeDeal, makeContact, makeList } = context;
  await Promise.all([makeClient(), makePost(), makeDeal(), makeContact(), makeList()]);
  return context;
}

/** The statuses of a read of this id, and of each other request to it, without those that are 404. */
async function notMissing(
  { get, put, del }: Pick<Awaited<ReturnType<typeof crmSandbox>>, 'get' | 'put' | 'del'>,
  id: string,
) {
  const statuses: string[] = [];
  for (const [resource, key, others] of resources) {
    const path = `/app/${resource}/${id}.json`;
    const requests = { GET: () => get(path), PUT: () => put(path, { [key]: { name: 'N' } }), DELETE: () => del(path) };
    for (const method of ['GET', ...others] as const) {
      const { status } = await requests[method]();
      if (status !== 404) statuses.push(`${method} ${path}: ${status}`);
    }
  }
  return statuses;
}

test('records of another account are 404, and in no list', async () => {
  const { client, stranger } = await withRecords();
  const other = stranger();
  expect(await notMissing(other, '1')).toEqual([]);
  for (const list of ['/app/clients.json', '/app.json', '/app/deals.json']) {
    expect((await other.get(list)).body).toEqual([]);
  }
  expect(await client(1)).toMatchObject({ name: 'Shop' });
});

test('a colleague sees and changes the same records', async () => {
  const { colleague } = await withRecords();
  const answered = await notMissing(colleague(), '1');
  expect(answered).toHaveLength(11);
  for (const answer of answered) expect(answer).toMatch(/: 200$/);
});

test.each(['0', '-1', '1.5', 'x', '01', '1e0', '99999999999999999999', '%00', ''])(
  'the id "%s" names nothing: 404',
  async (id) => {
    expect(await notMissing(await withRecords(), id)).toEqual([]);
  },
);

test('a body without the object of its resource is 400', async () => {
  const { call, token } = await withRecords();
  const writes = [['account', 'account', []] as const, ...resources].flatMap(([resource, key, others]) => [
    ['POST', `/app/${resource}.json`, key] as const,
    ...others.filter((method) => method === 'PUT').map((method) => [method, `/app/${resource}/1.json`, key] as const),
  ]);
  expect(writes).toHaveLength(10);
  for (const [method, path, key] of writes) {
    for (const value of [undefined, null, 'x', 7, []]) {
      const body = { api_token: token, [key]: value, user: {} };
      const refused = { status: 400, body: { error: expect.any(String) } };
      expect(await call(method, path, { body }), `${method} ${path}`).toMatchObject(refused);
    }
    expect((await call(method, path, { body: [] })).status).toBe(400);
  }
});
