import { describe, expect, test } from 'vitest';
import { clock } from '../clock.ts';
import { crmSandbox, refusal } from './support.ts';

const given = { name: 'Chairs', description: 'Six', price: '1200.50', external_ids: { shop: 'D-1' } };

test('POST answers 201 with the id and what was sent alone, bare', async () => {
  const { makeClient, post, deal } = await crmSandbox();
  const client_id = (await makeClient()).id;
  const { status, body } = await post('/app/deals.json', { deal: { ...given, client_id } });
  expect(status).toBe(201);
  expect(body).toEqual({ id: expect.any(Number), ...given, client_id });
  expect(await deal(1)).toEqual(body);
});

test('only the name of a deal is required', async () => {
  const { post } = await crmSandbox();
  expect(await post('/app/deals.json', { deal: { name: 'N' } })).toMatchObject({
    status: 201,
    body: { name: 'N', description: null, client_id: null, price: null, external_ids: {} },
  });
});

test('GET lists all deals of the account, a bare array by ascending id', async () => {
  const { makeDeal, get } = await crmSandbox();
  const made = [await makeDeal({ name: 'B' }), await makeDeal({ name: 'A' })];
  expect(await get('/app/deals.json')).toMatchObject({ status: 200, body: made });
});

describe('PUT', () => {
  test('answers 200 with the whole record, and changes only what it was given', async () => {
    const { makeClient, makeDeal, putDeal, deal } = await crmSandbox();
    const before = await makeDeal({ ...given, client_id: (await makeClient()).id });
    const { status, body } = await putDeal(before.id, { price: 7 });
    const after = { ...before, price: '7' };
    expect({ status, body }).toEqual({ status: 200, body: after });
    expect(await deal(before.id)).toEqual(after);
  });

  test('PUT with null clears every field but the name', async () => {
    const { makeClient, makeDeal, putDeal } = await crmSandbox();
    const { id } = await makeDeal({ ...given, client_id: (await makeClient()).id });
    const cleared = { description: null, client_id: null, price: null };
    const { body } = await putDeal(id, { ...cleared, external_ids: null });
    expect(body).toMatchObject({ name: 'Chairs', ...cleared, external_ids: {} });
  });

  test('may give another client, also nested', async () => {
    const { makeClient, makeDeal, putDeal, clients } = await crmSandbox();
    const [one, other] = [await makeClient(), await makeClient({ email: 'b@example.com' })];
    const { id } = await makeDeal({ client_id: one.id });
    expect((await putDeal(id, { client_id: other.id })).body).toMatchObject({ client_id: other.id });
    expect((await putDeal(id, { client: { name: 'New' } })).body).toMatchObject({ client_id: 3 });
    expect((await putDeal(id, { client: { email: 'b@example.com' } })).body).toMatchObject({ client_id: other.id });
    expect((await putDeal(id, { client: null })).body).toMatchObject({ client_id: other.id });
    expect(await clients()).toHaveLength(3);
  });
});

test('DELETE answers 200 with the JSON string "ok"; the deal is 404 from then on, its client stays', async () => {
  const { makeDeal, del, get, clients } = await crmSandbox();
  const { id } = await makeDeal({ client: { name: 'N' } });
  expect(await del(`/app/deals/${id}.json`)).toMatchObject({ status: 200, body: 'ok' });
  expect((await get(`/app/deals/${id}.json`)).status).toBe(404);
  expect((await del(`/app/deals/${id}.json`)).status).toBe(404);
  expect((await get('/app/deals.json')).body).toEqual([]);
  expect(await clients()).toHaveLength(1);
});

test("a deal cannot link to another account's client", async () => {
  const { stranger, postDeal } = await crmSandbox();
  await stranger().post('/app/clients.json', { client: { name: 'Theirs' } });
  expect(await postDeal({ client_id: 1 })).toMatchObject(refusal('client_id'));
});

