import { describe, expect, test } from 'vitest';
import { published } from './support.ts';

const auto = { by: '{cookie_key}', ip: '{ip}', user: '{user_id}', name: '{user_name}', text: 'from {ip} as {nobody}' };
describe('auto_fields', () => {
  const methods = { create: { auto_fields: auto }, update: { auto_fields: auto }, list: true };

  test('are filled by the server: the address, a key for the browser, nobody without a session', async () => {
    const { create } = await published(methods);
    expect((await create({ a: 1 })).data).toEqual({
      a: 1,
      by: expect.stringMatching(/^.{32}$/),
      ip: '127.0.0.1',
      user: '',
      name: '',
      text: 'from 127.0.0.1 as {nobody}',
    });
  });

  test('always overwrite what the client sends, on update too', async () => {
    const { create, callPublic } = await published(methods);
    const forged = { by: 'me', ip: '1.2.3.4', user: '7', name: 'Eve', text: 'x' };
    const { id, data } = await create(forged);
    expect(data).toMatchObject({ ip: '127.0.0.1', user: '', name: '', text: 'from 127.0.0.1 as {nobody}' });
    const headers = { Cookie: `flex_key=${'k'.repeat(32)}`, 'X-Forwarded-For': '192.0.2.1' };
    const updated = await callPublic('update', { id, data: forged }, headers);
    expect(updated.body).toMatchObject({ data: { by: 'k'.repeat(32), ip: '192.0.2.1', user: '', name: '' } });
  });

  test('overwrite a default, and are not held back by allowed_fields', async () => {
    const { create } = await published({
      create: { allowed_fields: [], default_values: { ip: 'x' }, required_fields: ['ip'], auto_fields: { ip: '{ip}' } },
    });
    expect((await create({ a: 1 })).data).toEqual({ ip: '127.0.0.1' });
  });

  test('{ip} behind a proxy is the first address that it says', async () => {
    const { create } = await published(methods);
    for (const [forwarded, ip] of [
      ['192.0.2.1', '192.0.2.1'],
      ['192.0.2.1, 198.51.100.7', '192.0.2.1'],
      ['2001:db8::1', '2001:db8::1'],
      ['', '127.0.0.1'],
    ] as const) {
      expect((await create({}, { 'X-Forwarded-For': forwarded })).data).toMatchObject({ ip });
    }
  });

  test('{user_id} and {user_name} are those of a session, but of none that is unknown or of another account', async () => {
    const { sandbox, account, create } = await published(methods);
    const { id } = sandbox.store.createUser({ account, name: 'Zoë {ip}' });
    const { cookie } = sandbox.store.createSession(id);
    expect((await create({}, { Cookie: cookie })).data).toMatchObject({ user: String(id), name: 'Zoë {ip}' });
    const stranger = sandbox.store.createUser({ account: sandbox.store.createAccount().id });
    for (const Cookie of [sandbox.store.createSession(stranger.id).cookie, 'session=x', 'session=']) {
      expect((await create({}, { Cookie })).data).toMatchObject({ user: '', name: '' });
    }
  });
});

describe('the cookie key', () => {
  const methods = { create: { auto_fields: { by: '{cookie_key}' } }, list: { scope_by: 'by' }, get: true };

  test('is handed out for one month, for all paths, out of reach of scripts, another one to each browser', async () => {
    const { callPublic, create } = await published(methods);
    const { headers, body } = await callPublic('create', { data: {} });
    const attributes = /^flex_key=(.{32}); Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/;
    const [, key] = attributes.exec(headers.get('set-cookie') ?? '') ?? [];
    expect(body).toMatchObject({ data: { by: key } });
    expect((await create({})).data['by']).not.toBe(key);
  });

  test('is kept by a browser that has one, and not handed out again', async () => {
    const { callPublic } = await published(methods);
    const Cookie = `other=1; flex_key=${'a1'.repeat(16)}; x=y`;
    const { headers, body } = await callPublic('create', { data: {} }, { Cookie });
    expect(body).toMatchObject({ data: { by: 'a1'.repeat(16) } });
    expect(headers.get('set-cookie')).toBeNull();
  });

  test('is a new one in the place of a malformed cookie', async () => {
    const { callPublic } = await published(methods);
    for (const value of ['short', 'x'.repeat(33), '-'.repeat(32), '']) {
      const { headers } = await callPublic('create', { data: {} }, { Cookie: `flex_key=${value}` });
      expect(headers.get('set-cookie'), value).toMatch(/^flex_key=[0-9a-f]{32};/);
    }
  });

  test('is only handed out where it is needed', async () => {
    const { callPublic } = await published({ ...methods, create: { auto_fields: { by: '{ip}' } } });
    expect((await callPublic('create', { data: {} })).headers.get('set-cookie')).toBeNull();
    const { callPublic: other } = await published(methods);
    expect((await other('list')).headers.get('set-cookie')).not.toBeNull();
    expect((await other('get', { id: 'x' })).headers.get('set-cookie')).toBeNull();
  });
});

