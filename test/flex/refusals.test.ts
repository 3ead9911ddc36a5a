import { describe, expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// The result of each mutation for a failure status of upstream: a refusal is a member of the result union.

const mutations = [
  ['createFlexDb', 'input: { name: "x" }', 'POST /flex/dbs.json'],
  ['updateFlexDb', 'id: "a", input: {}', 'PATCH /flex/dbs/:id.json'],
  [
    'replaceInFlexDb',
    'id: "a", input: { field: SCHEMA, oldString: "a", newString: "" }',
    'PATCH /flex/dbs/:id/replace.json',
  ],
  ['deleteFlexDb', 'id: "FlexDb:7"', 'DELETE /flex/dbs/:id.json'],
  ['createFlexRecord', 'db: "FlexDb:7", input: { table: "t", data: {} }', 'POST /flex/dbs/:db_id/records.json'],
  [
    'updateFlexRecord',
    'id: "FlexRecord:7:b", input: { table: "t", data: {} }',
    'PATCH /flex/dbs/:db_id/records/:id.json',
  ],
  ['deleteFlexRecord', 'id: "FlexRecord:7:b"', 'DELETE /flex/dbs/:db_id/records/:id.json'],
  ['createPublicFlexRecord', 'code: "a", data: {}', 'POST /flex/db/:db_code/create'],
  ['updatePublicFlexRecord', 'code: "a", id: "b", data: {}', 'POST /flex/db/:db_code/update'],
  ['deletePublicFlexRecord', 'code: "a", id: "b"', 'POST /flex/db/:db_code/delete'],
] as const;

/** Runs one mutation over an upstream with this response. */
async function answered(field: string, args: string, status: number, body: unknown) {
  const upstream = await stubUpstream(says(JSON.stringify(body), { status }));
  const { execute } = await gatewayOver(upstream.url, {}, 'token');
  const result = await execute(
    `mutation { result: ${field}(${args}) { __typename ... on MutationError { message } } }`,
  );
  return { ...result, received: upstream.received };
}

describe.each(mutations)('%s', (field, args, endpoint) => {
  test('403 is a ForbiddenError', async () => {
    const { data, errors, received } = await answered(field, args, 403, { error: 'forbidden' });

    expect(errors).toEqual([]);
    expect(data).toEqual({
      result: { __typename: 'ForbiddenError', message: 'The flex API does not allow this to the caller.' },
    });
    expect(received).toHaveLength(1);
  });

  test.each([
    [404, { error: 'not_found' }, 'NotFoundError', 'There is no such record, or it is not visible to you.'],
    [409, { error: 'is locked' }, 'ConflictError', 'The record has changed, or another one is in the way.'],
    [400, { errors: { name: ['is odd'] } }, 'ValidationError', 'name: is odd'],
    [422, { errors: { name: ['is odd'] } }, 'ValidationError', 'name: is odd'],
  ])('%i %j is a %s', async (status, body, __typename, message) => {
    const { data, errors, received } = await answered(field, args, status, body);

    expect(errors).toEqual([]);
    expect(data).toEqual({ result: { __typename, message } });
    expect(received).toHaveLength(1);
  });

  test('another failure is an error of the field, and its message says that the outcome is unknown', async () => {
    const { data, errors, received } = await answered(field, args, 503, {});

    expect(data).toEqual({ result: null });
    expect(errors).toMatchObject([
      {
        path: ['result'],
        message: expect.stringContaining('not known'),
        extensions: {
          code: 'UPSTREAM_UNAVAILABLE',
          outcome: 'UNKNOWN',
          upstream: { api: 'flex', endpoint, status: 503 },
        },
      },
    ]);
    expect(received).toHaveLength(1);
  });

  test('a refusal with status 200 is a refusal, too', async () => {
    const { data, errors } = await answered(field, args, 200, { status: 'error', message: 'no' });

    expect(errors).toEqual([]);
    expect(data).toEqual({ result: { __typename: 'ValidationError', message: 'no' } });
  });
});

describe('messages by field have GraphQL paths', () => {
  const fields = '... on ValidationError { fields { field messages } }';

  test.each([
    ['createFlexDb', 'input: { name: "x" }', { app_id: ['odd'], public_methods: ['odd'] }, ['appId', 'publicMethods']],
    [
      'createFlexRecord',
      'db: "FlexDb:7", input: { table: "t", data: {} }',
      { table_name: ['odd'], a_b: ['odd'] },
      ['table', 'data.a_b'],
    ],
    ['createFlexRecord', 'db: "FlexDb:7", input: { table: "t", data: {} }', { data: ['must be an object'] }, ['data']],
    [
      'createFlexRecord',
      'db: "FlexDb:7", input: { table: "t", data: {} }',
      { 'data.a': ['odd'], 'record.data.b': ['odd'], message: ['odd'], '': ['odd'] },
      ['data.a', 'data.b', 'data.message', 'data'],
    ],
    [
      'createPublicFlexRecord',
      'code: "a", data: {}',
      { 'data.a': ['odd'], message: ['odd'] },
      ['data.a', 'data.message'],
    ],
    ['updateFlexRecord', 'id: "FlexRecord:7:b", input: { table: "t", data: {} }', { table_name: ['odd'] }, ['table']],
    ['createPublicFlexRecord', 'code: "a", data: {}', { first_name: ['is required'] }, ['data.first_name']],
    ['updatePublicFlexRecord', 'code: "a", id: "b", data: {}', { first_name: ['is odd'] }, ['data.first_name']],
  ])('%s: %j', async (field, args, errors, expected) => {
    const upstream = await stubUpstream(says(JSON.stringify({ errors }), { status: 422 }));
    const { execute } = await gatewayOver(upstream.url, {}, 'token');

    const { data } = await execute(`mutation { result: ${field}(${args}) { ${fields} } }`);

    expect(data).toEqual({
      result: { fields: expected.map((name) => ({ field: name, messages: expect.any(Array) })) },
    });
  });
});
