import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Config } from '../../src/config.ts';
import { CLIENT, CLIENTS, crmGateway } from '../crm/support.ts';
import { linkedGateway } from '../links/support.ts';
import { DEAD_ADDRESS } from '../support/stub-upstream.ts';

type Representation = Readonly<Record<string, unknown>>;

const ENTITIES = `query ($representations: [_Any!]!) {
  _entities(representations: $representations) {
    __typename
    ... on Node { id }
    ... on Client { name }
  }
}`;

const subgraph = async (settings: Partial<Config> = {}) => crmGateway({ SUBGRAPH: 'true', ...settings });

const asking = (...representations: readonly unknown[]) => ({ variables: { representations } });

const client = (upstreamId: unknown): Representation => ({ __typename: 'Client', upstreamId });

const upstreamId = z.object({ upstreamId: z.string() });
const created = z.object({ ApiToken: z.object({ apiToken: upstreamId }) }).catchall(upstreamId);
const categories = z.object({ forumCategories: z.array(upstreamId) });

test('records of every type are found by either key', async () => {
  const { execute, makeDb, makeRecords, makeClient, makeDeal, makeSuggestion } = await linkedGateway({
    SUBGRAPH: 'true',
  });
  const db = makeDb({ code: 'shop' });
  const [record] = makeRecords(db, [{ n: 1 }]);
  const suggestion = await makeSuggestion({ title: 'More oak' });
  const made = await execute(`mutation {
    ApiToken: createApiToken(input: { name: "Shop" }) { ... on CreatedApiToken { apiToken { upstreamId } } }
    Dashboard: createDashboard(input: { name: "Board" }) { ... on Dashboard { upstreamId } }
    Contact: createContact(input: { name: "Cy" }) { ... on Contact { upstreamId } }
    ContactList: createContactList(name: "News") { ... on ContactList { upstreamId } }
  }`);
  const { ApiToken, ...rest } = created.parse(made.data);
  const [category] = categories.parse((await execute('{ forumCategories { upstreamId } }')).data).forumCategories;
  const upstreamIds = {
    ApiToken: ApiToken.apiToken.upstreamId,
    Client: await makeClient({ name: 'Ada' }),
    Deal: await makeDeal({ name: 'Chairs' }),
    FlexDb: db,
    ForumCategory: category?.upstreamId,
    ForumPost: suggestion,
    Post: suggestion,
    ...Object.fromEntries(Object.entries(rest).map(([name, { upstreamId }]) => [name, upstreamId])),
  };
  const ids = Object.entries(upstreamIds).map(([name, id]) => ({ __typename: name, id: `${name}:${id}` }));
  const flexRecord = { __typename: 'FlexRecord', id: `FlexRecord:${db}:${record}` };

  const byId = await execute(ENTITIES, asking(...ids, flexRecord));
  const byUpstreamId = await execute(
    ENTITIES,
    asking(...Object.entries(upstreamIds).map(([__typename, upstreamId]) => ({ __typename, upstreamId }))),
  );

  expect(byId.errors).toEqual([]);
  expect(byId.data).toMatchObject({ _entities: [...ids, flexRecord] });
  expect(byUpstreamId.errors).toEqual([]);
  expect(byUpstreamId.data).toMatchObject({ _entities: ids });
});

test('50 clients by their keys are one call, whichever the key, in the order of the representations', async () => {
  const { execute, makeClient, sandbox } = await subgraph();
  const ids: string[] = [];
  for (let n = 0; n < 50; n += 1) ids.push(await makeClient({ name: `Client ${n}` }));
  const shuffled = ids.toReversed();

  const representations = shuffled.map((id, n) => (n % 2 ? client(id) : { __typename: 'Client', id: `Client:${id}` }));
  const { data, errors } = await execute(ENTITIES, asking(...representations));

  expect(errors).toEqual([]);
  expect(data).toEqual({
    _entities: shuffled.map((id, n) => ({ __typename: 'Client', id: `Client:${id}`, name: `Client ${49 - n}` })),
  });
  expect(sandbox.calls()).toEqual([CLIENTS]);
});

