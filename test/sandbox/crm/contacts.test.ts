import { describe, expect, test } from 'vitest';
import { crmSandbox, refusal } from './support.ts';

const given = {
  name: 'Ada Lovelace',
  description: 'Main',
  first_name: 'Ada',
  last_name: 'Lovelace',
  responsible_id: 42,
  email: 'ada@example.com',
  phone: '+44 20 7946 0000',
};

describe('contacts', () => {
  test('POST answers 201 with id and the seven fields alone; GET the same', async () => {
    const { post, get } = await crmSandbox();
    const { status, body } = await post('/app/contacts.json', { contact: given });
    expect({ status, body }).toEqual({ status: 201, body: { id: expect.any(Number), ...given } });
    expect(await get('/app/contacts/1.json')).toMatchObject({ status: 200, body: { ...given } });
  });

  test('a contact needs one of the three names, also after a PUT', async () => {
    const { post, put, makeContact } = await crmSandbox();
    for (const field of ['name', 'first_name', 'last_name']) {
      const nothing = Object.fromEntries(Object.keys(given).map((key) => [key, null]));
      const { status, body } = await post('/app/contacts.json', { contact: { [field]: 'Ada' } });
      expect({ status, body }).toEqual({ status: 201, body: { ...nothing, id: expect.any(Number), [field]: 'Ada' } });
    }
    const nameless = { phone: '1', first_name: ' ', last_name: null };
    expect(await post('/app/contacts.json', { contact: nameless })).toMatchObject(refusal('name'));
    const { id } = await makeContact({ name: null, last_name: 'L' });
    const path = `/app/contacts/${id}.json`;
    expect(await put(path, { contact: { last_name: '' } })).toMatchObject(refusal('name'));
    expect(await put(path, { contact: { phone: '1' } })).toMatchObject({ status: 200, body: { last_name: 'L' } });
    expect((await put(path, { contact: { last_name: null, name: 'N' } })).status).toBe(200);
  });

  test('PUT answers 200 with the record, and changes only what it was given', async () => {
    const { makeContact, put, get } = await crmSandbox();
    const { id } = await makeContact(given);
    const { status, body } = await put(`/app/contacts/${id}.json`, { contact: { phone: null } });
    const after = { id, ...given, phone: null };
    expect({ status, body }).toEqual({ status: 200, body: after });
    expect((await get(`/app/contacts/${id}.json`)).body).toEqual(after);
  });
});

describe('contact lists', () => {
  test('POST answers 201 with id and name alone; GET the same', async () => {
    const { post, get } = await crmSandbox();
    const { status, body } = await post('/app/contact_lists.json', { contact_list: { name: 'News', id: 99 } });
    expect({ status, body }).toEqual({ status: 201, body: { id: 1, name: 'News' } });
    expect(await get('/app/contact_lists/1.json')).toMatchObject({ status: 200, body: { name: 'News' } });
  });

  test('PUT answers 200 with the record', async () => {
    const { makeList, put, get } = await crmSandbox();
    const { id } = await makeList();
    const after = { id, name: 'New' };
    const path = `/app/contact_lists/${id}.json`;
    expect(await put(path, { contact_list: { name: 'New' } })).toMatchObject({ status: 200, body: after });
    expect((await get(path)).body).toEqual(after);
    expect((await put(path, { contact_list: {} })).body).toMatchObject({ name: 'New' });
  });
});
