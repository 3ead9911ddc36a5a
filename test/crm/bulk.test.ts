import { expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';
import { crmGateway, REFUSAL } from './support.ts';

const create = `mutation ($inputs: [ClientInput!]!, $onFailure: OnFailure! = STOP) {
  createClients(inputs: $inputs, onFailure: $onFailure) { ${REFUSAL} ... on Client { name } }
}`;
const named = (...names: readonly string[]) => names.map((name) => ({ name }));

test('a bulk mutation gives one result per input in their order, each by one upstream call', async () => {
  const { ask, sandbox } = await crmGateway();

  const data = await ask(create, { variables: { inputs: named('Ada', 'Bob', 'Cy') } });

  expect(data).toEqual({ createClients: ['Ada', 'Bob', 'Cy'].map((name) => ({ __typename: 'Client', name })) });
  expect(sandbox.calls()).toEqual(Array(3).fill('POST /app/clients.json'));
});

test('after a refusal the later inputs are not attempted', async () => {
  const { ask, sandbox } = await crmGateway();

  expect(await ask(create, { variables: { inputs: named('Ada', '', 'Cy') } })).toMatchObject({
    createClients: [
      { __typename: 'Client', name: 'Ada' },
      { __typename: 'ValidationError' },
      { __typename: 'NotAttempted', message: 'Item 1 failed.' },
    ],
  });
  expect(sandbox.calls()).toHaveLength(2);
});

test('with CONTINUE a refusal costs its own input', async () => {
  const { execute, sandbox } = await crmGateway();

  const { data } = await execute(create, { variables: { inputs: named('Ada', '', 'Cy'), onFailure: 'CONTINUE' } });

  expect(data).toMatchObject({
    createClients: [{ name: 'Ada' }, { __typename: 'ValidationError' }, { name: 'Cy' }],
  });
  expect(sandbox.calls()).toHaveLength(3);
});

test('an input that is refused before any call costs itself, too', async () => {
  const { execute, sandbox, makeClient } = await crmGateway();
  const ids = [await makeClient(), 'Deal:7', await makeClient()];

  const { data } = await execute(
    `mutation ($ids: [ID!]!) { deleteClients(ids: $ids, onFailure: CONTINUE) { ${REFUSAL} ... on DeletedNode { deletedId deletedIds } } }`,
    { variables: { ids } },
  );

  expect(data).toMatchObject({
    deleteClients: [
      { deletedId: `Client:${ids[0]}`, deletedIds: [`Client:${ids[0]}`] },
      { __typename: 'ValidationError', fields: [{ field: 'id' }] },
      { deletedId: `Client:${ids[2]}` },
    ],
  });
  expect(sandbox.calls()).toEqual(Array(2).fill('DELETE /app/clients/:id.json'));
});

test('changes of several records name the field of the refused one', async () => {
  const { execute, makeClient } = await crmGateway();
  const [first, second] = [await makeClient(), await makeClient()];
  const inputs = [
    { id: first, input: { name: 'Ada' } },
    { id: second, input: { name: '' } },
  ];

  const { data } = await execute(
    `mutation ($inputs: [ClientChange!]!) { updateClients(inputs: $inputs) { ${REFUSAL} ... on Client { id name } } }`,
    { variables: { inputs } },
  );

  expect(data).toMatchObject({
    updateClients: [
      { id: `Client:${first}`, name: 'Ada' },
      { __typename: 'ValidationError', fields: [{ field: 'name' }] },
    ],
  });
});

test('an unknown outcome always stops, and stands at the place of its input', async () => {
  let answered = 0;
  const upstream = await stubUpstream((request, response) => {
    answered += 1;
    says(answered === 2 ? '{"error":"broken"}' : '{"id":1,"name":"Ada"}', { status: answered === 2 ? 500 : 201 })(
      request,
      response,
    );
  });
  const { execute } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url) }, 'token');

  const { data, errors } = await execute(create, {
    variables: { inputs: named('Ada', 'Bob', 'Cy'), onFailure: 'CONTINUE' },
  });

  expect(data).toEqual({
    createClients: [
      { __typename: 'Client', name: 'Ada' },
      null,
      { __typename: 'NotAttempted', message: 'Whether item 1 was applied is not known.' },
    ],
  });
  expect(errors).toMatchObject([
    { path: ['createClients', 1], extensions: { code: 'UPSTREAM_UNAVAILABLE', outcome: 'UNKNOWN' } },
  ]);
  expect(upstream.received).toHaveLength(2);
});