test('one client that is referred to several times is read once', async () => {
  const { execute, makeClient, sandbox } = await subgraph();
  const id = await makeClient({ name: 'Ada' });
  const ada = { __typename: 'Client', id: `Client:${id}`, name: 'Ada' };

  const ofTwoKeys = [
    { ...client(id), id: ada.id },
    { ...client(id), id: null },
  ];
  const { data } = await execute(ENTITIES, asking(client(id), client(Number(id)), ...ofTwoKeys));

  expect(data).toEqual({ _entities: [ada, ada, ada, ada] }); // an id in digits is one as text
  expect(sandbox.calls()).toEqual([CLIENT]);
});

test('a record that the caller cannot see is null, without an error', async () => {
  const { execute, makeClient, stranger } = await subgraph();
  const [seen, hidden] = [await makeClient({ name: 'Ada' }), await makeClient({}, stranger())];

  const { data, errors } = await execute(ENTITIES, asking(client(hidden), client(seen), client('999999')));

  expect(errors).toEqual([]);
  expect(data).toMatchObject({ _entities: [null, { name: 'Ada' }, null] });
});

test('what is no representation costs its own place, and no call', async () => {
  const { execute, makeClient, sandbox } = await subgraph();
  const id = await makeClient({ name: 'Ada' });
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    [7, /__typename/],
    [[], /__typename/],
    [{}, /__typename.* of ApiToken, .*Post/],
    [{ __typename: 'Robot', id: '1' }, /__typename/],
    [{ __typename: 'Query', id: '1' }, /__typename/],
    [{ __typename: 'constructor' }, /__typename/],
    [{ __typename: ['Client'], upstreamId: id }, /__typename/],
    [{ __typename: 'Client' }, /no id or upstreamId, by which a Client is known/],
    [{ __typename: 'Client', name: 'Ada' }, /no id or upstreamId/],
    [{ __typename: 'FlexRecord', upstreamId: '1' }, /no id, by which a FlexRecord is known/],
    [{ __typename: 'Client', id }, /no global id of a Client.*`Client:`/],
    [{ __typename: 'Client', id: 'Deal:1' }, /no global id of a Client/],
    [client(null), /no id or upstreamId/],
    [client([id]), /a key that is no id: upstreamId/],
    [client({ id }), /a key that is no id/],
    [client(1.5), /a key that is no id/],
    [client(2 ** 60), /a key that is no id/],
    [{ ...client(id), id: [] }, /a key that is no id: id/],
    [{ ...client([]), id: `Client:${id}` }, /a key that is no id: upstreamId/],
    [client('../deals/1'), /id/],
    [client(''), /id/],
  ];

  const { data, errors } = await execute(
    ENTITIES,
    asking(...wrong.map(([representation]) => representation), client(id)),
  );

  expect(data).toMatchObject({ _entities: [...wrong.map(() => null), { name: 'Ada' }] });
  expect(errors.map(({ path, extensions }) => [path, extensions['code']])).toEqual(
    wrong.map((_, n) => [['_entities', n], 'BAD_USER_INPUT']),
  );
  for (const [n, [, message]] of wrong.entries()) expect(errors[n]?.message).toMatch(message);
  expect(sandbox.calls()).toEqual([CLIENT]);
});

test('a reference whose keys are of two records is an error at its place, which names both', async () => {
  const { execute, makeClient, sandbox } = await subgraph();
  const id = await makeClient({ name: 'Ada' });

  const { data, errors } = await execute(
    ENTITIES,
    asking({ ...client('x'), id: `Client:${id}` }, { ...client(id), id: `Client:${id}` }),
  );

  expect(data).toMatchObject({ _entities: [null, { name: 'Ada' }] });
  const message = `A representation has keys of two records: id is Client:${id}, and upstreamId is x.`;
  expect(errors).toMatchObject([{ message, path: ['_entities', 0], extensions: { code: 'BAD_USER_INPUT' } }]);
  expect(sandbox.calls()).toEqual([CLIENT]);
});

