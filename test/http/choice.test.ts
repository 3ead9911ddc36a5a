import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { stoppedClock } from '../support/clock.ts';
import {
  answersClient,
  clientsUpTo,
  gatewayOverCrm,
  JOINED,
  LIST,
  names,
  ONE,
  POSTS,
  saysJson,
} from '../support/stub-crm.ts';

// Several records by id are read one by one, or from one list call.

const nodes = (...ids: number[]) =>
  `{ nodes(ids: ${JSON.stringify(ids.map((id) => `Client:${id}`))}) { ... on Client { name } } }`;

/** A gateway that tries a list of unknown size for five ids or more. */
const TRIES_LISTS = { READS_AT_ONCE: 4 };

describe('before the size of a list is known, more ids than READS_AT_ONCE are read from it', () => {
  test.each([
    [1, { [POSTS]: 1, [ONE]: 1 }],
    [32, { [POSTS]: 1, [ONE]: 32 }],
    [33, { [POSTS]: 1, [LIST]: 1 }],
  ])('%i ids', async (posts, calls) => {
    const crm = await gatewayOverCrm({ posts });
    expect((await crm.execute(JOINED)).data).toEqual(names(posts));
    expect(crm.calls()).toEqual(calls);
  });
});

describe('the times that one operation measures decide for operations of other callers', () => {
  test('a list that takes 400 ms is not read again in place of reads that take none', async () => {
    const { takes } = stoppedClock();
    const crm = await gatewayOverCrm({ list: takes(400, saysJson(clientsUpTo(10))) }, TRIES_LISTS);
    await crm.execute(JOINED);
    expect(crm.calls()).toEqual({ [POSTS]: 1, [LIST]: 1 });
    expect((await crm.execute(JOINED, { token: 'another' })).data).toEqual(names(10));
    expect(crm.calls()).toEqual({ [POSTS]: 1, [ONE]: 10 });
  });

  test('reads by id that take 400 ms are replaced by a list that takes none', async () => {
    const { takes } = stoppedClock();
    const crm = await gatewayOverCrm({ one: takes(400, answersClient()) }, TRIES_LISTS);
    await crm.execute(nodes(1, 2));
    expect(crm.calls()).toEqual({ [ONE]: 2 });
    await crm.execute(JOINED, { token: 'another' });
    expect(crm.calls()).toEqual({ [POSTS]: 1, [LIST]: 1 });
    expect((await crm.execute(nodes(1, 2))).data).toEqual({ nodes: [{ name: 'Client 1' }, { name: 'Client 2' }] });
    expect(crm.calls()).toEqual({ [LIST]: 1 });
  });

  test('callers that read the same list at once get their own records', async () => {
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

describe('BATCH_READS chooses between list and reads by id', () => {
  test('with BATCH_READS=list, a slow list is read again', async () => {
    const { takes } = stoppedClock();
    const crm = await gatewayOverCrm({ list: takes(200, saysJson(clientsUpTo(10))) }, { BATCH_READS: 'list' });
    for (let again = 0; again < 2; again++) {
      await crm.execute(JOINED);
      expect(crm.calls()).toEqual({ [POSTS]: 1, [LIST]: 1 });
    }
  });

  test('with BATCH_READS=by-id, records are read by id after their list was read', async () => {
    const crm = await gatewayOverCrm({ posts: 3 }, { BATCH_READS: 'by-id' });
    await crm.execute(`{ clients { totalCount } posts(first: 10) { nodes { client { name } } } }`);
    expect(crm.calls()).toEqual({ [POSTS]: 1, [LIST]: 1, [ONE]: 3 });
  });
});

describe('a list that the operation has read is used again', () => {
  test('several ids are taken from the list', async () => {
    const crm = await gatewayOverCrm({ posts: 3 });
    await crm.execute(`{ clients { nodes { name posts(first: 1) { nodes { client { name } } } } } }`);
    expect(crm.calls()).toEqual({ [POSTS]: 1, [LIST]: 1 });
  });

  test.each([nodes(1), '{ client(id: 1) { name } }'])(
    'a single id does not wait for a list that is being read: %s',
    async (query) => {
      let isRead = false;
      const waiting: (() => void)[] = [];
      const list: RequestListener = (request, response) => {
        const answer = () => saysJson(clientsUpTo(10))(request, response);
        if (isRead) answer();
        else waiting.push(answer);
      };
      const one: RequestListener = (request, response) => {
        isRead = true;
        answersClient()(request, response);
        for (const answer of waiting) answer();
      };
      const crm = await gatewayOverCrm({ list, one });
      await crm.execute(`{ clients { totalCount } ${query.slice(1)}`); // ends only if the client is read before the list
      expect(crm.calls()).toEqual({ [LIST]: 1, [ONE]: 1 });
    },
  );

  test('a connection takes its rows from a list that was read for records by id', async () => {
    const crm = await gatewayOverCrm({ posts: 6 }, TRIES_LISTS);
    const ids = JSON.stringify([1, 2, 3, 4, 5, 6].map((id) => `Post:${id}`));
    await crm.execute(`{ nodes(ids: ${ids}) { ... on Post { comments { totalCount } } } }`);
    expect(crm.calls()).toEqual({ [POSTS]: 1 });
  });
});

test('as many reads of one operation as READS_AT_ONCE says are under way at once', async () => {
  const held: (() => void)[] = [];
  const one: RequestListener = (request, response) => {
    held.push(() => answersClient()(request, response));
    if (held.length === 4) for (const answer of held.splice(0)) answer();
  };
  const crm = await gatewayOverCrm({ posts: 20, one }, { BATCH_READS: 'by-id', READS_AT_ONCE: 4 });
  expect((await crm.execute(JOINED)).data).toEqual(names(20)); // it ends only if four are under way
});

test('reads that wait for a connection do not make their upstream look slow', async () => {
  const { takes } = stoppedClock();
  const one = takes(20, answersClient());
  const list = takes(100, saysJson(clientsUpTo(10)));
  const crm = await gatewayOverCrm({ one, list }, { UPSTREAM_CONNECTIONS: 1 });
  await crm.execute('{ clients { totalCount } }');
  // Sixteen reads of 20 ms through one connection: the last of them is answered after 320 ms.
  await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(() => crm.execute(nodes(1, 2))));
  crm.calls();

  await crm.execute(nodes(1, 2, 3));

  expect(crm.calls()).toEqual({ [ONE]: 3 });
});
