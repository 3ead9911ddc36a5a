import { describe, expect, test } from 'vitest';
import { forumPage, gatewayOverFinds, linkedGateway } from './support.ts';
import { clientsUpTo, saysJson } from '../support/stub-crm.ts';

// `search`: the records that it finds, and their number.

const search = (given: string, fields = 'nodes { ... on Node { id } }') => `{ search(${given}) { ${fields} } }`;
const FOUND = ['Client:1', 'Post:2', 'Deal:3', 'FlexRecord:shop:r', 'ForumPost:5'];
const ids = (...found: readonly string[]) => ({ search: { nodes: found.map((id) => ({ id })) } });

const REFUSED = { errors: [{ extensions: { code: 'BAD_USER_INPUT' } }], data: { search: null } };

describe('the result of a search', () => {
  test('is every kind of record, each with fields of its own', async () => {
    const { ask, makeClient, makePost, makeDeal, makeSuggestion, makeDb, makeRecords } = await linkedGateway();
    const client = await makeClient({ name: 'Oak & Sons' });
    const post = await makePost({ title: 'About oak', client_id: Number(client) });
    const deal = await makeDeal({ name: 'An OAK table', price: '12.50', client_id: Number(client) });
    const suggestion = await makeSuggestion({ title: 'More oak!', content: 'Please.' });
    for (const title of ['Pine', 'Ash']) await makeSuggestion({ title });
    const db = makeDb({ name: 'Shop' });
    const [record] = makeRecords(db, [{ wood: 'oak' }, { wood: 'pine' }]);

    const data = await ask(
      search(
        'text: "oak"',
        `nodes {
          __typename ... on Node { id }
          ... on Client { name deals { totalCount } }
          ... on Post { title client { name } }
          ... on Deal { price client { name } }
          ... on FlexRecord { table data db { name } }
          ... on ForumPost { content status post { title } }
        } failures { target } pageInfo { hasNextPage hasPreviousPage }`,
      ),
    );

    const owner = { name: 'Oak & Sons' };
    expect(data).toEqual({
      search: {
        nodes: [
          { __typename: 'Client', id: `Client:${client}`, ...owner, deals: { totalCount: 1 } },
          { __typename: 'Post', id: `Post:${post}`, title: 'About oak', client: owner },
          { __typename: 'Deal', id: `Deal:${deal}`, price: '12.50', client: owner },
          {
            __typename: 'FlexRecord',
            id: `FlexRecord:${db}:${record}`,
            table: null,
            data: { wood: 'oak' },
            db: { name: 'Shop' },
          },
          {
            ...{ __typename: 'ForumPost', id: `ForumPost:${suggestion}`, content: 'Please.', status: 'new' },
            post: { title: 'More oak!' },
          },
          { __typename: 'Post', id: `Post:${suggestion}`, title: 'More oak!', client: null },
        ],
        failures: [],
        pageInfo: { hasNextPage: false, hasPreviousPage: false },
      },
    });
  });

  test.each(['oak', 'OAK', '  Oak\\n'])('does not depend on case, or on space around the text: %j', async (text) => {
    const { execute, upstream } = await gatewayOverFinds();
    expect((await execute(search(`text: "${text}"`))).data).toEqual(ids(...FOUND));
    const query = upstream.received.find((call) => call.includes('search.json'));
    expect(query?.toLowerCase()).toContain('?q=oak&');
  });

  test.each(['100 % "oak"', "O'Ak", '🪑 łóżko', 'a*b', '%', '*', '\\', '_', 'ß'])(
    'holds the records that contain the text literally, even with wildcards: %j',
    async (text) => {
      const house = await linkedGateway();
      const { ask, makeClient, makePost, makeDeal, makeSuggestion, makeDb, makeRecords } = house;
      const [held, other] = [`The ${text.toUpperCase()} here`, 'The axxb here'];
      for (const name of [held, other]) await makeClient({ name });
      for (const title of [held, other]) await makePost({ title });
      for (const name of [held, other]) await makeDeal({ name });
      for (const title of [held, other]) await makeSuggestion({ title });
      const db = makeDb();
      const [record] = makeRecords(db, [{ deep: { in: [held] } }, { deep: { in: [other] } }]);

      const data = await ask(
        search(`text: ${JSON.stringify(text)}`, 'nodes { ... on Node { id } } failures { message }'),
      );

      expect(data).toEqual({
        search: {
          nodes: ['Client:1', 'Post:1', 'Deal:1', `FlexRecord:${db}:${record}`, 'ForumPost:3', 'Post:3'].map((id) => ({
            id,
          })),
          failures: [],
        },
      });
    },
  );

  test('shares its reads with other fields and with other searches of the operation', async () => {
    const { ask, calls } = await gatewayOverFinds();
    const data = await ask(`{
      one: search(text: "oak") { edges { cursor node { ... on Client { name } } } }
      two: search(text: "sons", in: [CLIENTS]) { nodes { ... on Client { name } } }
      clients { nodes { name } }
    }`);

    const sons = { name: 'Oak & Sons' };
    expect(data).toMatchObject({
      one: { edges: [{ cursor: 'offset:0', node: sons }, {}, {}, {}, {}] },
      two: { nodes: [sons] },
      clients: { nodes: [sons] },
    });
    expect(calls().filter((call) => call === 'GET /app/clients.json')).toHaveLength(1);
  });
});