test('one API that is down costs its own places', async () => {
  const { execute, makeClient } = await subgraph({ FORUM_URL: new URL(DEAD_ADDRESS) });
  const id = await makeClient({ name: 'Ada' });

  const forum = { headers: { 'X-Forum-Authorization': 'Basic YTpi' } };
  const { data, errors } = await execute(ENTITIES, {
    ...asking({ __typename: 'ForumPost', upstreamId: '1' }, client(id)),
    ...forum,
  });

  expect(data).toMatchObject({ _entities: [null, { name: 'Ada' }] });
  expect(errors).toMatchObject([{ path: ['_entities', 0], extensions: { code: 'UPSTREAM_UNAVAILABLE' } }]);
});

test('references are resolved with the credential of the caller, and with none if there is none', async () => {
  const { execute, makeClient, sandbox, stranger } = await subgraph();
  const id = await makeClient();

  expect(await execute(ENTITIES, { ...asking(client(id)), token: stranger() })).toMatchObject({
    data: { _entities: [null] },
    errors: [],
  });
  sandbox.forgetCalls();
  expect(await execute(ENTITIES, { ...asking(client(id)), token: null })).toMatchObject({
    data: { _entities: [null] },
    errors: [{ path: ['_entities', 0], extensions: { code: 'UNAUTHENTICATED' } }],
  });
  expect(sandbox.calls()).toEqual([]);
});

test('an operation refers to MAX_ENTITIES records at most, and calls nothing for more', async () => {
  const { execute, sandbox } = await subgraph({ MAX_ENTITIES: 2 });

  expect(await execute(ENTITIES, asking(client(1), client(2)))).toMatchObject({ errors: [] });
  sandbox.forgetCalls();
  const refused = expect.objectContaining({
    message: expect.stringContaining('MAX_ENTITIES'),
    extensions: { code: 'QUERY_LIMIT_EXCEEDED' },
  });
  const { errors } = await execute(ENTITIES, asking(client(1), client(2), client(3)));
  expect(errors).toEqual([refused]);

  const twice = `query ($these: [_Any!]!, $others: [_Any!]!) {
    _entities(representations: $these) { __typename }
    others: _entities(representations: $others) { __typename }
  }`;
  const ofTypes = (...names: readonly string[]) => names.map((__typename) => ({ __typename }));
  const run = async (these: readonly object[], others: readonly object[]) =>
    (await execute(twice, { variables: { these, others } })).errors;
  expect(await run(ofTypes('A'), ofTypes('B'))).toMatchObject([{ path: ['_entities', 0] }, { path: ['others', 0] }]);
  expect(await run(ofTypes('A', 'B'), ofTypes('C'))).toContainEqual(refused);
  expect(sandbox.calls()).toEqual([]);
});

test('references to one record count as one in MAX_ENTITIES and MAX_COST, whichever their keys', async () => {
  const { execute, makeClient, sandbox } = await subgraph({ MAX_ENTITIES: 50, MAX_COST: 50 });
  const ids: string[] = [];
  for (let n = 0; n < 50; n += 1) ids.push(await makeClient({ name: `Client ${n}` }));
  const references = (id: string) => [client(id), client(Number(id)), { __typename: 'Client', id: `Client:${id}` }];
  const all = Array.from({ length: 3 }, () => ids.flatMap(references)).flat();

  const { data, errors } = await execute(ENTITIES, asking(...all));

  expect(errors).toEqual([]);
  expect(data).toEqual({ _entities: all.map(() => expect.objectContaining({ __typename: 'Client' })) });
  expect(sandbox.calls()).toEqual([CLIENTS]);
  const { errors: refusals } = await execute(ENTITIES, asking(...all, client('999999')));
  expect(refusals).toMatchObject([
    { message: expect.stringContaining('MAX_COST'), extensions: { code: 'QUERY_LIMIT_EXCEEDED' } },
  ]);
});

