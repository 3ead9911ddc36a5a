import { describe, expect, test } from 'vitest';
import { DB, DBS, flexShop, gatewayOverText, REFUSAL } from './support.ts';

// Mutations of definitions with `dryRun`: they write nothing, and answer the database as it would be.

const DEFINITION = 'name code appId schema publicMethodsRaw tables { name fields { name indexColumn } }';
const RESULT = `${REFUSAL} ... on FlexDb { ${DEFINITION} } ... on FlexDbPlan { ${DEFINITION} }`;

const mutations = {
  createFlexDb: `mutation ($input: CreateFlexDbInput!, $dryRun: Boolean! = false) {
    result: createFlexDb(input: $input, dryRun: $dryRun) { ${RESULT} }
  }`,
  updateFlexDb: `mutation ($id: ID!, $input: UpdateFlexDbInput!, $dryRun: Boolean! = false) {
    result: updateFlexDb(id: $id, input: $input, dryRun: $dryRun) { ${RESULT} }
  }`,
  replaceInFlexDb: `mutation ($id: ID!, $input: ReplaceInFlexDbInput!, $dryRun: Boolean! = false) {
    result: replaceInFlexDb(id: $id, input: $input, dryRun: $dryRun) { ${RESULT} }
  }`,
};

/** The input of an edit, with `replaceAll` where it is given. */
const edit = (field: string, oldString: string, newString: string, replaceAll?: boolean | null) => ({
  ...{ field, oldString, newString },
  ...(replaceAll !== undefined && { replaceAll }),
});

type Input = Readonly<Record<string, unknown>>;
type Row = readonly [change: string, mutation: keyof typeof mutations, input: Input, reads: readonly string[]];

const app = '0a1b2c3d-0000-4000-8000-000000000001';

const rows: readonly Row[] = [
  ['a database without a schema', 'createFlexDb', { name: 'New', code: '', appId: app }, [DBS]],
  [
    'a database of one table',
    'createFlexDb',
    {
      name: 'New',
      code: 'new',
      schema: {
        table: {
          fields: ['a', 'b', 'c', 'd'].map((name) => ({ name, type: 'STRING', required: name === 'a' })),
          indexedFields: ['d', 'c', 'b', 'a'],
        },
      },
      publicMethods: [{ operation: 'LIST' }, { operation: 'GET', allowedFields: ['a'] }],
    },
    [DBS],
  ],
  ['a new name', 'updateFlexDb', { name: 'New' }, [DB]],
  ['a new code', 'updateFlexDb', { code: 'new' }, [DB, DBS]],
  ['the same code', 'updateFlexDb', { code: 'shop' }, [DB]],
  [
    'no code, no methods and no application',
    'updateFlexDb',
    { code: null, publicMethodsRaw: null, appId: '' },
    [DB, DBS],
  ],
  [
    'other tables',
    'updateFlexDb',
    {
      schema: {
        tables: [
          { name: 'a', fields: [{ name: 'at', type: 'DATE' }], indexes: [{ column: 'idx_time_2', field: 'at' }] },
          { name: 'b', fields: [{ name: 'n', type: 'INTEGER' }], indexedFields: ['n'] },
        ],
      },
    },
    [DB],
  ],
  ['a field with another name', 'replaceInFlexDb', edit('FIELDS', '"name"', '"title"'), [DB]],
  ['another type of all fields', 'replaceInFlexDb', edit('SCHEMA', '"string"', '"text"', true), [DB]],
  ['one public method less', 'replaceInFlexDb', edit('PUBLIC_METHODS', '"list":true,', '', null), [DB]],
];

async function shop() {
  const { db: id, ...over } = await flexShop([], {
    app_id: app,
    schema: { fields: { name: 'string', alias: 'string', age: 'integer' }, indexed_fields: ['age'] },
    public_methods: { list: true, get: { allowed_fields: ['name'] } },
  });
  return { ...over, id };
}

