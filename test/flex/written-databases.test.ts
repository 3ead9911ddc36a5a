import { expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { saysJson } from '../support/stub-crm.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// Databases after a write whose response holds no record.

/** A gateway over an upstream that carries out every write without a body, and reads as given. */
async function bareUpstream(read: unknown, status = 200) {
  const upstream = await stubUpstream((request, response) => {
    (request.method === 'GET' ? saysJson(read, status) : says('', { status: 204 }))(request, response);
  });
  return { ...(await gatewayOver(upstream.url, {}, 'token')), received: upstream.received };
}

const EDIT = 'input: { field: SCHEMA, oldString: "a", newString: "b" }';

test.each([
  ['updateFlexDb', 'id: "FlexDb:shop", input: { name: "x" }'],
  ['replaceInFlexDb', `id: "FlexDb:shop", ${EDIT}`],
])('%s gives the id of the database when it is called by a global id with a code', async (field, args) => {
  const { ask } = await bareUpstream({ id: 7, name: 'x' });
  expect(await ask(`mutation { result: ${field}(${args}) { ... on FlexDb { id upstreamId } } }`)).toEqual({
    result: { id: 'FlexDb:7', upstreamId: '7' },
  });
});

test('a new database that is found by its code shows what was sent where the read lacks it', async () => {
  const { ask } = await bareUpstream({ id: 7 });
  const data = await ask(
    'mutation { createFlexDb(input: { name: "Shop", code: "shop" }) { ... on FlexDb { id name code } } }',
  );
  expect(data).toEqual({ createFlexDb: { id: 'FlexDb:7', name: 'Shop', code: 'shop' } });
});

test.each([
  ['updateFlexDb', 'id: "shop", input: { name: "x" }'],
  ['replaceInFlexDb', `id: "shop", ${EDIT}`],
])('%s by a code that cannot be read back is APPLIED, and `id` is the error', async (field, args) => {
  const { execute, received } = await bareUpstream({}, 503);
  const { data, errors } = await execute(`mutation { result: ${field}(${args}) { __typename ... on FlexDb { id } } }`);
  expect(data).toEqual({ result: null });
  expect(errors).toMatchObject([
    {
      message: 'The change was made, but the response does not tell the id of the record.',
      path: ['result', 'id'],
      extensions: { outcome: 'APPLIED' },
    },
  ]);
  expect(received.filter((call) => call.startsWith('PATCH'))).toHaveLength(1);
});

test.each(['7', '007', '3f2a9c54-7d1e-4b86-9a0f-5c8e21d47b10', '3F2A9C54-7D1E-4B86-9A0F-5C8E21D47B10'])(
  'the code %s would be taken for an id, so no database gets it, and nothing is called',
  async (code) => {
    const { ask, received } = await bareUpstream({ id: 7 });
    const refused = '{ __typename ... on ValidationError { message fields { field messages } } }';
    const reason = 'must not look like an id: a uuid or a whole number';
    const expected = {
      __typename: 'ValidationError',
      message: `\`code\` ${reason}.`,
      fields: [{ field: 'code', messages: [reason] }],
    };
    const operation = `mutation ($code: String!, $dryRun: Boolean!) {
      created: createFlexDb(input: { name: "x", code: $code }, dryRun: $dryRun) ${refused}
      updated: updateFlexDb(id: "shop", input: { code: $code }, dryRun: $dryRun) ${refused}
    }`;
    for (const dryRun of [false, true]) {
      expect(await ask(operation, { variables: { code, dryRun } })).toEqual({ created: expected, updated: expected });
    }
    expect(received).toEqual([]);
  },
);
