import { describe, expect, test } from 'vitest';
import { clock } from '../clock.ts';
import { all, crmSandbox, refusal } from './support.ts';

const ten = (name: string) => Array.from({ length: 10 }, (_, index) => `${name}${index + 1}`);

/** The fields in the document's table. */
const documented = [
  ...['id', 'name', 'tax_no', 'post_code', 'city', 'street', 'street_no', 'country', 'province'],
  ...['first_name', 'last_name', 'email', 'phone', 'mobile_phone', 'www', 'fax', 'created_at', 'updated_at', 'kind'],
  ...['bank', 'bank_account', 'bank_account_id', 'shortcut', 'note', 'description', 'discount', 'payment_to_kind'],
  ...['use_delivery_address', 'delivery_address', 'company', 'register_number', 'project_id', 'contact_id'],
  ...['appendixes_count', 'posts_count', 'contacts_count', 'last_activity'],
  ...['string', 'integer', 'decimal', 'checkbox', 'date', 'text', 'datetime'].flatMap(ten),
  ...['avatar_file_name', 'avatar_content_type', 'avatar_file_size', 'avatar_updated_at'],
  ...['status_id', 'category_id', 'department_id', 'position', 'creator_id', 'updater_id', 'responsible_id'],
  ...['sensitive_data', 'external_id', 'token', 'paid_from', 'paid_to', 'paid_total'],
];

test('POST answers 201 with every documented field and the external ids of a request, bare; what was not sent is null', async () => {
  const { post, user, get } = await crmSandbox({ now: () => new Date('2026-03-01T10:00:00Z') });
  const { status, body, headers } = await post('/app/clients.json', { client: { name: 'Café Möller' } });
  expect(status).toBe(201);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  const stamps = ['created_at', 'updated_at', 'last_activity'];
  expect(body).toEqual({
    ...all(documented, null),
    ...all(stamps, '2026-03-01T10:00:00.000Z'),
    ...all(['appendixes_count', 'posts_count', 'contacts_count'], 0),
    external_ids: {}, // "Records can carry external identifiers"
    id: expect.any(Number),
    name: 'Café Möller',
    creator_id: user,
    updater_id: user,
    token: expect.stringMatching(/^\w{32,}$/),
  });
  expect((await get('/app/clients/1.json')).body).toEqual(body);
});

test('each client has a token of its own, which never changes', async () => {
  const { makeClient, putClient } = await crmSandbox();
  const [one, other] = [await makeClient(), await makeClient()];
  expect(one['token']).not.toBe(other['token']);
  expect((await putClient(one.id, { name: 'New' })).body).toMatchObject({ token: one['token'] });
});

/** A value for each field that can be written, as it is answered. */
const full = {
  ...all(['name', 'tax_no', 'post_code', 'city', 'street', 'street_no', 'country', 'province'], 'Łódź'),
  ...all(['first_name', 'last_name', 'phone', 'mobile_phone', 'www', 'fax', 'bank', 'bank_account'], ' a "b" '),
  ...all(['shortcut', 'note', 'description', 'delivery_address', 'register_number', 'sensitive_data'], 'x\ny'),
  email: 'ada@example.com',
  kind: 'seller',
  ...all(['discount', 'paid_total'], '100.0'),
  ...all(['use_delivery_address', 'company'], false),
  ...all(['payment_to_kind', 'position'], '14'),
  ...all(['bank_account_id', 'project_id', 'status_id', 'category_id', 'department_id', 'responsible_id'], 42),
  ...all(ten('string'), 's'),
  ...all(ten('integer'), -7),
  ...all(ten('decimal'), '0.10'),
  ...all(ten('checkbox'), true),
  ...all(['paid_from', 'paid_to', ...ten('date')], '2024-02-29'),
  ...all(ten('text'), 't'.repeat(1000)),
  ...all(ten('datetime'), '2026-03-01T08:30:00.000Z'),
};
const external_ids = { shop: 'C-1', ledger: '7' };

