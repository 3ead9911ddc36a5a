import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { HELD, heldDeadlines } from '../support/deadlines.ts';
import { after, clientOf, clientsUpTo, gatewayOverCrm, saysJson, tally } from '../support/stub-crm.ts';

// Several records by id: read one by one, or from one list call. Nothing says how many ids are asked for but the query.

const JOINED = '{ posts(first: 1000) { nodes { client { name } } } }';
const POSTS = 'GET /app.json';
const LIST = 'GET /app/clients.json';
const ONE = 'GET /app/clients/:id.json';

const names = (count: number) => ({
  posts: { nodes: clientsUpTo(count).map(({ name }) => ({ client: { name } })) },
});

const nodes = (...ids: number[]) =>
  `{ nodes(ids: ${JSON.stringify(ids.map((id) => `Client:${id}`))}) { ... on Client { name } } }`;

describe('with nothing learned', () => {
  test.each([
    [1, { [POSTS]: 1, [ONE]: 1 }],
    [4, { [POSTS]: 1, [ONE]: 4 }],
    [5, { [POSTS]: 1, [LIST]: 1 }],
    [100, { [POSTS]: 1, [LIST]: 1 }],
  ])('%i ids', async (posts, calls) => {
    const crm = await gatewayOverCrm({ posts });
    expect((await crm.execute(JOINED)).data).toEqual(names(posts));
    expect(crm.calls()).toEqual(calls);
  });
});

describe('what one operation has seen, the next one of another caller goes by', () => {
  test('a list that takes 400 ms is not read again in place of reads that take none', async () => {
    const crm = await gatewayOverCrm({ list: after(400, saysJson(clientsUpTo(10))) });
    await crm.execute(JOINED);
    expect(crm.calls()).toEqual({ [POSTS]: 1, [LIST]: 1 });
    expect((await crm.execute(JOINED, { token: 'another' })).data).toEqual(names(10));
    expect(crm.calls()).toEqual({ [POSTS]: 1, [ONE]: 10 });
  });

  test('reads that take 400 ms are made in place of a list that takes none only once', async () => {
    const one: RequestListener = (request, response) =>
      after(400, saysJson(clientOf(Number(/\d+/.exec(request.url ?? '')?.[0]))))(request, response);
    const crm = await gatewayOverCrm({ one });
    await crm.execute(nodes(1, 2));
    expect(crm.calls()).toEqual({ [ONE]: 2 });
    await crm.execute(JOINED, { token: 'another' });
    expect(crm.calls()).toEqual({ [POSTS]: 1, [LIST]: 1 });
    expect((await crm.execute(nodes(1, 2))).data).toEqual({ nodes: [{ name: 'Client 1' }, { name: 'Client 2' }] });
    expect(crm.calls()).toEqual({ [LIST]: 1 });
  });

  test('a list that answers no sooner than the deadline is given up', async () => {
    const deadlines = heldDeadlines();
    const crm = await gatewayOverCrm({ list: () => {} }, HELD);
    const answer = crm.execute(JOINED);
    await deadlines.comeWhen(1, () => tally(crm.upstream.received), { [POSTS]: 1, [LIST]: 1 });
    const { errors } = await answer;
    expect(new Set(errors.map(({ extensions }) => extensions['code']))).toEqual(new Set(['UPSTREAM_TIMEOUT']));
    expect(crm.calls()).toEqual({ [POSTS]: 1, [LIST]: 1 });
    expect((await crm.execute(JOINED)).data).toEqual(names(10));
    expect(crm.calls()).toEqual({ [POSTS]: 1, [ONE]: 10 });
  });

  test('and a caller gets no record of another one', async () => {
    const ownName: RequestListener = (request, response) => {
      const token = new URL(request.url ?? '', 'http://x').searchParams.get('api_token');
      saysJson([1, 2, 3, 4, 5].map((id) => ({ id, name: token })))(request, response);
    };
    const crm = await gatewayOverCrm({ posts: 5, list: ownName }, { BATCH_READS: 'list' });
    const callers = Array.from({ length: 20 }, (_none, index) => `caller-${index}`);
    const answers = await Promise.all(
      callers.map((token) => crm.execute(JOINED, { headers: { 'x-crm-token': token } })),
    );
    expect(answers.map(({ data }) => data)).toEqual(
      callers.map((name) => ({ posts: { nodes: Array.from({ length: 5 }, () => ({ client: { name } })) } })),
    );
  });
});

