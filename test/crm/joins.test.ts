import { describe, expect, test } from 'vitest';
import { CLIENT, CLIENTS, CONTACT, crmGateway, crmOver, DEALS, POST, POSTS } from './support.ts';

describe('the contact of a client', () => {
  test('is the main one, read by id', async () => {
    const { execute, sandbox, makeClient, makeContact } = await crmGateway();
    const contact = await makeContact({ name: 'Ada' });
    await makeContact({ name: 'Bo' });
    const id = await makeClient({ contact_id: Number(contact) });

    const { data } = await execute(`{ client(id: ${id}) { contactId contactsCount contact { id name } } }`);

    expect(data).toEqual({
      client: { contactId: contact, contactsCount: 1, contact: { id: `Contact:${contact}`, name: 'Ada' } },
    });
    expect(sandbox.calls()).toEqual([CLIENT, CONTACT]);
  });

  test('is null without a call when the client names no contact', async () => {
    const { execute, sandbox, makeClient } = await crmGateway();
    await makeClient();
    expect((await execute('{ client(id: 1) { contact { name } } }')).data).toEqual({ client: { contact: null } });
    expect(sandbox.calls()).toEqual([CLIENT]);
  });
});

describe('the deals of a client', () => {
  test('are those that name it, of all clients by one call', async () => {
    const { execute, sandbox, makeClient, makeDeal } = await crmGateway();
    for (const name of ['Ada', 'Bo', 'Cy']) await makeClient({ name });
    for (const client_id of [1, 2, 1, null]) await makeDeal({ client_id });

    const { data } = await execute('{ clients { nodes { name deals { totalCount nodes { upstreamId } } } } }');

    const deals = (...ids: string[]) => ({ totalCount: ids.length, nodes: ids.map((upstreamId) => ({ upstreamId })) });
    expect(data).toEqual({
      clients: {
        nodes: [
          { name: 'Ada', deals: deals('1', '3') },
          { name: 'Bo', deals: deals('2') },
          { name: 'Cy', deals: deals() },
        ],
      },
    });
    expect(sandbox.calls()).toEqual([CLIENTS, DEALS]);
  });

  test('accept page, filter and order arguments', async () => {
    const { execute, makeClient, makeDeal } = await crmGateway();
    const id = await makeClient();
    for (const price of ['10', '5', '7.5', null]) await makeDeal({ client_id: Number(id), price });
    await makeDeal({ price: '6' });

    const { data } = await execute(`{ client(id: ${id}) {
      deals(first: 2, filter: { price: { min: "5" } }, orderBy: { field: PRICE }) { totalCount nodes { price } }
    } }`);

    expect(data).toEqual({ client: { deals: { totalCount: 3, nodes: [{ price: '5' }, { price: '7.5' }] } } });
  });
});

test('the posts of a client are those about it, comments among them, unless they are filtered', async () => {
  const { execute, makeClient, makePost } = await crmGateway();
  const client_id = Number(await makeClient());
  await makePost({ client_id });
  await makePost({});
  await makePost({ client_id, task_kind: 'comment', post_id: 1, content: 'x' });
  await makePost({ client_id, closed: true, kind: 'error' });

  const { data } = await execute(`{ client(id: 1) {
    postsCount
    all: posts { nodes { upstreamId } }
    tasks: posts(filter: { isComment: false }) { totalCount }
    errors: posts(filter: { kinds: [ERROR] }) { nodes { upstreamId } }
    others: posts(filter: { clientIds: [99] }) { totalCount }
  } }`);

  const nodes = (...ids: string[]) => ({ nodes: ids.map((upstreamId) => ({ upstreamId })) });
  expect(data).toEqual({
    client: {
      ...{ postsCount: 2, all: nodes('1', '3', '4'), tasks: { totalCount: 2 }, errors: nodes('4') },
      others: { totalCount: 0 },
    },
  });
});

test('the comments of a post are those that name it as their parent, and no sub-tasks', async () => {
  const { execute, sandbox, makePost } = await crmGateway();
  await makePost({ title: 'Task' });
  await makePost({ title: 'Sub-task', post_id: 1 });
  await makePost({ title: 'First', task_kind: 'comment', post_id: 1, content: 'x' });
  await makePost({ title: 'On the sub-task', task_kind: 'comment', post_id: 2, content: 'x' });
  await makePost({ title: 'Second', task_kind: 'comment', post_id: 1, content: 'x' });

  const { data } = await execute(`{ post(id: 1) {
    commentsCount
    comments { totalCount nodes { title parent { title } } }
    last: comments(last: 1, orderBy: { field: ID }) { nodes { title } }
    some: comments(filter: { text: "fir" }) { nodes { title } }
  } }`);

  const parent = { title: 'Task' };
  expect(data).toEqual({
    post: {
      commentsCount: 2,
      comments: {
        totalCount: 2,
        nodes: [
          { title: 'First', parent },
          { title: 'Second', parent },
        ],
      },
      last: { nodes: [{ title: 'Second' }] },
      some: { nodes: [{ title: 'First' }] },
    },
  });
  expect(sandbox.calls()).toEqual([POST, POSTS]);
});

