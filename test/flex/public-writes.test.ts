import { describe, expect, test } from 'vitest';
import { book, CREATE, DELETE, gatewayOverReplies, NOBODY, UPDATE } from './public-support.ts';
import { REFUSAL } from './support.ts';

describe('public writes', () => {
  const ROW = `... on PublicFlexRecord { upstreamId data } ${REFUSAL}`;
  const create = `mutation ($data: JSONObject = {}) { createPublicFlexRecord(code: "book", data: $data) { ${ROW} } }`;
  const update = `mutation ($id: ID = "", $data: JSONObject = {}) {
    updatePublicFlexRecord(code: "book", id: $id, data: $data) { ${ROW} }
  }`;
  const remove =
    'mutation ($id: ID!) { deletePublicFlexRecord(code: "book", id: $id) { __typename ... on DeletedNode { deletedId } } }';

  test('create, update and delete are one POST each', async () => {
    const { execute, sandbox, bodies } = await book();

    const created = await execute(create, { ...NOBODY, variables: { data: { a: 1, b: null } } });
    const [, id] = /"upstreamId":"([^"]+)"/.exec(JSON.stringify(created.data)) ?? [];
    expect(created.data).toEqual({
      createPublicFlexRecord: { __typename: 'PublicFlexRecord', upstreamId: id, data: { a: 1, b: null } },
    });
    const updated = await execute(update, { ...NOBODY, variables: { id, data: { a: 2 } } });
    expect(updated.data).toMatchObject({ updatePublicFlexRecord: { upstreamId: id, data: { a: 2 } } });
    const removed = await execute(remove, { ...NOBODY, variables: { id } });
    expect(removed.data).toEqual({
      deletePublicFlexRecord: { __typename: 'DeletedNode', deletedId: `PublicFlexRecord:book:${id}` },
    });

    expect(sandbox.calls()).toEqual([CREATE, UPDATE, DELETE]);
    expect(bodies()).toEqual([{ data: { a: 1, b: null } }, { id, data: { a: 2 } }, { id }]);
  });

  test('the data of a public write passes unchanged', async () => {
    const { ask, bodies } = await book();
    const json = '{"z":{"__proto__":[1]},"constructor":null,"a":"\\u0000"}';

    expect(JSON.stringify(await ask(create, { ...NOBODY, variables: { data: JSON.parse(json) } }))).toContain(
      `"data":${json}`,
    );
    expect(JSON.stringify(bodies())).toBe(`[{"data":${json}}]`);
  });

  test.each([
    [{ ok: true }],
    [{ success: true }],
    [{ id: 'r' }],
    [{ id: 'r', data: null }],
    [{ id: 'r', data: 'ok' }],
    [null],
  ])('an update whose response holds no data makes the gateway read the record: %j', async (body) => {
    const { ask, received } = await gatewayOverReplies([{ body }, { body: { id: 'r', data: { a: 2 } } }]);

    expect(await ask(update, { ...NOBODY, variables: { id: 'r', data: { a: 2 } } })).toMatchObject({
      updatePublicFlexRecord: { __typename: 'PublicFlexRecord', upstreamId: 'r', data: { a: 2 } },
    });
    expect(received).toEqual(['POST /flex/db/book/update', 'POST /flex/db/book/get']);
  });

  test('one read serves all fields of an update whose response holds no record', async () => {
    const stamps = { created_at: '2026-01-02T03:04:05Z', updated_at: '2026-01-02T03:04:06Z' };
    const { ask, received } = await gatewayOverReplies([
      { body: 'ok' },
      { body: { id: 'r', data: { a: 2 }, ...stamps } },
    ]);

    const data = await ask(update.replace('upstreamId data', 'data createdAt updatedAt'), {
      ...NOBODY,
      variables: { id: 'r', data: { a: 2 } },
    });
    const fields = { data: { a: 2 }, createdAt: stamps.created_at, updatedAt: stamps.updated_at };
    expect(data).toMatchObject({ updatePublicFlexRecord: fields });
    expect(received).toEqual(['POST /flex/db/book/update', 'POST /flex/db/book/get']);
  });

  test.each([403, 404, 422])(
    'a successful update stays a success when the `get` after it answers %i',
    async (status) => {
      const { execute } = await gatewayOverReplies([{ body: { ok: true } }, { status, body: { error: 'no' } }]);

      const { data, errors } = await execute(update, { ...NOBODY, variables: { id: 'r', data: { a: 2 } } });

      expect(errors).toMatchObject([
        {
          message: expect.stringMatching(/^The change was made, but the record cannot be read\. /),
          path: ['updatePublicFlexRecord', 'data'],
          extensions: { outcome: 'APPLIED' },
        },
      ]);
      expect(data).toEqual({ updatePublicFlexRecord: { __typename: 'PublicFlexRecord', upstreamId: 'r', data: null } });
    },
  );
});
