import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CLIENT, crmGateway, crmOver } from './support.ts';

// Relay's arguments over real lists: in both directions, with a stable order, while records come and go.

const page = z.object({
  totalCount: z.int(),
  edges: z.array(z.object({ cursor: z.string(), node: z.object({ upstreamId: z.string() }) })),
  pageInfo: z.object({
    hasNextPage: z.boolean(),
    hasPreviousPage: z.boolean(),
    startCursor: z.string().nullable(),
    endCursor: z.string().nullable(),
  }),
});

const PARTS = `totalCount edges { cursor node { upstreamId } }
  pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`;

type Execute = Awaited<ReturnType<typeof crmOver>>['execute'];

/** One page of clients, its ids read together. */
async function pageOf(execute: Execute, args = '') {
  const { data, errors } = await execute(`{ clients${args && `(${args})`} { ${PARTS} } }`);
  expect(errors).toEqual([]);
  const { clients } = z.object({ clients: page }).parse(data);
  return { ...clients, ids: clients.edges.map(({ node }) => node.upstreamId).join(' ') };
}

const listOf = (...ids: number[]) => ids.map((id) => ({ id }));

describe('a page', () => {
  test.each([
    ['', '1 2 3 4 5', false, false],
    ['first: 2', '1 2', false, true],
    ['first: 0', '', false, true],
    ['last: 2', '4 5', true, false],
    ['first: null, last: null', '1 2 3 4 5', false, false],
    ['first: 2, after: "offset:1:2"', '3 4', true, true],
    ['last: 2, before: "offset:3:4"', '2 3', true, true],
    ['after: "offset:4:5"', '', true, false],
    ['before: "offset:0:1"', '', false, true],
    ['after: null, before: null', '1 2 3 4 5', false, false],
  ])('(%s) has %j', async (args, ids, previous, next) => {
    const { execute, calls } = await crmOver({ 'GET /app/clients.json': listOf(1, 2, 3, 4, 5) });

    const found = await pageOf(execute, args);

    const pageInfo = { hasPreviousPage: previous, hasNextPage: next };
    expect(found).toMatchObject({ ids, totalCount: 5, pageInfo });
    expect(found.pageInfo.startCursor).toBe(found.edges.at(0)?.cursor ?? null);
    expect(found.pageInfo.endCursor).toBe(found.edges.at(-1)?.cursor ?? null);
    expect(calls()).toEqual(['GET /app/clients.json']);
  });

  test.each(['first: 3, last: 1', 'first: 0, last: 0, after: "offset:1:2"'])(
    '(%s) is refused before any call, and the message says which one to leave out',
    async (args) => {
      const { execute, calls } = await crmOver({ 'GET /app/clients.json': listOf(1, 2, 3) });
      const { errors } = await execute(`{ clients(${args}) { totalCount } }`);
      expect(errors).toMatchObject([
        {
          message: expect.stringMatching(/^`first` and `last` are given\. Leave out `last` .*, or `first` /),
          extensions: { code: 'BAD_USER_INPUT', fields: [{ field: 'first' }, { field: 'last' }] },
        },
      ]);
      expect(calls()).toEqual([]);
    },
  );

  test('has the order of upstream, and 20 rows, unless told otherwise', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => ((index * 7) % 30) + 1);
    const { execute } = await crmOver({ 'GET /app/clients.json': listOf(...ids) });
    expect((await pageOf(execute)).ids).toBe(ids.slice(0, 20).join(' '));
  });

  test('of an empty list is empty', async () => {
    const { execute } = await crmGateway();
    const none = { edges: [], totalCount: 0, pageInfo: { hasNextPage: false, hasPreviousPage: false } };
    expect(await pageOf(execute)).toMatchObject(none);
    const filtered = 'filter: { text: "x", kinds: [BUYER] }, orderBy: { field: NAME }';
    expect(await pageOf(execute, filtered)).toMatchObject(none);
  });

  test('nodes and edges show the same', async () => {
    const { execute } = await crmOver({ 'GET /app/clients.json': listOf(1, 2, 3) });
    const { data } = await execute('{ clients(first: 2) { nodes { id } edges { node { id } } } }');
    const [one, two] = [{ id: 'Client:1' }, { id: 'Client:2' }];
    expect(data).toEqual({ clients: { nodes: [one, two], edges: [{ node: one }, { node: two }] } });
  });
});

