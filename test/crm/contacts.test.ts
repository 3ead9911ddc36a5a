import { describe, expect, test } from 'vitest';
import { crmGateway, crmOver, fieldsOf, REFUSAL, refused } from './support.ts';

const fields = 'id name firstName lastName email phone description responsibleId';
const create = `mutation ($input: ContactInput!) { createContact(input: $input) { ${REFUSAL} ... on Contact { ${fields} } } }`;
const update = `mutation ($id: ID!, $input: ContactInput!) {
  updateContact(id: $id, input: $input) { ${REFUSAL} ... on Contact { ${fields} } }
}`;

const contact = {
  ...{ name: 'Ada L', firstName: 'Ada', lastName: 'L', email: 'ada@example.com', phone: '+48 1' },
  ...{ description: 'Buys', responsibleId: '9' },
};
const wire = {
  ...{ name: 'Ada L', first_name: 'Ada', last_name: 'L', email: 'ada@example.com', phone: '+48 1' },
  ...{ description: 'Buys', responsible_id: 9 },
};
const nulls = (record: object) => Object.fromEntries(Object.keys(record).map((key) => [key, null]));

describe('contacts', () => {
  test('createContact sends every field and returns every field', async () => {
    const { ask, sandbox, bodies } = await crmGateway();
    const data = await ask(create, { variables: { input: contact } });
    expect(data).toEqual({ createContact: { __typename: 'Contact', id: 'Contact:1', ...contact } });
    expect(sandbox.calls()).toEqual(['POST /app/contacts.json']);
    expect(bodies()).toEqual([{ api_token: '…', contact: wire }]);
  });

  test('updateContact sends the given fields only: null clears, a field that is left out stays', async () => {
    const { execute, sandbox, bodies, makeContact } = await crmGateway();
    const id = await makeContact(wire);

    const changed = await execute(update, { variables: { id, input: { phone: null } } });
    expect(changed.data).toMatchObject({ updateContact: { ...contact, phone: null } });
    const cleared = await execute(update, {
      variables: { id: `Contact:${id}`, input: { ...nulls(contact), name: 'x' } },
    });
    expect(cleared.data).toMatchObject({ updateContact: { ...nulls(contact), name: 'x' } });

    expect(sandbox.calls()).toEqual(Array.from({ length: 2 }, () => 'PUT /app/contacts/:id.json'));
    expect(bodies()).toEqual([
      { api_token: '…', contact: { phone: null } },
      { api_token: '…', contact: { ...nulls(wire), name: 'x' } },
    ]);
  });

  test('every field that a refusal may name is mapped to its path in the input', async () => {
    const errors = Object.fromEntries(Object.keys(wire).map((field) => [field, ['is odd']]));
    for (const body of [errors, { errors }, { errors: { contact: errors } }]) {
      const { execute } = await crmOver({ 'POST /app/contacts.json': refused(422, body) });
      expect(fieldsOf((await execute(create, { variables: { input: {} } })).data)).toEqual(Object.keys(contact));
    }
  });
});

const list = `${REFUSAL} ... on ContactList { id upstreamId name }`;

test('a contact list is created and renamed', async () => {
  const { execute, sandbox, bodies } = await crmGateway();

  const made = await execute(`mutation { createContactList(name: "News") { ${list} } }`);
  expect(made.data).toEqual({
    createContactList: { __typename: 'ContactList', id: 'ContactList:1', upstreamId: '1', name: 'News' },
  });
  for (const id of ['"ContactList:1"', 1]) {
    const { data } = await execute(`mutation { updateContactList(id: ${id}, name: "Żółw") { ${list} } }`);
    expect(data).toMatchObject({ updateContactList: { id: 'ContactList:1', name: 'Żółw' } });
  }
  expect((await execute('{ contactList(id: "ContactList:1") { name } }')).data).toEqual({
    contactList: { name: 'Żółw' },
  });

  expect(sandbox.calls()).toEqual([
    'POST /app/contact_lists.json',
    'PUT /app/contact_lists/:id.json',
    'PUT /app/contact_lists/:id.json',
    'GET /app/contact_lists/:id.json',
  ]);
  expect(bodies().slice(0, 2)).toEqual([
    { api_token: '…', contact_list: { name: 'News' } },
    { api_token: '…', contact_list: { name: 'Żółw' } },
  ]);
});