test('all fields but ids, stamps, counts and avatar data can be written, on POST and on PUT', async () => {
  const { makeContact, postClient, makeClient, putClient, client } = await crmSandbox();
  const sent = { ...full, contact_id: (await makeContact()).id };
  const created = await postClient({ ...sent, external_ids });
  expect(created).toMatchObject({ status: 201, body: { ...sent, external_id: 'C-1' } });
  const { id } = await makeClient();
  expect(await putClient(id, { ...sent, external_ids })).toMatchObject({
    status: 200,
    body: { id, ...sent, external_id: 'C-1' },
  });
  expect(await client(id)).toMatchObject(sent);
  // Nothing that is documented is missing above.
  const unwritable = ['id', 'created_at', 'updated_at', 'appendixes_count', 'posts_count', 'contacts_count'];
  const others = ['last_activity', 'creator_id', 'updater_id', 'external_id', 'token'];
  const avatar = documented.filter((name) => name.startsWith('avatar'));
  const writable = documented.filter((name) => ![...unwritable, ...others, ...avatar].includes(name));
  expect(Object.keys(sent).sort()).toEqual(writable.sort());
});

test('read-only and unknown fields of a client are ignored', async () => {
  const { makeClient, putClient, client } = await crmSandbox();
  const before = await makeClient();
  const counts = ['posts_count', 'contacts_count', 'appendixes_count'];
  const sent = {
    ...all(['id', 'creator_id', 'updater_id', 'account_id', ...counts], 99),
    ...all(['created_at', 'last_activity'], '2000-01-01T00:00:00Z'),
    ...all(['token', 'avatar_file_name', 'string11', 'constructor'], 'x'),
    ...{ fields: {}, nonsense: [], ['__proto__']: { name: '' } },
  };
  const stamps = { updated_at: expect.any(String), last_activity: expect.any(String) };
  expect((await putClient(before.id, sent)).body).toEqual({ ...before, ...stamps });
  expect(await client(before.id)).toEqual({ ...before, ...stamps });
});

test('GET lists all clients of the account, a bare array by ascending id, of the same records', async () => {
  const { makeClient, get, clients } = await crmSandbox();
  const made = [await makeClient({ name: 'B' }), await makeClient({ name: 'A' }), await makeClient({ name: 'C' })];
  expect((await get('/app/clients.json')).status).toBe(200);
  expect(await clients()).toEqual(made);
});

test('the time that a client has paid for has dates or instants for its start and its end', async () => {
  const { makeClient, putClient, client } = await crmSandbox();
  const { id } = await makeClient({ paid_from: '2026-03-01', paid_to: '2026-03-31T22:00:00+02:00' });
  expect(await client(id)).toMatchObject({ paid_from: '2026-03-01', paid_to: '2026-03-31T20:00:00.000Z' });
  expect((await putClient(id, { paid_from: '2026-03-01T08:30', paid_to: '' })).body).toMatchObject({
    paid_from: '2026-03-01T08:30:00.000Z',
    paid_to: null,
  });
});

describe('PUT', () => {
  test('answers 200 with the whole record, and changes only what it was given', async () => {
    const { makeClient, putClient, client } = await crmSandbox();
    const before = await makeClient(full);
    const { status, body } = await putClient(before.id, { city: 'Gdańsk' });
    const stamps = { updated_at: expect.any(String), last_activity: expect.any(String) };
    expect({ status, body }).toEqual({ status: 200, body: { ...before, ...stamps, city: 'Gdańsk' } });
    expect(await client(before.id)).toEqual(body);
  });

  test('PUT with null clears every field but the name', async () => {
    const { makeClient, makeContact, putClient, client } = await crmSandbox();
    const contact_id = (await makeContact()).id;
    const { id } = await makeClient({ ...full, contact_id, external_ids });
    const clearable = Object.keys({ ...full, contact_id }).filter((field) => field !== 'name');
    const sent = all(clearable, null);
    const cleared = { ...sent, name: 'Łódź', external_id: null, contacts_count: 0 };
    expect((await putClient(id, { ...sent, external_ids: null })).body).toMatchObject(cleared);
    expect(await client(id)).toMatchObject(cleared);
  });

  test('moves updated_at, last_activity and updater_id, and neither created_at nor creator_id', async () => {
    const { now, set } = clock('2026-03-01T10:00:00Z');
    const { makeClient, colleague, client, user } = await crmSandbox({ now });
    const { id } = await makeClient();
    set('2026-03-02T10:00:00Z');
    const other = colleague();
    await other.put(`/app/clients/${id}.json`, { client: {} });
    expect(await client(id)).toMatchObject({
      created_at: '2026-03-01T10:00:00.000Z',
      updated_at: '2026-03-02T10:00:00.000Z',
      last_activity: '2026-03-02T10:00:00.000Z',
      creator_id: user,
      updater_id: other.id,
    });
  });

  test('PUT replaces external_ids as a whole', async () => {
    const { makeClient, putClient, client, postDeal } = await crmSandbox();
    const { id } = await makeClient({ external_ids: { shop: '1', ledger: '2' } });
    const { body } = await putClient(id, { external_ids: { ledger: '3' } });
    expect(body).toMatchObject({ external_id: '3', external_ids: { ledger: '3' } });
    expect(await client(id)).toEqual(body);
    expect(await postDeal({ client: { external_ids: { shop: '1' } } })).toMatchObject(refusal('client.name'));
    expect(await postDeal({ client: { external_ids: { ledger: '3' } } })).toMatchObject({ body: { client_id: id } });
    expect((await putClient(id, { external_ids: {} })).body).toMatchObject({ external_id: null, external_ids: {} });
  });
});