describe('walking through all pages', () => {
  const ids = Array.from({ length: 23 }, (_, index) => index + 1);

  test.each([1, 5, 22, 23, 24])('of %i finds each client once, forwards and backwards', async (size) => {
    const { execute } = await crmOver({ 'GET /app/clients.json': listOf(...ids) });
    const walk = async (args: (cursor: string | null) => string, next: 'hasNextPage' | 'hasPreviousPage') => {
      const seen: string[] = [];
      for (let cursor: string | null = null, more = true; more;) {
        const found: Awaited<ReturnType<typeof pageOf>> = await pageOf(execute, args(cursor));
        if (next === 'hasNextPage') seen.push(found.ids);
        else seen.unshift(found.ids);
        cursor = next === 'hasNextPage' ? found.pageInfo.endCursor : found.pageInfo.startCursor;
        more = found.pageInfo[next];
      }
      return seen.join(' ');
    };
    expect(await walk((after) => `first: ${size}, after: ${JSON.stringify(after)}`, 'hasNextPage')).toBe(ids.join(' '));
    expect(await walk((before) => `last: ${size}, before: ${JSON.stringify(before)}`, 'hasPreviousPage')).toBe(
      ids.join(' '),
    );
  });

  test('a cursor follows its client when others come and go', async () => {
    const { execute, makeClient } = await crmGateway();
    for (let index = 0; index < 6; index++) await makeClient();
    const { pageInfo } = await pageOf(execute, 'first: 3');
    const after = `after: ${JSON.stringify(pageInfo.endCursor)}`;

    await execute('mutation { deleteClient(id: 1) { __typename } }');
    expect((await pageOf(execute, after)).ids).toBe('4 5 6');
    await execute('mutation { deleteClient(id: 5) { __typename } createClient(input: { name: "x" }) { __typename } }');
    expect((await pageOf(execute, after)).ids).toBe('4 6 7');
    expect((await pageOf(execute, `first: 1, ${after}, orderBy: { field: ID, direction: DESC }`)).ids).toBe('2');
  });

  test('a cursor of a filtered page goes on with the filter', async () => {
    const clients = listOf(...ids).map(({ id }) => ({ id, company: id % 2 === 0 }));
    const { execute } = await crmOver({ 'GET /app/clients.json': clients });
    const args = 'first: 2, filter: { company: true }';
    const { pageInfo, totalCount } = await pageOf(execute, args);
    expect(totalCount).toBe(11);
    expect((await pageOf(execute, `${args}, after: ${JSON.stringify(pageInfo.endCursor)}`)).ids).toBe('6 8');
  });
});

describe('arguments that name no page', () => {
  const lists = ['clients', 'posts', 'deals'];
  const wrong = [
    ['first: -1', 'first'],
    ['first: 1001', 'first'],
    ['last: -1', 'last'],
    ['last: 1001', 'last'],
    ['after: "x"', 'after'],
    ['before: ""', 'before'],
  ] as const;

  test.each(lists.flatMap((list) => wrong.map((row) => [list, ...row] as const)))(
    'of %s (%s) are refused before any call',
    async (list, args, field) => {
      const { execute, sandbox } = await crmGateway();
      const { data, errors } = await execute(`{ ${list}(${args}) { totalCount } }`);
      expect(data).toEqual({ [list]: null });
      expect(errors).toMatchObject([{ path: [list], extensions: { code: 'BAD_USER_INPUT', fields: [{ field }] } }]);
      expect(sandbox.calls()).toEqual([]);
    },
  );

  test.each([
    ['after', 'endCursor'],
    ['before', 'startCursor'],
  ])('the error for a wrong cursor in %s names its source: %s', async (argument, source) => {
    const { execute } = await crmGateway();
    const { errors } = await execute(`{ clients(${argument}: "hunter2") { totalCount } }`);
    const message = `\`${argument}\` takes a cursor of this connection, such as the \`${source}\` of a page's \`pageInfo\`.`;
    expect(errors.map((error) => error.message)).toEqual([message]);
  });

  test.each([
    ['client', 'posts(first: -1)'],
    ['client', 'deals(last: 1001)'],
    ['post', 'comments(after: "x")'],
    ['client', 'posts(filter: { clientIds: ["Deal:1"] })'],
    ['client', 'deals(filter: { clientIds: ["Post:1"] })'],
  ])('of a %s, %s are refused before its list is called', async (field, connection) => {
    const { execute, sandbox, makeClient, makePost } = await crmGateway();
    await makeClient();
    await makePost();
    const { errors } = await execute(`{ ${field}(id: 1) { id ${connection} { totalCount } } }`);
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(sandbox.calls()).toEqual([field === 'client' ? CLIENT : 'GET /app/posts/:id.json']);
  });
});
