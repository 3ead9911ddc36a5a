import { describe, expect, test } from 'vitest';
import { gatewayOverAnswers } from '../account/support.ts';
import { DB, flexGateway, flexShop, REFUSAL } from './support.ts';

const methods = `publicMethods {
  operation allowedFields requiredFields defaultValues autoFields { field value } allowedParams scopeBy
}`;
const unrestricted = {
  allowedFields: null,
  requiredFields: null,
  defaultValues: null,
  autoFields: null,
  allowedParams: null,
  scopeBy: null,
};
/** A method as `publicMethods` reads it, with no options but these. */
const method = (operation: string | null, options: object = {}) => ({ ...unrestricted, operation, ...options });
const autoFields = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([field, value]) => ({ field, value }));

const update = `mutation ($id: ID!, $methods: [FlexPublicMethodInput!]) {
  updateFlexDb(id: $id, input: { publicMethods: $methods }) { ${REFUSAL} }
}`;

/** The request body of an update of the public methods. */
async function sent(methods: unknown) {
  const { ask, sent } = await gatewayOverAnswers({ 'PATCH /flex/dbs/a.json': { id: 'a' } });
  expect(await ask(update, { variables: { id: 'a', methods } })).toEqual({ updateFlexDb: { __typename: 'FlexDb' } });
  return sent.map((body): unknown => JSON.parse(body));
}

describe('publicMethods', () => {
  test('publicMethods returns typed objects with every option, in the order of the document', async () => {
    const auto_fields = { ip: '{ip}', key: '{cookie_key}', by: '{user_name}', id: '{user_id}' };
    const { ask, sandbox } = await flexShop([], {
      code: 'book',
      public_methods: {
        search: { allowed_params: ['q', 'limit'] },
        create: {
          allowed_fields: ['text'],
          required_fields: ['text'],
          default_values: { stars: 5, tags: null },
          auto_fields,
        },
        list: { auto_fields: { key: '{cookie_key}' }, scope_by: 'key' },
        get: true,
        delete: false,
      },
    });

    expect(await ask(`{ flexDb(id: "book") { ${methods} } }`)).toEqual({
      flexDb: {
        publicMethods: [
          method('LIST', { autoFields: autoFields({ key: '{cookie_key}' }), scopeBy: 'key' }),
          method('GET'),
          method('CREATE', {
            allowedFields: ['text'],
            requiredFields: ['text'],
            defaultValues: { stars: 5, tags: null },
            autoFields: autoFields(auto_fields),
          }),
          method('SEARCH', { allowedParams: ['q', 'limit'] }),
        ],
      },
    });
    expect(sandbox.calls()).toEqual([DB]);
  });

  test('publicMethods is null without a configuration, and empty when all methods are off', async () => {
    const { ask, makeDb } = await flexGateway();
    makeDb({ code: 'none' });
    makeDb({ code: 'off', public_methods: { list: false, get: null } });

    expect(await ask(`{ none: flexDb(id: "none") { ${methods} } off: flexDb(id: "off") { ${methods} } }`)).toEqual({
      none: { publicMethods: null },
      off: { publicMethods: [] },
    });
  });

  test('an invalid option fails its own field only, and an unknown method is named by its text', async () => {
    const public_methods = { list: { allowed_fields: 'a', scope_by: 'key' }, explode: true, get: {} };
    const { execute } = await gatewayOverAnswers({ 'GET /flex/dbs/a.json': { id: 'a', public_methods } });

    const { data, errors } = await execute(`{ flexDb(id: "a") { ${methods} } }`);

    expect(data).toEqual({
      flexDb: {
        publicMethods: [method('LIST', { scopeBy: 'key' }), method('GET'), method(null)],
      },
    });
    expect(errors.map(({ path, extensions }) => [path?.join('.'), extensions['code']]).sort()).toEqual([
      ['flexDb.publicMethods.0.allowedFields', 'UPSTREAM_BAD_RESPONSE'],
      ['flexDb.publicMethods.2.operation', 'UPSTREAM_BAD_RESPONSE'],
    ]);
    expect(await execute('{ flexDb(id: "a") { publicMethods { operationText } publicMethodsRaw } }')).toMatchObject({
      data: {
        flexDb: {
          publicMethods: ['list', 'get', 'explode'].map((operationText) => ({ operationText })),
          publicMethodsRaw: public_methods,
        },
      },
      errors: [],
    });
  });
});

describe('writing public methods', () => {
  test('a method without options is sent as true, one with options as an object', async () => {
    const input = [
      { operation: 'LIST' },
      { operation: 'GET', allowedFields: null, autoFields: null },
      {
        operation: 'CREATE',
        allowedFields: ['a'],
        requiredFields: ['a'],
        defaultValues: { b: null },
        autoFields: autoFields({ ip: '{ip}', key: '{cookie_key}' }),
        scopeBy: 'key',
      },
      { operation: 'SEARCH', allowedParams: [] },
    ];

    expect(await sent(input)).toEqual([
      {
        db: {
          public_methods: {
            list: true,
            get: true,
            create: {
              allowed_fields: ['a'],
              required_fields: ['a'],
              default_values: { b: null },
              auto_fields: { ip: '{ip}', key: '{cookie_key}' },
              scope_by: 'key',
            },
            search: { allowed_params: [] },
          },
        },
      },
    ]);
  });

  test('an empty list switches all methods off, and null clears them', async () => {
    expect(await sent([])).toEqual([{ db: { public_methods: {} } }]);
    expect(await sent(null)).toEqual([{ db: { public_methods: null } }]);
  });
});

describe('a duplicate is refused before any call, because it would be lost', () => {
  test.each([
    [
      'a method that appears twice',
      [{ operation: 'LIST' }, { operation: 'GET' }, { operation: 'LIST' }],
      '2.operation',
    ],
    [
      'an automatic field that appears twice',
      [
        { operation: 'GET' },
        {
          operation: 'CREATE',
          autoFields: [
            { field: 'a', value: '{ip}' },
            { field: 'a', value: '{user_id}' },
          ],
        },
      ],
      '1.autoFields.1.field',
    ],
  ])('%s', async (_name, methods, field) => {
    const { ask, received } = await gatewayOverAnswers({});

    expect(await ask(update, { variables: { id: 'a', methods } })).toMatchObject({
      updateFlexDb: { __typename: 'ValidationError', fields: [{ field: `publicMethods.${field}` }] },
    });
    expect(received).toEqual([]);
  });

  test.each([
    ['an unknown operation', [{ operation: 'EXPLODE' }]],
    ['an unknown option', [{ operation: 'GET', allowed_fields: ['a'] }]],
    ['options in place of a list', { list: true }],
  ])('GraphQL refuses %s', async (_name, methods) => {
    const { execute, received } = await gatewayOverAnswers({});

    const { errors } = await execute(update, { variables: { id: 'a', methods } });

    expect(errors).not.toEqual([]);
    expect(errors[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } });
    expect(received).toEqual([]);
  });
});
