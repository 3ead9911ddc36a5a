import { describe, expect, test } from 'vitest';
import { gatewayOverAnswers } from '../account/support.ts';
import { flexGateway, flexShop, REFUSAL } from './support.ts';

const REPLACE = 'PATCH /flex/dbs/:id/replace.json';

const replace = `mutation ($id: ID!, $input: ReplaceInFlexDbInput!) {
  replaceInFlexDb(id: $id, input: $input) {
    ${REFUSAL} ... on FlexDb { id schema publicMethods { operation allowedFields } }
  }
}`;

const schema = { fields: { name: 'string', alias: 'string' } };

describe('replaceInFlexDb', () => {
  test.each([
    ['FIELDS', '"name"', '"title"', 'fields', { fields: { title: 'string', alias: 'string' } }],
    ['SCHEMA', '"alias":"string"', '"alias":"text"', 'schema', { fields: { name: 'string', alias: 'text' } }],
    ['SCHEMA', ',"alias":"string"', '', 'schema', { fields: { name: 'string' } }],
  ])('edits the part %s as text, replacing %s by %s', async (field, oldString, newString, wire, after) => {
    const { ask, sandbox, bodies, db: id } = await flexShop([], { schema });

    expect(await ask(replace, { variables: { id, input: { field, oldString, newString } } })).toMatchObject({
      replaceInFlexDb: { __typename: 'FlexDb', id: `FlexDb:${id}`, schema: after },
    });
    expect(sandbox.calls()).toEqual([REPLACE]);
    expect(bodies()).toEqual([{ field: wire, old_string: oldString, new_string: newString }]);
  });

  test('edits the public methods of a database given by its code', async () => {
    const { ask, sandbox } = await flexShop([], { public_methods: { list: { allowed_fields: ['a'] } } });

    const input = { field: 'PUBLIC_METHODS', oldString: '"a"', newString: '"a","b"', replaceAll: false };
    expect(await ask(replace, { variables: { id: 'shop', input } })).toMatchObject({
      replaceInFlexDb: { publicMethods: [{ operation: 'LIST', allowedFields: ['a', 'b'] }] },
    });
    expect(sandbox.calls()).toEqual([REPLACE]);
  });

  test('a text that occurs several times is refused without `replaceAll`', async () => {
    const { execute, db: id } = await flexShop([], { schema });
    const input = { field: 'SCHEMA', oldString: '"string"', newString: '"text"' };

    const once = await execute(replace, { variables: { id, input } });
    expect(once.data).toMatchObject({
      replaceInFlexDb: { __typename: 'ValidationError', message: expect.stringContaining('not unique') },
    });
    const all = await execute(replace, { variables: { id, input: { ...input, replaceAll: true } } });
    expect(all.data).toMatchObject({ replaceInFlexDb: { schema: { fields: { name: 'text', alias: 'text' } } } });
  });

  test('GraphQL refuses an unknown part before any call', async () => {
    const { execute, sandbox } = await flexGateway();

    for (const field of ['name', 'NAME', 'schema']) {
      const { errors } = await execute(replace, {
        variables: { id: 'a', input: { field, oldString: 'x', newString: '' } },
      });
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    }
    expect(sandbox.calls()).toEqual([]);
  });

  test('a response without the database makes the gateway read the database', async () => {
    const { ask, received } = await gatewayOverAnswers({
      'PATCH /flex/dbs/a/replace.json': { success: true },
      'GET /flex/dbs/a.json': { id: 'a', schema, public_methods: null },
    });

    const input = { field: 'SCHEMA', oldString: 'x', newString: 'y' };
    expect(await ask(replace, { variables: { id: 'a', input } })).toMatchObject({
      replaceInFlexDb: { id: 'FlexDb:a', schema },
    });
    expect(received).toEqual(['PATCH /flex/dbs/a/replace.json', 'GET /flex/dbs/a.json']);
  });
});
