import { getIntrospectionQuery } from 'graphql';
import { expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';
import { snapshotFile } from './snapshot-files.ts';

// With typed databases a schema may have 54,000 types. Introspection lists no more than 10,000.

/** A gateway over four databases of so many tables each. */
async function withTables(count: number) {
  const databases = [1, 2, 3, 4].map((id) => {
    const tables = Array.from({ length: count }, (_none, at) => [`t${at}`, { fields: { title: 'string' } }]);
    return { id: `${id}`, code: `db${id}`, schema: { tables: Object.fromEntries(tables) } };
  });
  const upstream = await stubUpstream(says('[]'));
  return gatewayOver(upstream.url, { FLEX_SCHEMA: await snapshotFile(...databases) });
}

test('of a schema with more than 10,000 types introspection is refused at once, with the address of its text', async () => {
  const { execute, url } = await withTables(195);
  for (const query of [
    getIntrospectionQuery(),
    '{ __schema { ...A } } fragment A on __Schema { all: types { name } }',
  ]) {
    const { data, errors } = await execute(query);
    expect(data).toBeUndefined();
    expect(errors).toMatchObject([
      {
        message: expect.stringMatching(
          /^The schema has 1\d{4} types, and introspection lists 10000 at most: read `schema\.graphql` beside this endpoint, or print it by the command `trivium schema`\.$/,
        ),
        extensions: { code: 'QUERY_LIMIT_EXCEEDED' },
      },
    ]);
  }
  const { data } = await execute('{ __schema { queryType { name } } __type(name: "Db1T7") { name fields { name } } }');
  expect(data).toMatchObject({ __schema: { queryType: { name: 'Query' } }, __type: { name: 'Db1T7' } });
  expect(await (await fetch(`${url}/schema.graphql`)).text()).toContain('type Db1T7 implements Node');
});

test('of a smaller one it is answered', async () => {
  const { execute } = await withTables(20);
  const { errors, data } = await execute(getIntrospectionQuery());
  expect(errors).toEqual([]);
  expect(data).toMatchObject({
    __schema: { types: expect.arrayContaining([expect.objectContaining({ name: 'Db1T7' })]) },
  });
});
