import { describe, expect, test } from 'vitest';
import { crmGateway, crmOver, expectSent, fieldsOf, REFUSAL, refused } from './support.ts';

const CREATE = 'POST /app/deals.json';
const UPDATE = 'PUT /app/deals/:id.json';

const fields = 'id name description price clientId externalIds { system value }';
const create = `mutation ($input: DealInput!) { createDeal(input: $input) { ${REFUSAL} ... on Deal { ${fields} } } }`;
const update = `mutation ($id: ID!, $input: DealInput!) { updateDeal(id: $id, input: $input) { ${REFUSAL} ... on Deal { ${fields} } } }`;
const withClient = `mutation ($input: DealInput!) { createDeal(input: $input) { ${REFUSAL} ... on Deal { client { id name email externalId } } } }`;

describe('createDeal', () => {
  test('every field of the input reaches upstream, and comes back', async () => {
    const { ask, sandbox, bodies, makeClient } = await crmGateway();
    const client = await makeClient();

    const input = { name: 'Żółw', description: 'About', price: '19.90', externalIds: [{ system: 'shop', value: '7' }] };
    const data = await ask(create, {
      variables: { input: { ...input, clientId: `Client:${client}` } },
    });

    const deal = { ...input, externalIds: [{ system: 'shop', value: '7' }], clientId: client };
    expect(data).toEqual({ createDeal: { __typename: 'Deal', id: 'Deal:1', ...deal } });
    expect(sandbox.calls()).toEqual([CREATE]);
    const sent = { name: 'Żółw', description: 'About', price: '19.90', client_id: Number(client) };
    expect(bodies()).toEqual([{ api_token: '…', deal: { ...sent, external_ids: { shop: '7' } } }]);
  });

  test('a field that is left out or null is not sent', async () => {
    const nothing = { description: null, price: null };
    await expectSent(create, 'deal', [
      [{ name: 'x' }, { name: 'x' }],
      [{ name: 'x', ...nothing, externalIds: null, clientId: null, client: null }, { name: 'x' }],
      [{ clientId: null, client: { name: 'y' } }, { client: { name: 'y' } }],
      [{ client: { name: 'y', email: null, externalIds: null } }, { client: { name: 'y' } }],
    ]);
  });

  test('a price is sent to the last digit', async () => {
    const { execute, bodies } = await crmGateway();
    for (const price of ['12345678901234567890.123456789', '0.10', 1.5, '1e3', '-0.5', 12345678901234.5]) {
      await execute(create, { variables: { input: { name: 'x', price } } });
    }
    const sent = ['12345678901234567890.123456789', '0.10', '1.5', '1000', '-0.5', '12345678901234.5'];
    expect(bodies()).toMatchObject(sent.map((price) => ({ deal: { price } })));
  });

  test.each([2 ** 53, 1e300, 123456789012345.67, 'much', '', '1,5', true])(
    'the price %j is refused, for it cannot be kept exactly',
    async (price) => {
      const { execute, sandbox } = await crmGateway();
      const { errors } = await execute(create, { variables: { input: { name: 'x', price } } });
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
      expect(sandbox.calls()).toEqual([]);
    },
  );

  test('every field that a refusal may name is mapped to its path in the input', async () => {
    const paths = {
      ...{ name: 'name', description: 'description', price: 'price', client_id: 'clientId', client: 'client' },
      ...{
        external_ids: 'externalIds',
        'client.name': 'client.name',
        'client.email': 'client.email',
        'client.external_ids': 'client.externalIds',
      },
    };
    const errors = Object.fromEntries(Object.keys(paths).map((field) => [field, ['is odd']]));
    const { execute } = await crmOver({
      'POST /app/deals.json': refused(422, { errors }),
      'PUT /app/deals/1.json': refused(400, { message: errors }),
    });

    expect(fieldsOf((await execute(create, { variables: { input: {} } })).data)).toEqual(Object.values(paths));
    expect(fieldsOf((await execute(update, { variables: { id: 1, input: { name: '' } } })).data)).toEqual(
      Object.values(paths),
    );
  });
});

test('a refusal inside the key of the deal names its fields, and those of its client', async () => {
  const errors = { deal: { client_id: ['is odd'], name: ['is odd'] }, client: { external_ids: ['are odd'] } };
  const { execute } = await crmOver({ 'POST /app/deals.json': refused(422, { errors }) });
  const { data } = await execute(create, { variables: { input: {} } });
  expect(fieldsOf(data)).toEqual(['clientId', 'name', 'client.externalIds']);
});

test('the client of a new deal is created when no client matches', async () => {
  const { execute, sandbox } = await crmGateway();

  const client = { name: 'New', email: 'new@example.com', externalIds: [{ system: 'shop', value: 'A-3' }] };
  const { data } = await execute(withClient, { variables: { input: { name: 'x', client } } });

  const created = { id: 'Client:1', name: 'New', email: 'new@example.com', externalId: 'A-3' };
  expect(data).toMatchObject({ createDeal: { client: created } });
  expect(sandbox.calls()).toEqual([CREATE, 'GET /app/clients/:id.json']);
});

test('updateDeal changes only the given fields, in one call', async () => {
  const { execute, sandbox, bodies, makeClient, makeDeal } = await crmGateway();
  const client = await makeClient();
  const id = await makeDeal({ price: '5', external_ids: { shop: '1' } });

  for (const named of [id, `Deal:${id}`]) {
    const { data } = await execute(update, { variables: { id: named, input: { clientId: client } } });
    const deal = { name: 'Chairs', price: '5', clientId: client, externalIds: [{ system: 'shop', value: '1' }] };
    expect(data).toMatchObject({ updateDeal: deal });
  }
  expect(sandbox.calls()).toEqual([UPDATE, UPDATE]);
  expect(bodies()[0]).toEqual({ api_token: '…', deal: { client_id: Number(client) } });
});
