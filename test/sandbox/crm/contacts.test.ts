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

describe.each<[resource: string, key: string, fields: object, change: object]>([
  ['contacts', 'contact', given, { phone: null }],
  ['contact_lists', 'contact_list', { name: 'News' }, { name: 'New' }],
])('%s', (resource, key, fields, change) => {
  const path = `/app/${resource}/1.json`;

  test('POST answers 201 with id and the documented fields alone; GET the same', async () => {
    const { post, get } = await crmSandbox();
    const { status, body } = await post(`/app/${resource}.json`, { [key]: { ...fields, id: 99 } });
    expect({ status, body }).toEqual({ status: 201, body: { id: 1, ...fields } });
    expect(await get(path)).toMatchObject({ status: 200, body });
  });

  test('PUT answers 200 with the record, and changes only what it was given', async () => {
    const { post, put, get } = await crmSandbox();
    await post(`/app/${resource}.json`, { [key]: fields });
    const after = { id: 1, ...fields, ...change };
    for (const sent of [change, {}]) {
      const { status, body } = await put(path, { [key]: sent });
      expect({ status, body }).toEqual({ status: 200, body: after });
      expect((await get(path)).body).toEqual(after);
    }
  });
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
