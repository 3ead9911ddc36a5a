import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { DEAD_ADDRESS, says, stubUpstream } from '../support/stub-upstream.ts';

// Responses that the CRM may send, and how the gateway reads them.

const CLIENT = '{ client(id: 1) { name note } }';
const RENAME = `mutation {
  updateClient(id: 1, input: { name: "x" }) {
    __typename
    ... on Client { name }
    ... on MutationError { message }
    ... on ValidationError { fields { field messages } }
  }
}`;
const DELETE =
  'mutation { deleteClient(id: 1) { __typename ... on DeletedNode { deletedId } ... on MutationError { message } } }';

const over = async (url: string, settings = {}) => gatewayOver(url, { CRM_URL: new URL(url), ...settings }, 'token');
const meeting = async (answer: RequestListener, settings = {}) => {
  const upstream = await stubUpstream(answer);
  return { ...(await over(upstream.url, settings)), upstream };
};
const json = (body: unknown, status = 200) => says(JSON.stringify(body), { status });

describe('a record that has a status and a message of its own', () => {
  test('is no refusal of a deletion', async () => {
    const { execute } = await meeting(json({ status: 'error', message: 'Nie można', id: 1 }));
    expect(await execute(DELETE)).toMatchObject({ data: { deleteClient: { deletedId: 'Client:1' } }, errors: [] });
  });

  test('is a record', async () => {
    const { execute } = await meeting(json({ id: 1, name: 'x', status: 'error', message: 'Nie można' }));
    expect(await execute('{ client(id: 1) { name } }')).toMatchObject({ data: { client: { name: 'x' } }, errors: [] });
  });
});

test('a creation answered with what is no JSON is done, with the fields that were sent; its id is not known', async () => {
  const { execute, upstream } = await meeting(says('ok'));
  const create = (selection: string) =>
    execute(`mutation { createClient(input: { name: "x" }) { __typename ... on Client { ${selection} } } }`);
  expect(await create('name')).toMatchObject({
    data: { createClient: { __typename: 'Client', name: 'x' } },
    errors: [],
  });
  const { data, errors } = await create('name upstreamId');
  expect(data).toEqual({ createClient: null }); // an id is never null
  expect(errors).toEqual([
    {
      message: 'The change was made, but the response does not tell the id of the record.',
      path: ['createClient', 'upstreamId'],
      locations: expect.any(Array),
      extensions: { code: 'UPSTREAM_BAD_RESPONSE', outcome: 'APPLIED' },
    },
  ]);
  expect(upstream.received).toEqual(['POST /app/clients.json', 'POST /app/clients.json']);
});

describe('422 names the fields as the input does', () => {
  const wrong = { post_code: ['jest za krótki'], external_ids: ['są zajęte'], integer1: ['nie jest liczbą'] };
  const fields = [
    { field: 'address.postCode', messages: ['jest za krótki'] },
    { field: 'externalIds', messages: ['są zajęte'] },
    { field: 'customFields.integer1', messages: ['nie jest liczbą'] },
  ];
  test.each([
    ['errors by field', { errors: wrong }],
    ["inside the record's key in the message", { code: 'error', message: { client: wrong } }],
    [
      "errors by field, with the record's key",
      { errors: Object.fromEntries(Object.entries(wrong).map(([field, messages]) => [`client.${field}`, messages])) },
    ],
  ])('%s', async (_name, body) => {
    const { execute } = await meeting(json(body, 422));
    const { data, errors } = await execute(RENAME);
    expect(errors).toEqual([]);
    expect(data).toEqual({ updateClient: { __typename: 'ValidationError', message: expect.any(String), fields } });
  });
});

describe('a record', () => {
  const record = (megabytes: number) => json({ id: 1, name: 'x', note: 'n'.repeat(megabytes * 1024 ** 2) });

  test('of 5 MB is answered', async () => {
    const { execute } = await meeting(record(5));
    const { data, errors } = await execute(CLIENT);
    expect(errors).toEqual([]);
    expect(JSON.stringify(data)).toHaveLength(
      5 * 1024 ** 2 + JSON.stringify({ client: { name: 'x', note: '' } }).length,
    );
  });

  test('of 9 MB is an error that names the setting', async () => {
    const { execute } = await meeting(record(9));
    const { data, errors } = await execute(CLIENT);
    expect(data).toEqual({ client: null });
    expect(errors).toMatchObject([
      {
        message: 'The crm API answered more than 8388608 bytes: raise MAX_RECORD_BYTES if that is meant to be.',
        extensions: { code: 'UPSTREAM_BAD_RESPONSE', upstream: { endpoint: 'GET /app/clients/:id.json' } },
      },
    ]);
  });
});

describe('one API costs its own fields only', () => {
  const ALL = '{ apiTokens { upstreamId } flexDbs { code } clients { totalCount } deal(id: 1) { name } }';
  const fine = { apiTokens: [{ upstreamId: '1' }], flexDbs: [] };
  const others: RequestListener = (request, response) =>
    says(request.url?.includes('/flex/') ? '[]' : '[{"id":1}]')(request, response);

  test('that is down, be it the CRM or another', async () => {
    const account = await stubUpstream(others);
    const dead = new URL(DEAD_ADDRESS);
    const crm = await stubUpstream((request, response) =>
      says(request.url?.includes('deals') ? '{"id":1,"name":"x"}' : '[]')(request, response),
    );
    const headers = { 'x-crm-token': 't' };
    const withoutCrm = await gatewayOver(account.url, { CRM_URL: dead }, 'token');
    expect((await withoutCrm.execute(ALL, { headers })).data).toEqual({ ...fine, clients: null, deal: null });
    const crmAlone = await gatewayOver(dead.href, { CRM_URL: new URL(crm.url) }, 'token');
    const { data, errors } = await crmAlone.execute(ALL, { headers });
    expect(data).toEqual({ apiTokens: null, flexDbs: null, clients: { totalCount: 0 }, deal: { name: 'x' } });
    expect(errors.map(({ path }) => path)).toEqual([['apiTokens'], ['flexDbs']]);
  });
});