describe('dryRun', () => {
  test.each(rows)('%s by %s is planned without a write, and done as planned', async (_change, name, input, reads) => {
    const { execute, sandbox, id } = await shop();
    const run = (dryRun?: boolean) => execute(mutations[name], { variables: { id, input, dryRun } });

    const planned = await run(true);
    expect(planned.errors).toEqual([]);
    expect(planned.data).toMatchObject({ result: { __typename: 'FlexDbPlan' } });
    expect(sandbox.calls()).toEqual(reads);

    const done = await run();
    expect(done.errors).toEqual([]);
    expect(sandbox.requests.slice(reads.length).map(({ method }) => method)).not.toEqual(['GET']);
    const [plan, database] = [planned, done].map(({ data }) => ({ ...Object(data).result, __typename: '' }));
    expect(plan).toEqual(database);
  });

  test.each([
    ['createFlexDb', 'input: { name: "x" }'],
    ['updateFlexDb', 'id: "shop", input: { name: "x" }'],
    ['replaceInFlexDb', 'id: "shop", input: { field: SCHEMA, oldString: "name", newString: "title" }'],
  ])('null for %s writes nothing', async (field, args) => {
    const { execute, sandbox } = await shop();
    for (const document of [
      `mutation { ${field}(${args}, dryRun: null) { __typename } }`,
      `mutation ($dryRun: Boolean) { ${field}(${args}, dryRun: $dryRun) { __typename } }`,
      `mutation ($dryRun: Boolean! = false) { ${field}(${args}, dryRun: $dryRun) { __typename } }`,
    ]) {
      expect((await execute(document, { variables: { dryRun: null } })).errors).toMatchObject([
        { message: expect.stringMatching(/null|"Boolean!"/) },
      ]);
    }
    expect(sandbox.calls()).toEqual([]);
  });

  test('the columns of each table are those that upstream would fill', async () => {
    const { execute, id } = await shop();
    const schema = {
      fields: { a: 'text', b: 'string', c: 'text', d: 'string', at: { type: 'time', required: true }, on: 'boolean' },
      indexed_fields: ['at', 'on', 'd', 'c', 'b', 'a'],
    };
    const { data } = await execute(mutations.updateFlexDb, {
      variables: { id, input: { schema: { raw: schema } }, dryRun: true },
    });
    const columns = { a: null, b: 'idx_str_3', c: 'idx_str_2', d: 'idx_str_1', at: 'idx_time_1', on: null };
    const fields = Object.entries(columns).map(([name, indexColumn]) => ({ name, indexColumn }));
    expect(data).toMatchObject({ result: { tables: [{ name: null, fields }] } });
  });
});

describe('a dry run is refused where the mutation would be', () => {
  const METHODS = '{"list":true,"get":{"allowed_fields":["name"]}}';

  test.each<readonly [string, keyof typeof mutations, Input, string, readonly string[]]>([
    ['a code of another database', 'createFlexDb', { name: 'x', code: 'other' }, 'code', [DBS]],
    ['a code of another database', 'updateFlexDb', { code: 'other' }, 'code', [DB, DBS]],
    ['two ways to give methods', 'updateFlexDb', { publicMethods: [], publicMethodsRaw: {} }, 'publicMethodsRaw', []],
    ['no text to replace', 'replaceInFlexDb', edit('SCHEMA', '', ''), 'oldString', [DB]],
    ['a text that is not there', 'replaceInFlexDb', edit('FIELDS', '?', ''), 'oldString', [DB]],
    ['a text that occurs twice', 'replaceInFlexDb', edit('SCHEMA', 'string', 'text'), 'oldString', [DB]],
    ['what leaves no JSON', 'replaceInFlexDb', edit('SCHEMA', '"name"', 'name'), 'newString', [DB]],
    ['what leaves no object', 'replaceInFlexDb', edit('PUBLIC_METHODS', METHODS, '[]'), 'newString', [DB]],
    ['more than upstream takes', 'replaceInFlexDb', edit('SCHEMA', '"', '"'.repeat(600_000), true), 'newString', [DB]],
  ])('%s by %s', async (_why, name, input, field, reads) => {
    const { ask, sandbox, id, makeDb } = await shop();
    makeDb({ code: 'other' });

    expect(await ask(mutations[name], { variables: { id, input, dryRun: true } })).toMatchObject({
      result: { __typename: 'ValidationError', fields: [{ field }] },
    });
    expect(sandbox.calls()).toEqual(reads);
  });

  test('a database that does not exist is a NotFoundError', async () => {
    const { ask, sandbox } = await shop();
    for (const [query, input] of [
      [mutations.updateFlexDb, { name: 'x' }],
      [mutations.replaceInFlexDb, edit('SCHEMA', 'a', 'b')],
    ] as const) {
      expect(await ask(query, { variables: { id: 'gone', input, dryRun: true } })).toMatchObject({
        result: { __typename: 'NotFoundError' },
      });
    }
    expect(sandbox.calls()).toEqual([DB, DB]);
  });

  test('a caller without a valid token plans nothing', async () => {
    const { execute } = await shop();
    const variables = { input: { name: 'x' }, dryRun: true };
    expect((await execute(mutations.createFlexDb, { variables, token: 'wrong' })).errors).toMatchObject([
      { extensions: { code: 'UNAUTHENTICATED' } },
    ]);
  });
});

test('a part with a whole number beyond 2^53 has no known text: the dry run of an edit is an error', async () => {
  const database = '{"id":7,"public_methods":{"create":{"default_values":{"n":9007199254740993}}}}';
  const { execute, received } = await gatewayOverText(database);
  const input = edit('PUBLIC_METHODS', 'create', 'list');

  const { errors } = await execute(mutations.replaceInFlexDb, { variables: { id: 'FlexDb:7', input, dryRun: true } });

  expect(errors).toMatchObject([{ message: expect.stringContaining('has more digits than JavaScript holds') }]);
  expect(received).toEqual(['GET /flex/dbs/7.json']);
});

test('a dry run that fails changed nothing', async () => {
  const { execute, received } = await gatewayOverText('{}', { status: 500 });

  const { errors } = await execute(mutations.updateFlexDb, {
    variables: { id: '7', input: { name: 'x' }, dryRun: true },
  });

  expect(errors).toMatchObject([{ path: ['result'], extensions: { outcome: 'REFUSED' } }]);
  expect(new Set(received)).toEqual(new Set(['GET /flex/dbs/7.json']));
});
