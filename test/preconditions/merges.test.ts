import { expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// A change of a flexible record that is made of the record: a merge, or one that keeps its table.

const AT = '2026-03-01T08:00:00Z';
const OLD = { id: 'r', table_name: 'tasks', data: { title: 'old', note: 'kept' }, updated_at: AT };

/** A database whose list of records is another one at each read, and a gateway over it. */
async function changing(...reads: readonly (typeof OLD)[]) {
  let read = 0;
  const upstream = await stubUpstream((request, response) => {
    const list = request.method === 'GET' && request.url?.includes('/records.json');
    const tables = { id: 7, schema: { tables: { tasks: { fields: {} }, done: { fields: {} } } } };
    const answer = list ? [reads[Math.min(read++, reads.length - 1)]] : request.method === 'GET' ? tables : OLD;
    says(JSON.stringify(answer))(request, response);
  });
  const { execute } = await gatewayOver(upstream.url, {}, 'token');
  return async (input: string) => {
    const { data, errors } = await execute(
      `mutation { updateFlexRecord(id: "FlexRecord:7:r", input: { data: { title: "new" } ${input} }, ifUpdatedAt: "${AT}") {
        __typename ... on ConflictError { current { ... on FlexRecord { data } } }
      } }`,
    );
    expect(errors).toEqual([]);
    const result: unknown = Reflect.get(Object(data), 'updateFlexRecord');
    return { result, isSent: upstream.received.some((call) => call.startsWith('PATCH')) };
  };
}

test.each(['merge: true', ''])(
  'one that another caller has changed within the second is a conflict: { %s }',
  async (input) => {
    const newer = { ...OLD, data: { ...OLD.data, note: 'of another caller' } };
    expect(await (await changing(OLD, newer))(input)).toEqual({
      result: { __typename: 'ConflictError', current: { data: newer.data } },
      isSent: false,
    });
  },
);

test('one that was moved to another table within the second is a conflict', async () => {
  const moved = { ...OLD, table_name: 'done' };
  expect(await (await changing(OLD, moved))('')).toMatchObject({
    result: { __typename: 'ConflictError' },
    isSent: false,
  });
});

test.each(['merge: true', '', 'table: null'])('one that nobody has changed is sent: { %s }', async (input) => {
  expect(await (await changing(OLD))(input)).toEqual({ result: { __typename: 'FlexRecord' }, isSent: true });
});