describe('BATCH_READS pins it', () => {
  test('list: two ids are enough, and one alone is still read by id', async () => {
    const crm = await gatewayOverCrm({}, { BATCH_READS: 'list' });
    await crm.execute(nodes(1, 2));
    expect(crm.calls()).toEqual({ [LIST]: 1 });
    await crm.execute(nodes(1));
    expect(crm.calls()).toEqual({ [ONE]: 1 });
  });

  test('list: whatever it has been seen to take', async () => {
    const crm = await gatewayOverCrm({ list: after(200, saysJson(clientsUpTo(10))) }, { BATCH_READS: 'list' });
    for (let again = 0; again < 2; again++) {
      await crm.execute(JOINED);
      expect(crm.calls()).toEqual({ [POSTS]: 1, [LIST]: 1 });
    }
  });

  test('by-id: however many there are', async () => {
    const crm = await gatewayOverCrm({ posts: 100 }, { BATCH_READS: 'by-id' });
    expect((await crm.execute(JOINED)).data).toEqual(names(100));
    expect(crm.calls()).toEqual({ [POSTS]: 1, [ONE]: 100 });
  });

  test('by-id: even where the operation has read the list', async () => {
    const crm = await gatewayOverCrm({ posts: 3 }, { BATCH_READS: 'by-id' });
    await crm.execute(`{ clients { totalCount } posts(first: 10) { nodes { client { name } } } }`);
    expect(crm.calls()).toEqual({ [POSTS]: 1, [LIST]: 1, [ONE]: 3 });
  });
});

describe('a list that the operation has read is there', () => {
  test('for several ids', async () => {
    const crm = await gatewayOverCrm({ posts: 3 });
    await crm.execute(`{ clients { nodes { name posts(first: 1) { nodes { client { name } } } } } }`);
    expect(crm.calls()).toEqual({ [POSTS]: 1, [LIST]: 1 });
  });

  test('several ids wait for one that is being read, one alone does not', async () => {
    const crm = await gatewayOverCrm({ list: after(300, saysJson(clientsUpTo(10))) });
    await crm.execute(`{ clients { totalCount } ${nodes(1, 2).slice(1)}`);
    expect(crm.calls()).toEqual({ [LIST]: 1 });
    await crm.execute(`{ clients { totalCount } ${nodes(1).slice(1)}`);
    expect(crm.calls()).toEqual({ [LIST]: 1, [ONE]: 1 });
  });

  test('for a connection, too, where a join has read it', async () => {
    const crm = await gatewayOverCrm({ posts: 6 });
    const ids = JSON.stringify([1, 2, 3, 4, 5, 6].map((id) => `Post:${id}`));
    await crm.execute(`{ nodes(ids: ${ids}) { ... on Post { comments { totalCount } } } }`);
    expect(crm.calls()).toEqual({ [POSTS]: 1 });
  });

  test('but one id alone is read by itself, whatever else is there', async () => {
    const crm = await gatewayOverCrm();
    await crm.execute(`{ clients { totalCount } client(id: 1) { name } }`);
    expect(crm.calls()).toEqual({ [LIST]: 1, [ONE]: 1 });
  });

  test('an id that is asked for at many places is one', async () => {
    const crm = await gatewayOverCrm();
    await crm.execute(nodes(1, 1, 1, 1, 1, 1, 1));
    expect(crm.calls()).toEqual({ [ONE]: 1 });
  });

  test('and what was read by id already counts for nothing: only one of these five is missing', async () => {
    const crm = await gatewayOverCrm({ posts: 5 });
    const { data } = await crm.execute(`{
      nodes(ids: ["Client:1", "Client:2", "Client:3", "Client:4"]) { ... on Client { name } }
      posts { nodes { client { name } } }
    }`);
    expect(data).toMatchObject(names(5));
    expect(crm.calls()).toEqual({ [POSTS]: 1, [ONE]: 5 });
  });
});

test('READS_AT_ONCE of one operation are under way at once, and no more', async () => {
  let [underWay, most] = [0, 0];
  const held: (() => void)[] = [];
  const one: RequestListener = (request, response) => {
    underWay += 1;
    most = Math.max(most, underWay);
    held.push(() => {
      underWay -= 1;
      saysJson(clientOf(Number(/\d+/.exec(request.url ?? '')?.[0])))(request, response);
    });
    if (held.length === 4) for (const answer of held.splice(0)) answer();
  };
  const crm = await gatewayOverCrm({ posts: 20, one }, { BATCH_READS: 'by-id', READS_AT_ONCE: 4 });
  expect((await crm.execute(JOINED)).data).toEqual(names(20)); // it ends only if four are under way
  expect(most).toBe(4);
});

test('reads that wait for a connection do not make their upstream look slow', async () => {
  const one: RequestListener = (request, response) =>
    after(20, saysJson(clientOf(Number(/\d+/.exec(request.url ?? '')?.[0]))))(request, response);
  const list = after(100, saysJson(clientsUpTo(10)));
  const crm = await gatewayOverCrm({ one, list }, { UPSTREAM_CONNECTIONS: 1 });
  await crm.execute('{ clients { totalCount } }');
  // Sixteen reads of 20 ms through one connection: the last of them is answered after 320 ms.
  await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(() => crm.execute(nodes(1, 2))));
  crm.calls();

  await crm.execute(nodes(1, 2, 3));

  expect(crm.calls()).toEqual({ [ONE]: 3 });
});
