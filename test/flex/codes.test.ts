import { describe, expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

// The id or code of a database, and the id of a record, stay within their path segment. The upstream of these tests
// answers every request and records it.

/** Each field that puts an id or code into a path, and its calls, with that name as `:name`. Upstream's own id is 1. */
const FIELDS: readonly [field: string, operation: string, calls: readonly string[]][] = [
  ['flexDb', 'query ($id: ID!) { flexDb(id: $id) { name } }', ['GET /flex/dbs/:name.json']],
  ['node', 'query ($id: ID!) { node(id: $id) { id ... on FlexDb { name } } }', ['GET /flex/dbs/:name.json']],
  [
    'updateFlexDb',
    'mutation ($id: ID!) { updateFlexDb(id: $id, input: { name: "x" }) { __typename } }',
    ['PATCH /flex/dbs/:name.json'],
  ],
  [
    'replaceInFlexDb',
    'mutation ($id: ID!) { replaceInFlexDb(id: $id, input: { field: SCHEMA, oldString: "a", newString: "" }) { __typename } }',
    ['PATCH /flex/dbs/:name/replace.json'],
  ],
  [
    'deleteFlexDb',
    'mutation ($id: ID!) { deleteFlexDb(id: $id) { __typename } }',
    ['GET /flex/dbs/:name.json', 'DELETE /flex/dbs/1.json'],
  ],
  [
    'createFlexRecord',
    'mutation ($id: ID!) { createFlexRecord(db: $id, input: { data: {} }) { __typename } }',
    ['GET /flex/dbs/:name.json', 'POST /flex/dbs/1/records.json'],
  ],
  [
    'publicFlexDb.list',
    'query ($id: String!) { publicFlexDb(code: $id) { list { nodes { id } } } }',
    ['POST /flex/db/:name/list'],
  ],
  [
    'publicFlexDb.get',
    'query ($id: String!) { publicFlexDb(code: $id) { get(id: 1) { id } } }',
    ['POST /flex/db/:name/get'],
  ],
  [
    'publicFlexDb.search',
    'query ($id: String!) { publicFlexDb(code: $id) { search { nodes { id } } } }',
    ['POST /flex/db/:name/search'],
  ],
  [
    'createPublicFlexRecord',
    'mutation ($id: String!) { createPublicFlexRecord(code: $id, data: {}) { __typename } }',
    ['POST /flex/db/:name/create'],
  ],
  [
    'deletePublicFlexRecord',
    'mutation ($id: String!) { deletePublicFlexRecord(code: $id, id: 1) { __typename } }',
    ['POST /flex/db/:name/delete'],
  ],
];

const INVALID_NAMES: readonly [what: string, name: string][] = [
  ['nothing', ''],
  ['this folder', '.'],
  ['the folder above', '..'],
  ['a slash', 'a/b'],
  ['a way to another endpoint', '../../account/api_tokens'],
  ['a way to its records', 'x/records'],
  ['a query', 'a?b=c'],
  ['a fragment', 'a#b'],
  ['a backslash', 'a\\b'],
  ['an encoded slash', 'a%2fb'],
  ['the folder above, encoded', '%2e%2e'],
  ['the folder above with a parameter', '..;x'],
  ['NUL', 'a\0'],
  ['a line end', 'a\nb'],
  ['half of a surrogate pair', '\ud800'],
  ['10,000 characters', 'x'.repeat(10_000)],
];

/** Texts that are safe within a segment when they are encoded. They may be codes. */
const UNUSUAL_NAMES = ['search', 'records', 'replace', 'dbs', 'list', 'a.json', 'a b', '__proto__', 'żółw', ' '];

async function recording() {
  const upstream = await stubUpstream((request, response) => {
    response.end(
      request.url?.endsWith('/list') || request.url?.endsWith('/search') ? '[]' : '{"id":"1","name":"other"}',
    );
  });
  return { ...(await gatewayOver(upstream.url, {}, 'token')), received: upstream.received };
}

describe.each(FIELDS)('%s', (field, operation, calls) => {
  const named = (name: string) => ({ variables: { id: field === 'node' ? `FlexDb:${name}` : name } });

  test('refuses an invalid database name before any call', async () => {
    const { execute, received } = await recording();
    for (const [what, name] of INVALID_NAMES) {
      const { data, errors } = await execute(operation, named(name));
      if (errors.length > 0) {
        expect(errors, what).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
        expect(errors[0]?.message.length, what).toBeLessThan(250);
        expect(errors[0]?.extensions, what).not.toHaveProperty('upstream');
      } else {
        expect(data, what).toEqual({ [field]: { __typename: 'ValidationError' } });
      }
    }
    expect(received).toEqual([]);
  });

  test('encodes an unusual database name within its path segment', async () => {
    for (const name of UNUSUAL_NAMES) {
      const { execute, received } = await recording();

      await execute(operation, named(name));

      expect(received).toEqual(calls.map((call) => call.replace(':name', encodeURIComponent(name))));
    }
  });
});

describe('the id of a record in a path', () => {
  const change = 'mutation ($id: ID!) { updateFlexRecord(id: $id, input: { table: "t", data: {} }) { __typename } }';
  const remove = 'mutation ($id: ID!) { deleteFlexRecord(id: $id) { __typename } }';

  test('an invalid record id is refused before any call', async () => {
    const { ask, received } = await recording();
    for (const [what, name] of INVALID_NAMES) {
      for (const id of [`FlexRecord:7:${name}`, `FlexRecord:${name}:r`]) {
        const refused = { __typename: 'ValidationError' };
        expect(await ask(change, { variables: { id } }), what).toEqual({ updateFlexRecord: refused });
        expect(await ask(remove, { variables: { id } }), what).toEqual({ deleteFlexRecord: refused });
      }
    }
    expect(received).toEqual([]);
  });

  test('an unusual record id stays within its path segment', async () => {
    for (const name of UNUSUAL_NAMES) {
      const { execute, received } = await recording();
      await execute(change, { variables: { id: `FlexRecord:7:${name}` } });
      await execute(remove, { variables: { id: `FlexRecord:7:${name}` } });
      const target = `/flex/dbs/7/records/${encodeURIComponent(name)}.json`;
      expect(received).toEqual([`PATCH ${target}`, `DELETE ${target}`]);
    }
  });

  test('the record id of a read is looked up in the list and never sent', async () => {
    for (const name of [...UNUSUAL_NAMES, '..', '.', 'x'.repeat(10_000), '\0']) {
      const { execute, received } = await recording();
      await execute('query ($id: ID!) { node(id: $id) { id } }', { variables: { id: `FlexRecord:7:${name}` } });
      expect(received).toEqual(['GET /flex/dbs/7/records.json']);
    }
  });
});
