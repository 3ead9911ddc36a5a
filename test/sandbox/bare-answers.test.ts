import { describe, expect, test } from 'vitest';
import { answering, publicDatabase } from './answering.ts';

describe.each([
  ['bare:204', 204, null, ''],
  ['bare:ok', 201, 'ok', ''],
  ['bare:status', 201, { status: 'ok' }, '<status>ok</status>'],
] as const)('%s', (mode, created, content, xml) => {
  const changed = created === 204 ? 204 : 200;

  test('the answer for each record that is written is bare', async () => {
    const { answersToWrites } = await answering(mode);
    for (const { name, method, status, body } of await answersToWrites()) {
      const expected = { status: method === 'POST' ? created : changed, body: content };
      expect({ status, body }, name).toEqual(expected);
    }
  });

  test('changes and deletions are bare; reads, also those by POST, are full', async () => {
    const { as, crm, anonymous, sandbox, account } = await answering(mode);
    const { id } = sandbox.store.createFlexDatabase(account, publicDatabase);
    const [entry = ''] = sandbox.store.createFlexRecords(id, [{ a: 1 }]);
    await crm('POST', '/app/clients.json', { client: { name: 'N' } });
    const expected = { status: changed, body: content };
    expect(await crm('PUT', '/app/clients/1.json', { client: { name: 'M' } })).toMatchObject(expected);
    expect((await crm('GET', '/app/clients/1.json')).body).toMatchObject({ id: 1, name: 'M', external_id: null });
    expect(await crm('DELETE', '/app/clients/1.json')).toMatchObject(expected);
    expect((await anonymous('POST', '/flex/db/d/list', { body: {} })).body).toMatchObject([{ id: entry }]);
    expect((await anonymous('POST', '/flex/db/d/get', { body: { id: entry } })).body).toMatchObject({ id: entry });
    expect((await anonymous('POST', '/flex/db/d/search', { body: {} })).body).toMatchObject([{ id: entry }]);
    expect(await anonymous('GET', `/flex/db/d/delete?id=${entry}`)).toMatchObject(expected);
    expect(await as('DELETE', `/flex/dbs/${id}.json`)).toMatchObject(expected);
    expect((await as('GET', '/flex/dbs.json')).body).toEqual([]);
  });

  test('the header of a cookie is kept, and refusals keep their status', async () => {
    const { anonymous, as, sandbox, account } = await answering(mode);
    const auto_fields = { owner: '{cookie_key}' };
    sandbox.store.createFlexDatabase(account, { ...publicDatabase, public_methods: { create: { auto_fields } } });
    const { headers } = await anonymous('POST', '/flex/db/d/create', { body: { data: {} } });
    expect(headers.get('set-cookie')).toMatch(/^flex_key=/);
    expect((await as('POST', '/toolkit/dashboards.json', { dashboard: {} })).status).toBe(422);
  });

  test('a suggestion is made, and the answer does not have it', async () => {
    const { forum } = await answering(mode);
    const { status, text } = await forum.post('/app/posts.xml', '<post><title>T</title></post>');
    expect(status).toBe(created);
    expect(text).toContain(xml);
    expect(text).not.toContain('<title>');
    expect(await forum.titles('/')).toEqual(['T']);
  });
});

describe('bare:wrapped', () => {
  test('a deletion and what is no record answer a status', async () => {
    const { as, crm } = await answering('bare:wrapped');
    const expected = { status: 200, body: { status: 'ok' } };
    await crm('POST', '/app/deals.json', { deal: { name: 'D' } });
    expect(await crm('DELETE', '/app/deals/1.json')).toMatchObject(expected);
    const selection = { context: 'main', dashboard_id: 'builtin' };
    expect(await as('PATCH', '/toolkit/dashboards/select.json', selection)).toMatchObject(expected);
    const setting = 'key=account.settings.modules&action_type=add&value=toolkit';
    expect(await as('POST', `/account/set_field.json?${setting}`)).toMatchObject(expected);
    expect(await as('DELETE', '/account/api_tokens/1.json')).toMatchObject(expected);
  });

  test('a suggestion and a user are inside a hash', async () => {
    const { forum } = await answering('bare:wrapped');
    expect((await forum.post('/app/posts.xml', '<post><title>T</title></post>')).text).toMatch(
      /<hash>\n {2}<post>[^]*<title>T<\/title>[^]*<\/post>\n<\/hash>/,
    );
    const user = '<user><login>cy</login><email>cy@example.com</email><password>longenough</password></user>';
    expect((await forum.post('/app/users.xml', user)).text).toMatch(/<hash>\n {2}<user>[^]*<\/user>\n<\/hash>/);
    expect((await forum.del('/app/posts/1.xml')).text).toContain('<status>ok</status>');
  });
});

describe('bare:refused-200', () => {
  test('a 422 has its messages, beside a status and alone in turn, and nothing is written', async () => {
    const { crm } = await answering('bare:refused-200');
    const refuse = () => crm('POST', '/app/clients.json', { client: { name: '' } });
    const errors = { name: ["can't be blank"] };
    const withStatus = { status: 'error', message: "name can't be blank", errors };
    expect(await refuse()).toMatchObject({ status: 200, body: withStatus });
    const { status, body } = await refuse();
    expect({ status, body }).toEqual({ status: 200, body: { errors } });
    expect((await refuse()).body).toEqual(withStatus);
    expect((await crm('GET', '/app/clients.json')).body).toEqual([]);
  });

  test('a 403 and a 400 have a status and a message', async () => {
    const { as, sandbox, account, anonymous } = await answering('bare:refused-200');
    const { token } = sandbox.store.createUser({ account });
    const body = { dashboard: { name: 'N' } };
    const forbidden = await anonymous('POST', '/toolkit/dashboards.json', { token, body });
    expect(forbidden).toMatchObject({ status: 200, body: { status: 'error', message: 'forbidden' } });
    expect(await as('POST', '/account/api_tokens.json', {})).toMatchObject({
      status: 200,
      body: { status: 'error', message: expect.stringContaining('api_token') },
    });
  });

  test('a 404 and a 401 keep their status, and so do the refusals of a read', async () => {
    const { as, anonymous } = await answering('bare:refused-200');
    expect((await as('DELETE', '/account/api_tokens/9.json')).status).toBe(404);
    expect((await anonymous('DELETE', '/account/api_tokens/1.json')).status).toBe(401);
    expect((await as('GET', '/toolkit/dashboards.json?context=nowhere')).status).toBe(422);
  });

  test('a write that succeeds is full', async () => {
    const { crm } = await answering('bare:refused-200');
    const { status, body } = await crm('POST', '/app/clients.json', { client: { name: 'N' } });
    expect({ status, body }).toMatchObject({ status: 201, body: { id: 1, name: 'N' } });
  });

  test('the forum refuses in XML: a hash with a message, and a list of errors in turn', async () => {
    const { forum } = await answering('bare:refused-200');
    const refuse = () => forum.post('/app/posts.xml', '<post><title/></post>');
    const first = await refuse();
    expect(first).toMatchObject({ status: 200, type: 'application/xml; charset=utf-8' });
    expect(first.text).toContain("<hash>\n  <status>error</status>\n  <message>Title can't be blank</message>");
    expect(await refuse()).toMatchObject({ status: 200, text: expect.stringContaining('<errors>') });
    expect(await forum.post('/app/posts.xml', '<user/>')).toMatchObject({
      status: 200,
      text: expect.stringContaining('<message>The body must be'),
    });
    expect((await forum.del('/app/posts/9.xml')).status).toBe(404);
  });
});
