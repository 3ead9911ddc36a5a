import { json } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';
import { book, GET, gatewayOverReplies, NOBODY } from './public-support.ts';
import { numbered, REFUSAL } from './support.ts';

test('a cache keeps the lists, searches and records of one public database together by its id', async () => {
  const { ask, sandbox } = await book();

  const data = await ask('{ publicFlexDb(code: "book") { id } other: publicFlexDb(code: "b:2") { id } }', NOBODY);
  expect(data).toEqual({ publicFlexDb: { id: 'PublicFlexDb:book' }, other: { id: 'PublicFlexDb:b:2' } });
  expect(sandbox.calls()).toEqual([]);
});

describe('the global id of a public record', () => {
  const nodes = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on PublicFlexRecord { data } } }';

  test('reads the record by `get`, without a credential', async () => {
    const { ask, sandbox, bodies, makeRecords, db } = await book();
    const [one, two] = makeRecords(db, numbered(2));
    const ids = [one, 'gone', two].map((id) => `PublicFlexRecord:book:${id}`);

    const data = await ask(nodes, { variables: { ids } });
    const node = (id: string | undefined, n: number) => ({ __typename: 'PublicFlexRecord', id, data: { n } });
    expect(data).toEqual({ nodes: [node(ids[0], 1), null, node(ids[2], 2)] });
    expect(sandbox.calls()).toEqual([GET, GET, GET]);
    expect(bodies()).toEqual([one, 'gone', two].map((id) => ({ id })));
    for (const { headers } of sandbox.requests) expect(headers).not.toHaveProperty('authorization');
  });

  test('tells records of two databases with one upstream id apart', async () => {
    const { ask } = await gatewayOverReplies([{ body: [{ id: 1, data: {} }] }, { body: [{ id: 1, data: {} }] }]);

    const data = await ask(
      '{ a: publicFlexDb(code: "a") { list { nodes { id } } } b: publicFlexDb(code: "b") { list { nodes { id } } } }',
      NOBODY,
    );
    expect(data).toEqual({
      a: { list: { nodes: [{ id: 'PublicFlexRecord:a:1' }] } },
      b: { list: { nodes: [{ id: 'PublicFlexRecord:b:1' }] } },
    });
  });

  test.each(['PublicFlexRecord:other:1', 'PublicFlexRecord:book', 'FlexRecord:7:1'])(
    '%s is refused in the database book before any call',
    async (id) => {
      const { execute, sandbox } = await book();

      const by = { ...NOBODY, variables: { id } };
      const read = await execute('query ($id: ID!) { publicFlexDb(code: "book") { get(id: $id) { id } } }', by);
      const written = await execute(
        `mutation ($id: ID!) { updatePublicFlexRecord(code: "book", id: $id, data: {}) { ${REFUSAL} } }`,
        by,
      );

      expect(read.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', fields: [{ field: 'id' }] } }]);
      expect(written.data).toMatchObject({
        updatePublicFlexRecord: { __typename: 'ValidationError', fields: [{ field: 'id' }] },
      });
      expect(sandbox.calls()).toEqual([]);
    },
  );
});

describe('the id of a record in a body of a public method', () => {
  const OVER_IDS = `mutation ($id: ID!) {
    updatePublicFlexRecord(code: "book", id: $id, data: { n: 2 }) { ... on PublicFlexRecord { upstreamId } }
    deletePublicFlexRecord(code: "book", id: $id) { ... on DeletedNode { deletedId } }
  }`;

  test.each([
    ['3', 3],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', '9007199254740993'],
    ['007', '007'],
    ['3e2', '3e2'],
    ['-3', '-3'],
    ['0b8e9f2c-1111-4222-8333-444455556666', '0b8e9f2c-1111-4222-8333-444455556666'],
  ])('%j is sent as %j, by itself and in a global id', async (id, sent) => {
    const bodies: unknown[] = [];
    const upstream = await stubUpstream((request, response) => {
      json(request).then(
        (body) => {
          bodies.push(body);
          says(JSON.stringify({ id: sent, data: {} }))(request, response);
        },
        () => response.destroy(),
      );
    });
    const { ask } = await gatewayOver(upstream.url);
    for (const argument of [id, `PublicFlexRecord:book:${id}`]) {
      bodies.length = 0;
      const by = { ...NOBODY, variables: { id: argument } };
      const read = await ask('query ($id: ID!) { publicFlexDb(code: "book") { get(id: $id) { upstreamId } } }', by);
      const written = await ask(OVER_IDS, by);
      expect(upstream.received.slice(-3)).toEqual(
        ['get', 'update', 'delete'].map((name) => `POST /flex/db/book/${name}`),
      );
      expect(bodies).toEqual([{ id: sent }, { id: sent, data: { n: 2 } }, { id: sent }]);
      expect(read).toEqual({ publicFlexDb: { get: { upstreamId: id } } });
      expect(written).toEqual({
        updatePublicFlexRecord: { upstreamId: id },
        deletePublicFlexRecord: { deletedId: `PublicFlexRecord:book:${id}` },
      });
    }
  });
});