describe('a nested client', () => {
  test('is linked by any of its external ids', async () => {
    const { makeClient, makeDeal, clients } = await crmSandbox();
    await makeClient({ external_ids: { shop: '2' } });
    const { id } = await makeClient({ external_ids: { ledger: '9', shop: '1' } });
    for (const external_ids of [{ shop: '1' }, { other: '5', ledger: '9' }, { shop: 1 }]) {
      expect(await makeDeal({ client: { external_ids } })).toMatchObject({ client_id: id });
    }
    expect(await clients()).toHaveLength(2);
    for (const system of ['__proto__', 'constructor', 'a.b', '"', '$', "'", '']) {
      const external_ids = { [system]: 'x' };
      const named = await makeClient({ external_ids });
      expect(await makeDeal({ client: { external_ids } })).toMatchObject({ client_id: named.id });
    }
  });

  test('is not linked by an external id of another system, nor by an empty one', async () => {
    const { makeClient, makeDeal } = await crmSandbox();
    const { id } = await makeClient({ external_ids: { shop: '1', ledger: '2', empty: '' } });
    const deal = await makeDeal({ client: { name: 'N', external_ids: { shop: '2', ledger: '1', empty: '' } } });
    expect(deal['client_id']).not.toBe(id);
  });

  test('is linked by external id before email', async () => {
    const { makeClient, makeDeal } = await crmSandbox();
    await makeClient({ email: 'ada@example.com' });
    const { id } = await makeClient({ external_ids: { shop: '1' } });
    const client = { email: 'ada@example.com', external_ids: { shop: '1' } };
    expect(await makeDeal({ client })).toMatchObject({ client_id: id });
  });

  test('is linked by email, case aside, to the first that has it', async () => {
    const { makeClient, makeDeal, clients } = await crmSandbox();
    await makeClient();
    const { id } = await makeClient({ email: 'Ada@Example.com' });
    await makeClient({ email: 'ada@example.com' });
    const client = { name: 'X', email: 'aDA@example.COM', external_ids: { shop: '1' } };
    expect(await makeDeal({ client })).toMatchObject({ client_id: id });
    expect(await clients()).toHaveLength(3);
  });

  test('changes nothing of a client that it is linked to but its last activity', async () => {
    const { now, set } = clock('2026-03-01T10:00:00Z');
    const { makeClient, makeDeal, client } = await crmSandbox({ now });
    const before = await makeClient({ email: 'ada@example.com' });
    set('2026-03-02T10:00:00Z');
    await makeDeal({ client: { name: 'X', email: 'ada@example.com', external_ids: { shop: '1' } } });
    expect(await client(before.id)).toEqual({ ...before, last_activity: '2026-03-02T10:00:00.000Z' });
  });

  test('is created when none matches, with its fields', async () => {
    const { makeDeal, client, clients, user } = await crmSandbox();
    const sent = { name: 'New', email: 'new@example.com' };
    const deal = await makeDeal({ client: { ...sent, external_ids: { shop: '1' }, note: 'ignored' } });
    expect(await client(deal['client_id'])).toMatchObject({ ...sent, note: null, creator_id: user, external_id: '1' });
    expect(deal).not.toHaveProperty('client');
    expect(await clients()).toHaveLength(1);
  });

  test("is not looked for among another account's", async () => {
    const { stranger, makeDeal, clients } = await crmSandbox();
    const theirs = { name: 'Theirs', email: 'a@example.com', external_ids: { shop: '1' } };
    await stranger().post('/app/clients.json', { client: theirs });
    await makeDeal({ client: { ...theirs, name: 'Ours' } });
    expect(await clients()).toMatchObject([{ name: 'Ours' }]);
  });

  test('is refused without a name where it would be created', async () => {
    const { postDeal, clients } = await crmSandbox();
    for (const client of [{}, { email: 'new@example.com' }, { name: ' ', external_ids: { shop: '1' } }]) {
      expect(await postDeal({ client })).toMatchObject(refusal('client.name'));
    }
    expect(await clients()).toEqual([]);
  });

  test('errors of the nested client are reported together with those of the deal', async () => {
    const { post } = await crmSandbox();
    const client = { name: 7, email: 'x', external_ids: [] };
    const fields = ['price', 'client.name', 'client.email', 'client.external_ids', 'name'];
    expect(await post('/app/deals.json', { deal: { price: 'x', client } })).toMatchObject(refusal(...fields));
  });

  test('together with client_id is refused, and is not created by a deal that is refused', async () => {
    const { makeClient, makeDeal, postDeal, putDeal, clients } = await crmSandbox();
    const { id: client_id } = await makeClient();
    const { id } = await makeDeal();
    const client = { name: 'New' };
    for (const [fields, field] of [
      [{ client_id, client }, 'client'],
      [{ name: '', client }, 'name'],
    ] as const) {
      expect(await postDeal(fields)).toMatchObject(refusal(field));
      expect(await putDeal(id, fields)).toMatchObject(refusal(field));
    }
    expect(await clients()).toHaveLength(1);
  });
});