describe('the records that a post names', () => {
  test('are its client, its parent and the one that it repeats', async () => {
    const { execute, makeClient, makePost } = await crmGateway();
    await makeClient({ name: 'Ada' });
    await makePost({ title: 'Task' });
    await makePost({ title: 'Original' });
    await makePost({ title: 'All', client_id: 1, post_id: 1, duplicate_from_id: 2 });

    const selection = 'title client { name } parent { title } duplicateOf { title }';
    const { data } = await execute(`{ one: post(id: 3) { ${selection} } none: post(id: 1) { ${selection} } }`);

    expect(data).toEqual({
      one: { title: 'All', client: { name: 'Ada' }, parent: { title: 'Task' }, duplicateOf: { title: 'Original' } },
      none: { title: 'Task', client: null, parent: null, duplicateOf: null },
    });
  });

  test('are null when they no longer exist; their ids stay', async () => {
    const { ask } = await crmOver({
      'GET /app/posts/1.json': { id: 1, client_id: 5, post_id: 6, duplicate_from_id: 7 },
      'GET /app/deals/1.json': { id: 1, client_id: 5 },
      'GET /app/clients/1.json': { id: 1, contact_id: 5 },
    });
    const data = await ask(`{
      post(id: 1) { clientId client { id } parentId parent { id } duplicateOfId duplicateOf { id } }
      deal(id: 1) { clientId client { id } }
      client(id: 1) { contactId contact { id } }
    }`);
    expect(data).toEqual({
      post: { clientId: '5', client: null, parentId: '6', parent: null, duplicateOfId: '7', duplicateOf: null },
      deal: { clientId: '5', client: null },
      client: { contactId: '5', contact: null },
    });
  });

  test('are errors of their own fields when they cannot be read', async () => {
    const { execute } = await crmOver({
      'GET /app/deals.json': [
        { id: 1, client_id: 5 },
        { id: 2, client_id: 6 },
      ],
      'GET /app/clients/5.json': 'odd',
      'GET /app/clients/6.json': { id: 6 },
    });
    const { data, errors } = await execute('{ deals { nodes { client { id } } } }');
    expect(data).toEqual({ deals: { nodes: [{ client: null }, { client: { id: 'Client:6' } }] } });
    expect(errors).toMatchObject([{ path: ['deals', 'nodes', 0, 'client'] }]);
  });
});

describe('a join through a list whose records lack the key', () => {
  test.each([
    ['client', 'deals', 'client_id', 'GET /app/deals.json'],
    ['client', 'posts', 'client_id', 'GET /app.json'],
    ['post', 'comments', 'post_id', 'GET /app.json'],
  ])('%s.%s is an error that names the key, and not an empty list', async (field, connection, key, list) => {
    const one = { [`GET /app/${field}s/1.json`]: { id: 1 } };
    const query = `{ ${field}(id: 1) { id ${connection} { totalCount } } }`;

    const told = await crmOver({ ...one, [list]: [{ id: 2 }, { id: 3 }] });
    const { data, errors } = await told.execute(query);
    expect(data).toMatchObject({ [field]: { [connection]: null } });
    const message = expect.stringContaining(`\`${key}\``);
    expect(errors).toMatchObject([
      { path: [field, connection], message, extensions: { code: 'UPSTREAM_BAD_RESPONSE' } },
    ]);

    const empty = await crmOver({ ...one, [list]: [] });
    expect((await empty.execute(query)).data).toMatchObject({ [field]: { [connection]: { totalCount: 0 } } });
  });

  test('a join through a key without a readable value is an error, and not an empty list', async () => {
    const { execute } = await crmOver({
      'GET /app/clients/1.json': { id: 1 },
      'GET /app/deals.json': [{ id: 1, client_id: {} }, { id: 2, client_id: 1.5 }, { id: 3 }],
    });
    const { data, errors } = await execute('{ client(id: 1) { id deals { totalCount } } }');
    expect(data).toEqual({ client: { id: 'Client:1', deals: null } });
    const message = expect.stringContaining('No value under `client_id` can be read');
    expect(errors).toMatchObject([
      { path: ['client', 'deals'], message, extensions: { code: 'UPSTREAM_BAD_RESPONSE' } },
    ]);
  });
});

test.each([
  ['clients', 'deals', 'client_id', 'GET /app/deals.json', 2],
  ['clients', 'posts', 'client_id', 'GET /app.json', 2],
  ['posts', 'comments', 'post_id', 'GET /app.json', 4],
] as const)(
  '%s whose %s have a %s that is no id: the rows are left out, and an error of each list counts them',
  async (...row) => {
    const [parents, name, key, list, count] = row;
    const comment = { task_kind: 'comment' };
    const { execute } = await crmOver({
      'GET /app/clients.json': [{ id: 1 }, { id: 2 }],
      [list]: [{ id: 1, [key]: '1' }, { id: 2, [key]: {} }, { id: 3, [key]: 1.5 }, { id: 4 }].map((each) => ({
        ...each,
        ...comment,
      })),
    });

    const { data, errors } = await execute(`{ ${parents} { nodes { ${name} { nodes { upstreamId } } } } }`);

    const own = { [name]: { nodes: [{ upstreamId: '1' }] } };
    expect(data).toEqual({ [parents]: { nodes: expect.arrayContaining([own, { [name]: { nodes: [] } }]) } });
    expect(errors).toMatchObject(
      Array.from({ length: count }, (_none, index) => ({
        message: `2 of 4 rows were left out, because their \`${key}\` cannot be read.`,
        path: [parents, 'nodes', index, name],
        extensions: { code: 'UPSTREAM_BAD_RESPONSE' },
      })),
    );
  },
);
