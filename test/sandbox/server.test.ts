import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { CallLog } from '../../src/sandbox/call-log.ts';
import { startHttpServer } from '../../src/sandbox/http-server.ts';
import { empty, forbidden } from '../../src/sandbox/responses.ts';
import { Router } from '../../src/sandbox/router.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { Store } from '../../src/sandbox/store.ts';
import { callAt, freshSandbox } from '../support/sandbox.ts';
import { accountSandbox } from './account/support.ts';

const list = '/account/api_tokens.json';

/** A sandbox with one user, and requests whose body is sent as it is. */
async function raw() {
  const { sandbox, call } = await freshSandbox();
  const { token } = sandbox.store.createUser({ account: sandbox.store.createAccount().id });
  const post = async (body: string | Uint8Array<ArrayBuffer>) => {
    const response = await fetch(sandbox.urls.account + list, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body,
    });
    return { status: response.status, body: await response.json() };
  };
  return { sandbox, call, token, post };
}

/** A port that is hardly taken: below those that connections get. */
function uncommonPort(): number {
  return 20_001 + Math.trunc(Math.random() * 10_000);
}

describe('routes', () => {
  test('an unknown path is 404; a known one with another method is 405 and names those that are allowed', async () => {
    const { call } = await freshSandbox();
    const [tokens, token] = ['/account/api_tokens', '/account/api_tokens/1'];
    for (const path of ['/', '/account', tokens, token, `${token}/2.json`, '//']) {
      expect((await call('GET', path)).status, path).toBe(404);
    }
    const { status, headers } = await call('PUT', `${token}.json`);
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'GET, PATCH, DELETE' });
  });

  test.each([
    ['/account/api_tokens%2F1.json', 404, null],
    ['/account/api_tokens/1%2F2.json', 404, '/account/api_tokens/:id.json'],
    ['/account/api%5Ftokens.json', 200, '/account/api_tokens.json'],
    ['/account/api%255Ftokens.json', 404, null],
    ['/account/api_tokens/%E0%A4.json', 400, null],
    ['/%', 400, null],
  ])('segments are decoded once, after the path was split: %s is %i', async (path, status, route) => {
    const { sandbox, call, token } = await raw();
    expect((await call('GET', path, { token })).status).toBe(status);
    expect(sandbox.requests.at(-1)?.route).toBe(route);
  });
});

describe('bodies', () => {
  test('that are no JSON object in UTF-8 are 400', async () => {
    const { post } = await raw();
    for (const body of ['{', 'x', '"x"', '[]', 'null', '7', '{"api_token":{}}x']) {
      expect(await post(body), body).toMatchObject({ status: 400, body: { error: expect.any(String) } });
    }
    const body = new Uint8Array([...new TextEncoder().encode('{"api_token":{"name":"'), 0xff, 0x22, 0x7d, 0x7d]);
    expect((await post(body)).status).toBe(400);
  });

  test.each([
    ['/account/api_tokens.json', 'api_token'],
    ['/toolkit/dashboards.json', 'dashboard'],
    ['/flex/dbs.json', 'db'],
    ['/flex/dbs/d/records.json', 'record'],
  ])('that lack their wrapper are 400: %s takes %s', async (path, wrapper) => {
    const { sandbox, as, account } = await accountSandbox();
    sandbox.store.createFlexDatabase(account, { name: 'D', code: 'd' });
    for (const body of [undefined, {}, { [wrapper]: null }, { [wrapper]: [] }, { name: 'N', data: {} }]) {
      expect(await as('POST', path, body)).toMatchObject({ status: 400, body: { error: expect.any(String) } });
    }
  });

  test('a body of 20 MB is accepted, a byte more is 413', async () => {
    const { post } = await raw();
    const body = (size: number) => {
      const text = '{"api_token":{}}';
      return ' '.repeat(size - text.length) + text;
    };
    expect((await post(body(20 * 1024 * 1024))).status).toBe(201);
    expect((await post(body(20 * 1024 * 1024 + 1))).status).toBe(413);
  });
});

describe('the record of calls', () => {
  test('holds each request with the status of its response', async () => {
    const { sandbox, call, token } = await raw();
    await call('POST', `${list}?a=1`, { token, body: { api_token: { name: 'N' } } });
    expect(sandbox.requests).toEqual([
      {
        method: 'POST',
        route: '/account/api_tokens.json',
        path: '/account/api_tokens.json',
        query: { a: '1' },
        headers: expect.objectContaining({ authorization: `Bearer ${token}` }),
        body: { api_token: { name: 'N' } },
        status: 201,
      },
    ]);
  });

  test('calls() names routes in order of arrival, until it is told to forget', async () => {
    const { sandbox, call } = await freshSandbox();
    await call('GET', list);
    await call('GET', `${list}?for_account=yes`);
    await call('GET', `${list}?for_account=no`);
    await call('GET', '/account/api_tokens/7.json');
    await call('PATCH', '/toolkit/dashboards/select.json', { body: {} });
    await call('GET', '/toolkit/dashboards/widgets.json?context=main');
    await call('GET', '/nowhere');
    expect(sandbox.calls()).toEqual([
      'GET /account/api_tokens.json',
      'GET /account/api_tokens.json?for_account=yes',
      'GET /account/api_tokens.json',
      'GET /account/api_tokens/:id.json',
      'PATCH /toolkit/dashboards/select.json',
      'GET /toolkit/dashboards/widgets.json',
      'GET /nowhere',
    ]);
    sandbox.forgetCalls();
    expect(sandbox.calls()).toEqual([]);
    expect(sandbox.requests).toEqual([]);
  });
});