describe('DELETE', () => {
  test('answers 200 with the JSON string "ok"; the client is 404 from then on, and its id is never assigned again', async () => {
    const { makeClient, del, get, putClient, clients } = await crmSandbox();
    const { id } = await makeClient();
    expect(await del(`/app/clients/${id}.json`)).toMatchObject({ status: 200, body: 'ok' });
    expect((await get(`/app/clients/${id}.json`)).status).toBe(404);
    expect((await putClient(id, { name: 'N' })).status).toBe(404);
    expect((await del(`/app/clients/${id}.json`)).status).toBe(404);
    expect(await clients()).toEqual([]);
    expect((await makeClient()).id).toBeGreaterThan(id);
  });

  test('leaves the posts and deals of the client, without a client', async () => {
    const { makeClient, makePost, makeDeal, del, readPost, deal } = await crmSandbox();
    const [gone, other] = [await makeClient(), await makeClient()];
    const post = await makePost({ client_id: gone.id });
    const sale = await makeDeal({ client_id: gone.id });
    const kept = await makeDeal({ client_id: other.id });
    await del(`/app/clients/${gone.id}.json`);
    expect(await readPost(post.id)).toMatchObject({ client_id: null });
    expect(await deal(sale.id)).toMatchObject({ client_id: null });
    expect(await deal(kept.id)).toMatchObject({ client_id: other.id });
  });
});

describe('counts', () => {
  test('posts_count counts the posts of the client that are no comments', async () => {
    const { makeClient, makePost, comment, client, clients } = await crmSandbox();
    const [one, other] = [await makeClient(), await makeClient()];
    const post = await makePost({ client_id: one.id });
    await makePost({ client_id: one.id, task_kind: 'email' });
    await makePost({ client_id: other.id });
    await makePost();
    await comment(post.id, { client_id: one.id });
    expect(await client(one.id)).toMatchObject({ posts_count: 2 });
    expect((await clients()).map(({ posts_count }) => posts_count)).toEqual([2, 1]);
  });

  test('contacts_count is 1 with a main contact, else 0', async () => {
    const { makeContact, makeClient, putClient, client } = await crmSandbox();
    const contact_id = (await makeContact()).id;
    const { id } = await makeClient({ contact_id });
    expect(await client(id)).toMatchObject({ contact_id, contacts_count: 1 });
    await putClient(id, { note: 'x' });
    expect(await client(id)).toMatchObject({ contact_id, contacts_count: 1 });
    await putClient(id, { contact_id: null });
    expect(await client(id)).toMatchObject({ contact_id: null, contacts_count: 0 });
  });
});

test('last_activity moves when a post or a deal of the client is created, and updated_at does not', async () => {
  const { now, set } = clock('2026-03-01T10:00:00Z');
  const { makeClient, makePost, makeDeal, client } = await crmSandbox({ now });
  const [one, other] = [await makeClient(), await makeClient()];
  set('2026-03-02T10:00:00Z');
  await makePost({ client_id: one.id });
  const unchanged = { updated_at: '2026-03-01T10:00:00.000Z' };
  expect(await client(one.id)).toMatchObject({ last_activity: '2026-03-02T10:00:00.000Z', ...unchanged });
  set('2026-03-03T10:00:00Z');
  await makeDeal({ client_id: one.id });
  expect(await client(one.id)).toMatchObject({ last_activity: '2026-03-03T10:00:00.000Z', ...unchanged });
  expect(await client(other.id)).toMatchObject({ last_activity: '2026-03-01T10:00:00.000Z' });
});