test.each(['MAX_ENTITIES', 'MAX_COST'])(
  'of a record with many references each ten count as one in %s',
  async (limit) => {
    const { execute, makeClient, sandbox } = await subgraph({ [limit]: 50 });
    const id = await makeClient({ name: 'Ada' });
    const references = (count: number) => Array.from({ length: count }, () => client(id));

    expect((await execute(ENTITIES, asking(...references(500)))).errors).toEqual([]);
    expect(sandbox.calls()).toEqual(['GET /app/clients/:id.json']);
    const { errors } = await execute(ENTITIES, asking(...references(501)));
    expect(errors).toMatchObject([
      { message: expect.stringContaining(limit), extensions: { code: 'QUERY_LIMIT_EXCEEDED' } },
    ]);
  },
);

const nameless = {};
const keyless = { __typename: 'Client' };

test.each([99, 100])('%i references that fail are null, each with its own error', async (failures) => {
  const { execute, makeClient } = await subgraph();
  const found = client(await makeClient({ name: 'Ada' }));

  const failing = Array.from({ length: failures }, () => nameless);
  const { data, errors } = await execute(ENTITIES, asking(found, ...failing, client('999999')));

  expect(data).toMatchObject({ _entities: [{ name: 'Ada' }, ...failing.map(() => null), null] });
  expect(errors.map(({ path }) => path)).toEqual(failing.map((_, index) => ['_entities', index + 1]));
});

test('of 101 references that fail `_entities` fails as a whole: a null without an error is a record that is gone', async () => {
  const { execute, makeClient } = await subgraph();
  const found = client(await makeClient({ name: 'Ada' }));

  const { data, errors } = await execute(ENTITIES, asking(found, ...Array.from({ length: 101 }, () => keyless)));

  const message = 'A representation has no id or upstreamId, by which a Client is known.';
  expect(data).toBeNull();
  expect(errors).toMatchObject([
    {
      message: `101 references failed, and at most 100 errors are listed, so none is answered: 101 times ${message}`,
      path: ['_entities'],
      extensions: { code: 'BAD_USER_INPUT', causes: [{ code: 'BAD_USER_INPUT', message, count: 101 }] },
    },
  ]);
});

test('the error of many references that fail counts its causes, of all fields, the most frequent one first', async () => {
  const { execute } = await subgraph();
  const query = `query ($these: [_Any!]!, $others: [_Any!]!) {
    others: _entities(representations: $others) { __typename }
    these: _entities(representations: $these) { __typename }
  }`;
  const variables = {
    these: Array.from({ length: 60 }, (_, n) => client(n + 1)),
    others: Array.from({ length: 41 }, () => nameless),
  };

  const { data, errors } = await execute(query, { variables, token: null });

  expect(data).toBeNull();
  expect(errors).toMatchObject([
    {
      message: expect.stringMatching(
        /: 60 times No credential for the CRM: [^.]*\. 41 times A representation has no [^.]*\.$/,
      ),
      extensions: {
        code: 'UNAUTHENTICATED',
        causes: [
          { code: 'UNAUTHENTICATED', count: 60 },
          { code: 'BAD_USER_INPUT', count: 41 },
        ],
      },
    },
  ]);
});

test('errors below a record leave those of 100 references listed', async () => {
  const { execute, makeClient } = await subgraph({ FORUM_URL: new URL(DEAD_ADDRESS) });
  const found = client(await makeClient());
  const query = `query ($representations: [_Any!]!) {
    _entities(representations: $representations) { ... on Client { a: deals(first: -1) { totalCount } b: deals(first: -1) { totalCount } } }
  }`;

  const { data, errors } = await execute(query, asking(found, ...Array.from({ length: 100 }, () => nameless)));

  expect(data).toMatchObject({ _entities: [{ a: null, b: null }, ...Array.from({ length: 100 }, () => null)] });
  expect(errors.slice(0, 100).map(({ path }) => path)).toEqual(
    Array.from({ length: 100 }, (_, index) => ['_entities', index + 1]),
  );
  expect(errors.slice(100)).toMatchObject([{ extensions: { omitted: 2 } }]);
});
