import { describe, expect, test } from 'vitest';
import { clientFields, placed, readRecord, selectionOf } from './field-tables.ts';
import { crmGateway, crmOver, expectSent, fieldsOf, REFUSAL, refused } from './support.ts';

const CREATE = 'POST /app/clients.json';
const UPDATE = 'PUT /app/clients/:id.json';

const writable = clientFields.filter((field) => field.writable);
const selection = `id ${selectionOf(writable)} externalId`;
const create = `mutation ($input: ClientInput!) { createClient(input: $input) { ${REFUSAL} ... on Client { ${selection} } } }`;
const update = `mutation ($id: ID!, $input: ClientInput!) {
  updateClient(id: $id, input: $input) { ${REFUSAL} ... on Client { ${selection} } }
}`;

/** Every field of the input. */
const everything = {
  ...placed(writable.map(({ at, read }) => [at, read])),
  externalIds: [
    { system: 'shop', value: 'A-1' },
    { system: 'ledger', value: '7' },
  ],
};
const stored = Object.fromEntries(writable.map(({ wire, sent }) => [wire, sent]));
const wire = { ...stored, external_ids: { shop: 'A-1', ledger: '7' } };

/** Null in each field of the input. */
const nothing = { ...placed(writable.map(({ at }) => [at, null])), externalIds: null };

describe('createClient', () => {
  test('every field of the input reaches upstream, and comes back', async () => {
    const { ask, sandbox, bodies, makeContact, read } = await crmGateway();
    expect(await makeContact()).toBe('1'); // the table's main contact

    const data = await ask(create, { variables: { input: everything } });

    const client = { id: 'Client:1', ...readRecord(writable) };
    expect(data).toEqual({ createClient: { __typename: 'Client', ...client } });
    expect(sandbox.calls()).toEqual([CREATE]);
    expect(bodies()).toEqual([{ api_token: '…', client: wire }]);
    expect(await read('/app/clients/1.json')).toMatchObject(stored);
  });

  test('a field that is left out or null is not sent', async () => {
    await expectSent(create, 'client', [
      [{ name: 'x' }, { name: 'x' }],
      [{ name: 'x', address: {}, bank: {}, customFields: {} }, { name: 'x' }],
      [{ name: 'x', address: null, bank: null, payments: null, customFields: null }, { name: 'x' }],
      [{ ...nothing, name: 'x' }, { name: 'x' }],
    ]);
  });

  test('the id of a main contact is taken in either form, and sent as a number', async () => {
    const { execute, bodies, makeContact } = await crmGateway();
    const contact = await makeContact();

    for (const contactId of [contact, `Contact:${contact}`, Number(contact)]) {
      const { data } = await execute(create, { variables: { input: { name: 'x', contactId } } });
      expect(data).toMatchObject({ createClient: { contactId: contact } });
    }
    expect(bodies()).toEqual(
      Array.from({ length: 3 }, () => ({ api_token: '…', client: { name: 'x', contact_id: Number(contact) } })),
    );
  });

  test('an id that is no number that JSON holds exactly is sent as a text', async () => {
    const { execute, sent } = await crmOver({ 'POST /app/clients.json': { id: 1 } });

    for (const statusId of ['9007199254740993', '007', 'abc', '9007199254740991']) {
      await execute('mutation ($id: ID) { createClient(input: { statusId: $id }) { __typename } }', {
        variables: { id: statusId },
      });
    }

    expect(sent.map((body) => /"status_id":([^}]*)/.exec(body)?.[1])).toEqual([
      '"9007199254740993"',
      '"007"',
      '"abc"',
      '9007199254740991',
    ]);
  });

  test('decimals are sent to the last digit, and whole numbers beyond 2^31 as numbers', async () => {
    const { ask, bodies } = await crmGateway();
    const customFields = { decimal1: '12345678901234567890.123456789', decimal2: 5, integer1: 9007199254740991 };

    const data = await ask(create, { variables: { input: { name: 'x', customFields } } });

    expect(bodies()).toMatchObject([{ client: { ...customFields, decimal2: '5' } }]);
    expect(data).toMatchObject({ createClient: { customFields: { ...customFields, decimal2: '5' } } });
  });

  test.each([
    ['integer1', 9007199254740992],
    ['integer1', '5'],
    ['integer1', 1.5],
    ['decimal1', 'much'],
    ['date1', '2026-02-30'],
    ['datetime1', 'tomorrow'],
    ['checkbox1', '1'],
  ])('the custom field %s rejects %j without a call', async (name, value) => {
    const { execute, sandbox } = await crmGateway();

    const { errors } = await execute(create, { variables: { input: { name: 'x', customFields: { [name]: value } } } });

    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(errors[0]?.message).toContain(`customFields.${name}`);
    expect(sandbox.calls()).toEqual([]);
  });

  test('every field that a refusal may name is mapped to its path in the input', async () => {
    const named = [...writable.map((field) => field.wire), 'external_ids'];
    const errors = Object.fromEntries(named.map((field) => [field, ['is odd']]));
    const { execute } = await crmOver({ [`POST /app/clients.json`]: refused(422, { errors }) });

    const { data } = await execute(create, { variables: { input: {} } });

    expect(fieldsOf(data)).toEqual([...writable.map(({ at }) => at), 'externalIds']);
  });
});

test.each(['upstream', 'global'])('updateClient changes only the given fields, in one call: %s id', async (form) => {
  const { ask, sandbox, bodies, makeClient } = await crmGateway();
  const id = await makeClient({ name: 'Old', city: 'Oslo', integer3: 3 });

  const input = { name: 'New', address: { postCode: '00-001' } };
  const data = await ask(update, {
    variables: { id: form === 'global' ? `Client:${id}` : id, input },
  });

  expect(data).toMatchObject({
    updateClient: { name: 'New', address: { postCode: '00-001', city: 'Oslo' }, customFields: { integer3: 3 } },
  });
  expect(sandbox.calls()).toEqual([UPDATE]);
  expect(bodies()).toEqual([{ api_token: '…', client: { name: 'New', post_code: '00-001' } }]);
});
