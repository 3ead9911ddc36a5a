import { describe, expect, test } from 'vitest';
import { gatewayOverText } from './support.ts';

// What a mutation says of the response of upstream. `test/outcomes` has the result of each mutation by the status.

test.each([
  [403, { error: 'forbidden' }, 'ForbiddenError', 'The flex API does not allow this to the caller.'],
  [404, { error: 'not_found' }, 'NotFoundError', 'There is no such record, or it is not visible to you.'],
  [409, { error: 'is locked' }, 'ConflictError', 'The record has changed, or another one is in the way.'],
  [400, { errors: { name: ['is odd'] } }, 'ValidationError', 'name: is odd'],
  [422, { errors: { name: ['is odd'] } }, 'ValidationError', 'name: is odd'],
  [200, { status: 'error', message: 'no' }, 'ValidationError', 'no'],
])('%i %j is a %s that says: %s', async (status, body, __typename, message) => {
  const { ask, received } = await gatewayOverText(JSON.stringify(body), { status });
  const data = await ask(
    'mutation { result: updateFlexDb(id: "a", input: { name: "x" }) { __typename ... on MutationError { message } } }',
  );
  expect(data).toEqual({ result: { __typename, message } });
  expect(received).toHaveLength(1);
});

describe('messages by field have GraphQL paths', () => {
  const fields = '... on ValidationError { fields { field messages } }';

  test.each([
    [
      'createFlexDb',
      'input: { name: "x" }',
      { app_id: ['odd'], public_methods: ['odd'], schema: ['odd'] },
      ['appId', 'publicMethods', 'schema'],
    ],
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
    const { execute } = await gatewayOverText(JSON.stringify({ errors }), { status: 422 });

    const { data } = await execute(`mutation { result: ${field}(${args}) { ${fields} } }`);

    expect(data).toEqual({
      result: { fields: expected.map((name) => ({ field: name, messages: expect.any(Array) })) },
    });
  });
});