describe('the size of the result', () => {
  const many = {
    '/app/clients.json': saysJson(clientsUpTo(200)),
    '/app.json': saysJson([
      { id: 1, title: 'Client of a post' },
      { id: 2, title: 'client' },
    ]),
    '/': forumPage({ id: 1, title: 'Client' }),
    '/app/deals.json': saysJson([]),
    '/flex/dbs.json': saysJson([]),
  };

  test('the targets take turns until they have no more results', async () => {
    const { execute } = await gatewayOverFinds(many);
    expect((await execute(search('text: "client", first: 6'))).data).toEqual(
      ids('Client:1', 'Post:1', 'ForumPost:1', 'Client:2', 'Post:2', 'Client:3'),
    );
  });

  test.each([
    [0, true],
    [1, true],
    [10, true],
    [100, true],
  ])('first: %i', async (first, hasNextPage) => {
    const { execute } = await gatewayOverFinds(many);
    const { data } = await execute(
      search(`text: "client", first: ${first}`, 'nodes { __typename } pageInfo { hasNextPage }'),
    );
    expect(data).toMatchObject({ search: { nodes: { length: first }, pageInfo: { hasNextPage } } });
  });

  test('there is no next page behind the last result', async () => {
    const { execute } = await gatewayOverFinds();
    const next = async (first: number) =>
      (await execute(search(`text: "oak", first: ${first}`, 'pageInfo { hasNextPage endCursor }'))).data;
    expect(await next(4)).toEqual({ search: { pageInfo: { hasNextPage: true, endCursor: 'offset:3' } } });
    expect(await next(5)).toEqual({ search: { pageInfo: { hasNextPage: false, endCursor: 'offset:4' } } });
    expect(await next(100)).toEqual({ search: { pageInfo: { hasNextPage: false, endCursor: 'offset:4' } } });
  });

  test('is 10 unless given', async () => {
    const { execute } = await gatewayOverFinds(many);
    for (const given of ['text: "client"', 'text: "client", first: null']) {
      expect((await execute(search(given))).data).toMatchObject({ search: { nodes: { length: 10 } } });
    }
  });

  test.each(['first: 101', 'first: -1'])('is refused without a call: %s', async (first) => {
    const { execute, calls } = await gatewayOverFinds();
    const answer = await execute(search(`text: "oak", ${first}`));
    expect(answer).toMatchObject(REFUSED);
    expect(answer.errors[0]?.message).toBe('`first` takes 0 to 100.');
    expect(calls()).toEqual([]);
  });

  test('there is a next page when a table returned as many records as it may', async () => {
    const { execute, makeDb, makeRecords } = await linkedGateway();
    makeRecords(
      makeDb(),
      Array.from({ length: 150 }, () => ({ wood: 'oak' })),
    );
    const { data } = await execute(
      search('text: "oak", first: 100', 'nodes { __typename } pageInfo { hasNextPage } failures { code }'),
    );
    expect(data).toMatchObject({ search: { nodes: { length: 100 }, pageInfo: { hasNextPage: true }, failures: [] } });
  });
});

test('a text of more than 200 characters is refused without a call', async () => {
  const { execute, calls } = await gatewayOverFinds();
  expect(await execute(search(`text: "${'a'.repeat(201)}"`))).toMatchObject(REFUSED);
  expect(calls()).toEqual([]);
  expect(await execute(search(`text: " ${'a'.repeat(200)} "`, 'failures { message }'))).toMatchObject({
    data: { search: { failures: [] } },
  });
});

test.each(['', ' ', '\\t\\n', '\\u00a0\\u2003'])('an empty text is refused without a call: "%s"', async (text) => {
  const { execute, calls } = await gatewayOverFinds();
  expect(await execute(search(`text: "${text}"`))).toMatchObject(REFUSED);
  expect(calls()).toEqual([]);
});