describe('scope_by', () => {
  const mine = { auto_fields: { by: '{cookie_key}' }, scope_by: 'by' };
  const methods = { list: mine, get: mine, create: mine, update: mine, delete: mine, search: mine };
  const browser = (letter: string) => ({ Cookie: `flex_key=${letter.repeat(32)}` });

  test('list and search find the caller’s own records only', async () => {
    const { create, callPublic, listedData } = await published(methods);
    await create({ n: 'one' }, browser('a'));
    await create({ n: 'two' }, browser('b'));
    await create({ n: 'three' }, browser('a'));
    expect(await listedData({}, browser('a'))).toMatchObject([{ n: 'three' }, { n: 'one' }]);
    expect(await listedData({}, browser('b'))).toMatchObject([{ n: 'two' }]);
    expect(await listedData({}, browser('c'))).toEqual([]);
    expect((await callPublic('search', { q: 't' }, browser('a'))).body).toMatchObject([{ n: 'three' }]);
    expect((await callPublic('search', { q: 'b' }, browser('a'))).body).toEqual([]);
  });

  test('get, update and delete find the caller’s own records only', async () => {
    const { create, callPublic } = await published(methods);
    const { id } = await create({ n: 'one' }, browser('a'));
    for (const method of ['get', 'update', 'delete']) {
      expect((await callPublic(method, { id, data: { n: 'stolen' } }, browser('b'))).status).toBe(404);
    }
    expect((await callPublic('get', { id }, browser('a'))).body).toMatchObject({ data: { n: 'one' } });
    expect((await callPublic('update', { id, data: { n: 'two' } }, browser('a'))).status).toBe(200);
    expect((await callPublic('delete', { id }, browser('a'))).status).toBe(200);
  });

  test('a scope value in the request is ignored', async () => {
    const { create, callPublic } = await published(methods);
    const { id } = await create({ n: 'one' }, browser('a'));
    const by = 'a'.repeat(32);
    const stolen = { id, by, scope_by: 'n', data: { by }, 'filter[by]': by };
    for (const method of ['get', 'update', 'delete']) {
      expect((await callPublic(method, stolen, browser('b'))).status).toBe(404);
    }
    for (const method of ['list', 'search']) expect((await callPublic(method, stolen, browser('b'))).body).toEqual([]);
    expect((await create({ by }, browser('b'))).data).toEqual({ by: 'b'.repeat(32) });
    expect((await callPublic('list', {}, browser('a'))).body).toHaveLength(1);
  });

  test('{ip} limits a caller to the records of its address', async () => {
    const byIp = { auto_fields: { ip: '{ip}' }, scope_by: 'ip' };
    const { create, callPublic } = await published({ create: byIp, list: byIp });
    await create({}, { 'X-Forwarded-For': '192.0.2.1' });
    expect((await callPublic('list', {}, { 'X-Forwarded-For': '192.0.2.1' })).body).toHaveLength(1);
    expect((await callPublic('list')).body).toEqual([]);
  });

  test('{user_id} limits a caller to the records of its user, and finds nothing without a session', async () => {
    const byUser = { auto_fields: { user: '{user_id}' }, scope_by: 'user' };
    const { sandbox, user, create, callPublic } = await published({ create: byUser, list: byUser, get: byUser });
    const headers = { Cookie: sandbox.store.createSession(user).cookie };
    await create({ n: 'mine' }, headers);
    const { id } = await create({ n: 'nobody’s' });
    expect((await callPublic('list', {}, headers)).body).toMatchObject([{ data: { n: 'mine' } }]);
    expect((await callPublic('list')).body).toEqual([]);
    expect((await callPublic('get', { id })).status).toBe(404);
  });

  test('takes the entry of another method where its own has none', async () => {
    const { create, callPublic } = await published({ create: mine, list: { scope_by: 'by' } });
    await create({}, browser('a'));
    expect((await callPublic('list', {}, browser('a'))).body).toHaveLength(1);
    expect((await callPublic('list', {}, browser('b'))).body).toEqual([]);
  });
});