test('a failure that is certain does not stop with CONTINUE', async () => {
  const upstream = await stubUpstream(says('{}', { status: 429 }));
  const { execute } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url) }, 'token');

  const { data, errors } = await execute(create, {
    variables: { inputs: named('Ada', 'Bob'), onFailure: 'CONTINUE' },
  });

  expect(data).toEqual({ createClients: [null, null] });
  expect(errors).toMatchObject(
    [0, 1].map((at) => ({
      path: ['createClients', at],
      extensions: { code: 'UPSTREAM_RATE_LIMITED', outcome: 'REFUSED' },
    })),
  );
});

test('more inputs than MAX_BULK are refused before any call', async () => {
  const { execute, sandbox } = await crmGateway({ MAX_BULK: 2 });

  const { data, errors } = await execute(create, { variables: { inputs: named('Ada', 'Bob', 'Cy') } });

  expect(data).toEqual({ createClients: null });
  expect(errors).toMatchObject([
    {
      message: '`inputs` takes 2 items at most: see MAX_BULK.',
      extensions: { code: 'BAD_USER_INPUT', outcome: 'REFUSED' },
    },
  ]);
  expect(sandbox.calls()).toEqual([]);
});

test('inputs beyond the upstream calls of the operation are not attempted', async () => {
  const { ask, sandbox } = await crmGateway({ MAX_UPSTREAM_CALLS: 2 });

  expect(await ask(create, { variables: { inputs: named('Ada', 'Bob', 'Cy') } })).toMatchObject({
    createClients: [
      { name: 'Ada' },
      { name: 'Bob' },
      { message: 'The operation has no upstream call left: see MAX_UPSTREAM_CALLS.' },
    ],
  });
  expect(sandbox.calls()).toHaveLength(2);
});

test('inputs past the deadline are not attempted', async () => {
  const { execute, sandbox } = await crmGateway({ BULK_TIMEOUT_MS: 0 });

  const { data } = await execute(create, { variables: { inputs: named('Ada') } });

  expect(data).toMatchObject({
    createClients: [{ message: 'The time for this mutation is over: see BULK_TIMEOUT_MS.' }],
  });
  expect(sandbox.calls()).toEqual([]);
});

test('without a credential every input says so, and nothing is sent', async () => {
  const { execute, sandbox } = await crmGateway();

  const { data, errors } = await execute(create, { variables: { inputs: named('Ada', 'Bob') }, token: null });

  expect(data).toMatchObject({ createClients: [null, { __typename: 'NotAttempted' }] });
  expect(errors).toMatchObject([
    { path: ['createClients', 0], extensions: { code: 'UNAUTHENTICATED', outcome: 'REFUSED' } },
  ]);
  expect(sandbox.calls()).toEqual([]);
});

test.each([
  ['createDeals(inputs: [{name: "Chairs"}, {name: "Tables"}]) { ... on Deal { name } }', 'POST /app/deals.json'],
  ['createContacts(inputs: [{name: "Ada"}, {name: "Bob"}]) { ... on Contact { name } }', 'POST /app/contacts.json'],
  ['createPosts(inputs: [{title: "Ada"}, {title: "Bob"}]) { ... on Post { title } }', 'POST /app/posts.json'],
])('%s', async (field, endpoint) => {
  const { ask, sandbox } = await crmGateway();

  expect(await ask(`mutation { results: ${field} }`)).toEqual({ results: [expect.any(Object), expect.any(Object)] });
  expect(sandbox.calls()).toEqual([endpoint, endpoint]);
});

test('deals and contacts are changed and deleted one by one', async () => {
  const { ask, sandbox, makeDeal, makeContact } = await crmGateway();
  const [deal, contact] = [await makeDeal(), await makeContact()];

  const data = await ask(`mutation {
    updateDeals(inputs: [{id: "${deal}", input: {name: "Tables"}}]) { ... on Deal { name } }
    updateContacts(inputs: [{id: "${contact}", input: {name: "Ada"}}]) { ... on Contact { name } }
    deleteDeals(ids: ["${deal}"]) { ... on DeletedNode { deletedId } }
  }`);

  expect(data).toEqual({
    updateDeals: [{ name: 'Tables' }],
    updateContacts: [{ name: 'Ada' }],
    deleteDeals: [{ deletedId: `Deal:${deal}` }],
  });
  expect(sandbox.calls()).toEqual([
    'PUT /app/deals/:id.json',
    'PUT /app/contacts/:id.json',
    'DELETE /app/deals/:id.json',
  ]);
});
