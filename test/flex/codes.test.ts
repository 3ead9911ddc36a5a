import { describe, expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

// The id or code of a database, and the id of a record, stay within their path segment. The upstream of these tests
// answers every request and records it.

/** Each field that puts an id or code into a path, the rest of its operation, and the calls to that path: `#` is the name. */
const FIELDS: readonly [field: string, rest: string, calls: readonly string[]][] = [
  ['flexDb', '(id: $id) { name }', ['GET /flex/dbs/#.json']],
  ['node', '(id: $id) { id ... on FlexDb { name } }', ['GET /flex/dbs/#.json']],
  ['updateFlexDb', '(id: $id, input: {}) { __typename }', ['PATCH /flex/dbs/#.json']],
  [
    'replaceInFlexDb',
    '(id: $id, input: { field: SCHEMA, oldString: "a", newString: "" }) { __typename }',
    ['PATCH /flex/dbs/#/replace.json'],
  ],
  ['deleteFlexDb', '(id: $id) { __typename }', ['GET /flex/dbs/#.json', 'DELETE /flex/dbs/#.json']],
  [
    'createFlexRecord',
    '(db: $id, input: { data: {} }) { __typename }',
    ['GET /flex/dbs/#.json', 'POST /flex/dbs/#/records.json'],
  ],
  ['publicFlexDb', '(code: $id) { list { nodes { id } } }', ['POST /flex/db/#/list']],
  ['publicFlexDb', '(code: $id) { get(id: 1) { id } }', ['POST /flex/db/#/get']],
  ['publicFlexDb', '(code: $id) { search { nodes { id } } }', ['POST /flex/db/#/search']],
  ['createPublicFlexRecord', '(code: $id, data: {}) { __typename }', ['POST /flex/db/#/create']],
  ['deletePublicFlexRecord', '(code: $id, id: 1) { __typename }', ['POST /flex/db/#/delete']],
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

describe.each(FIELDS)('%s%s', (field, rest, calls) => {
  const kind = ['flexDb', 'node', 'publicFlexDb'].includes(field) ? 'query' : 'mutation';
  const operation = `${kind} ($id: ${rest.includes('code:') ? 'String' : 'ID'}!) { ${field}${rest} }`;
  const given = (name: string) => ({ variables: { id: field === 'node' ? `FlexDb:${name}` : name } });

  test.each(INVALID_NAMES)('refuses an invalid database name before any call: %s', async (_what, name) => {
    const { execute, received } = await recording();

    const { data, errors } = await execute(operation, given(name));

    if (errors.length > 0) {
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
      expect(errors[0]?.message.length).toBeLessThan(250);
      expect(errors[0]?.extensions).not.toHaveProperty('upstream');
    } else {
      expect(data).toEqual({ [field]: { __typename: 'ValidationError' } });
    }
    expect(received).toEqual([]);
  });

  test('encodes an unusual database name within its path segment', async () => {
    for (const name of UNUSUAL_NAMES) {
      const { execute, received } = await recording();
      await execute(operation, given(name));
      expect(received).not.toEqual([]);
      // A creation or deletion by code reads the database first and then uses the id of the response.
      const names = [encodeURIComponent(name), '1'];
      const allowed = calls.flatMap((call) => names.map((sent) => call.replace('#', sent)));
      expect(allowed).toEqual(expect.arrayContaining([...received]));
    }
  });
});

describe('the id of a record in a path', () => {
  const change = 'mutation ($id: ID!) { updateFlexRecord(id: $id, input: { table: "t", data: {} }) { __typename } }';
  const remove = 'mutation ($id: ID!) { deleteFlexRecord(id: $id) { __typename } }';

  test.each(INVALID_NAMES)('an invalid record id is refused before any call: %s', async (_what, name) => {
    for (const [field, operation] of [
      ['updateFlexRecord', change],
      ['deleteFlexRecord', remove],
    ] as const) {
      for (const id of [`FlexRecord:7:${name}`, `FlexRecord:${name}:r`]) {
        const { ask, received } = await recording();
        expect(await ask(operation, { variables: { id } })).toEqual({ [field]: { __typename: 'ValidationError' } });
        expect(received).toEqual([]);
      }
    }
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