test('the record keeps the last 10,000 calls', () => {
  const log = new CallLog();
  const call = { method: 'GET', route: null, query: {}, headers: {}, body: null, status: 404 };
  for (let number = 1; number <= 10_001; number++) log.add({ ...call, path: `/${number}` });
  expect(log.calls).toHaveLength(10_000);
  expect(log.calls[0]?.path).toBe('/2');
});

test('an error response rolls back the changes of its request', async () => {
  const store = new Store();
  store.migrate(['CREATE TABLE things (name TEXT) STRICT']);
  const insert = () => store.run("INSERT INTO things VALUES ('one')");
  const router = new Router()
    .on('POST /kept.json', () => {
      insert();
      return empty();
    })
    .on('POST /refused.json', () => {
      insert();
      throw forbidden();
    });
  const listener = await startHttpServer({ router, store, log: new CallLog() }, '127.0.0.1', 0);
  onTestFinished(() => listener.close());
  const call = callAt(listener.url);
  const things = () => store.all(z.unknown(), 'SELECT * FROM things').length;

  expect((await call('POST', '/refused.json')).status).toBe(403);
  expect(things()).toBe(0);
  expect((await call('POST', '/kept.json')).status).toBe(204);
  expect(things()).toBe(1);
});

test('an unexpected error is 500, without details for the caller', async () => {
  const report = vi.spyOn(console, 'error').mockImplementation(() => {});
  let time = new Date();
  const { sandbox, call } = await freshSandbox({ now: () => time });
  const { token } = sandbox.store.createUser({
    account: sandbox.store.createAccount().id,
    permissions: ['dashboard_advanced'],
  });
  time = new Date(Number.NaN); // has no ISO form
  const answer = await call('POST', '/toolkit/dashboards.json', { token, body: { dashboard: { name: 'N' } } });
  expect(answer).toMatchObject({ status: 500, body: { error: 'internal' } });
  expect(report).toHaveBeenCalledOnce();
  report.mockRestore();
});

describe('origins', () => {
  test('all APIs but the forum share one origin, because forum categories are paths of one segment', async () => {
    const { sandbox } = await freshSandbox();
    expect(sandbox.urls.flex).toBe(sandbox.urls.account);
    expect(sandbox.urls.crm).toBe(sandbox.urls.account);
    expect(new URL(sandbox.urls.forum).port).not.toBe(new URL(sandbox.urls.account).port);
    expect((await fetch(`${sandbox.urls.account}/app/categories.xml`)).status).toBe(404);
    expect((await fetch(`${sandbox.urls.forum}/app/categories.xml`)).status).toBe(401);
    expect((await fetch(`${sandbox.urls.forum}/app/clients.json`)).status).toBe(404);
  });

  test('the forum takes the port after the one that is given', async () => {
    const port = uncommonPort();
    const { sandbox } = await freshSandbox({ port });
    expect(new URL(sandbox.urls.account).port).toBe(String(port));
    expect(new URL(sandbox.urls.forum).port).toBe(String(port + 1));
  });

  test('with origins: own each API has an origin of its own, and answers there alone', async () => {
    const { sandbox } = await freshSandbox({ origins: 'own' });
    const { account, flex, crm, forum } = sandbox.urls;
    const paths = [list, '/flex/dbs.json', '/app.json', '/app/categories.xml'];
    const statuses = (url: string) => Promise.all(paths.map(async (path) => (await fetch(url + path)).status));
    expect(await statuses(account)).toEqual([401, 404, 404, 404]);
    expect(await statuses(flex)).toEqual([404, 401, 404, 404]);
    expect(await statuses(crm)).toEqual([404, 404, 401, 404]);
    expect(await statuses(forum)).toEqual([404, 404, 401, 401]); // /app.json could be a category
    expect(sandbox.calls()).toHaveLength(16);
  });
});

test('startSandbox rejects when its port or that of the forum is taken, and frees the other port', async () => {
  const port = uncommonPort();
  const taken = createServer().listen(port, '127.0.0.1');
  await once(taken, 'listening');
  await expect(startSandbox({ port, demo: false })).rejects.toThrow('EADDRINUSE');
  const start = () => startSandbox({ port: port - 1, demo: false });
  await expect(start()).rejects.toThrow(`EADDRINUSE: address already in use 127.0.0.1:${port}`);
  taken.close();
  await once(taken, 'close');
  await (await start()).close();
});
