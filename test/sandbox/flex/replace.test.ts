import { expect, test } from 'vitest';
import { flexSandbox } from './support.ts';

const single = { fields: { a: 'string', b: 'string' }, indexed_fields: ['a'] };
const methods = { list: true, create: { allowed_fields: ['a'] } };

/** A database, and edits of it. */
async function edited(fields?: object) {
  const context = await flexSandbox();
  await context.makeDatabase(fields ?? { schema: single, public_methods: methods });
  const edit = (field: unknown, old_string: unknown, new_string?: unknown, more: object = {}) =>
    context.as('PATCH', '/flex/dbs/d/replace.json', { field, old_string, new_string, ...more });
  const read = async () => (await context.as('GET', '/flex/dbs/d.json')).body;
  return { ...context, edit, read };
}

test.each([
  ['fields', '"a":"string"', '"a":"text"', { schema: { fields: { a: 'text', b: 'string' }, indexed_fields: ['a'] } }],
  ['schema', '["a"]', '["a","b"]', { schema: { ...single, indexed_fields: ['a', 'b'] } }],
  ['public_methods', '"list":true,', '', { public_methods: { create: { allowed_fields: ['a'] } } }],
  ['public_methods', '"list":true,', undefined, { public_methods: { create: { allowed_fields: ['a'] } } }],
])('%s: %s is replaced by %j in the stored text', async (field, old_string, new_string, expected) => {
  const { edit, read } = await edited();
  const { status, body } = await edit(field, old_string, new_string);
  expect({ status, body }).toMatchObject({ status: 200, body: expected });
  expect(await read()).toEqual(body);
});

test('replace_all replaces every occurrence', async () => {
  const { edit } = await edited();
  expect(await edit('fields', 'string', 'text', { replace_all: true })).toMatchObject({
    status: 200,
    body: { schema: { fields: { a: 'text', b: 'text' } } },
  });
});

test('new_string is taken as it is: $ has no meaning', async () => {
  const { edit } = await edited();
  expect((await edit('fields', '"b"', '"$&$1$$"')).body).toMatchObject({
    schema: { fields: { a: 'string', '$&$1$$': 'string' } },
  });
});

test('replacing a part of the schema rebuilds the index columns', async () => {
  const { edit, makeRecord, search } = await edited();
  await makeRecord({ a: 'x', b: 'yes' });
  expect(await search({ q: 'yes' })).toEqual([]);
  await edit('schema', '["a"]', '["b"]');
  expect(await search({ q: 'yes' })).toHaveLength(1);
  expect(await search({ 'filter[b]': 'yes' })).toHaveLength(1);
});

test.each([
  [{ field: 'name', old_string: 'a' }, 'field must be one of fields, schema, public_methods'],
  [{ old_string: 'a' }, 'field must be one of'],
  [{ field: 'constructor', old_string: 'a' }, 'field must be one of'],
  [{ field: 'schema' }, 'old_string is required'],
  [{ field: 'schema', old_string: '' }, 'old_string is required'],
  [{ field: 'schema', old_string: 7 }, 'old_string is required'],
  [{ field: 'schema', old_string: 'nowhere' }, 'old_string not found in schema'],
  [{ field: 'fields', old_string: 'indexed_fields' }, 'old_string not found in fields'],
  [{ field: 'fields', old_string: 'string', new_string: 'text' }, 'old_string is not unique, use replace_all: true'],
  [{ field: 'fields', old_string: 'string', replace_all: false }, 'old_string is not unique'],
  [{ field: 'schema', old_string: '["a"]', new_string: 7 }, 'new_string must be a string'],
  [{ field: 'schema', old_string: '["a"]', replace_all: 'yes' }, 'replace_all must be true or false'],
  [{ field: 'schema', old_string: '}', replace_all: true }, 'the result is not valid JSON'],
  [{ field: 'schema', old_string: '["a"]', new_string: '["a\0"]' }, 'the result is not valid JSON'],
  [
    { field: 'schema', old_string: '"', new_string: 'x'.repeat(1_000_000), replace_all: true },
    'the result is too long',
  ],
  [undefined, 'field must be one of'],
])('%j is refused with 422 and a text', async (body, error) => {
  const { as, read } = await edited();
  const before = await read();
  expect(await as('PATCH', '/flex/dbs/d/replace.json', body)).toMatchObject({
    status: 422,
    body: { error: expect.stringContaining(error) },
  });
  expect(await read()).toEqual(before);
});

test.each([
  ['schema', '"a":"string"', '"a":"money"', 'schema'],
  ['schema', '["a"]', '["z"]', 'schema'],
  ['schema', '"fields"', '"tables"', 'schema'],
  ['fields', '"a"', '"z"', 'schema'],
  ['public_methods', 'create', 'destroy', 'public_methods'],
])('%s: a result that is not valid (%s → %s) is refused by field, and nothing changes', async (field, from, to, by) => {
  const { edit, read } = await edited();
  const before = await read();
  expect(await edit(field, from, to)).toMatchObject({ status: 422, body: { errors: { [by]: expect.any(Array) } } });
  expect(await read()).toEqual(before);
});

test('old_string is not found in a definition that is not set, or in fields of a database with several tables', async () => {
  for (const fields of [{}, { schema: { tables: { t: single } } }]) {
    const { edit } = await edited(fields);
    for (const field of ['fields', 'public_methods']) expect((await edit(field, 'a')).status).toBe(422);
  }
});
