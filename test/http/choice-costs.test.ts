import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { stoppedClock } from '../support/clock.ts';
import { HELD } from '../support/deadlines.ts';
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

// Measurements of a list and of reads by id decide between them, for any caller.

const AT_ONCE = 8;

const atOnce = async <T>(run: () => Promise<T>) => Promise.all(Array.from({ length: AT_ONCE }, run));

describe('what a list takes', () => {
  test('is learned from any reading of it: 100 records of a slow list are read by id when upstream is fast', async () => {
    const { takes } = stoppedClock();
    const crm = await gatewayOverCrm({ posts: 100, list: takes(400, saysJson(clientsUpTo(100))) });
    await crm.execute('{ client(id: 1) { name } }');
    await crm.execute('{ clients { totalCount } }');
    expect(crm.calls()).toEqual({ [LIST]: 1, [ONE]: 1 });
    expect((await crm.execute(JOINED, { token: 'another' })).data).toEqual(names(100));
    expect(crm.calls()).toEqual({ [POSTS]: 1, [ONE]: 100 });
  });

  test('is learned by one operation at a time: the others read by id until then', async () => {
    const { takes } = stoppedClock();
    const waiting: (() => void)[] = [];
    let reads = -2;
    const list: RequestListener = (request, response) => {
      waiting.push(() => saysJson(clientsUpTo(10))(request, response));
    };
    // The first two reads take long, so the list may: it must not be given up before the others have read by id.
    const one: RequestListener = (request, response) => {
      takes(reads < 0 ? 20_000 : 0, answersClient())(request, response);
      reads += 1;
      if (reads === 10 * (AT_ONCE - 1)) for (const answer of waiting.splice(0)) answer();
    };
    const crm = await gatewayOverCrm({ list, one }, { SHARE_READS: 'false', READS_AT_ONCE: 4, ...HELD });
    await crm.execute('{ nodes(ids: ["Client:1", "Client:2"]) { id ... on Client { name } } }');
    crm.calls();
    const results = await atOnce(async () => crm.execute(JOINED));
    expect(results.map(({ data }) => data)).toEqual(results.map(() => names(10)));
    expect(crm.calls()).toEqual({ [POSTS]: AT_ONCE, [LIST]: 1, [ONE]: 10 * (AT_ONCE - 1) });
  });
});

test('under load, when every response comes late, a slow list is not preferred either', async () => {
  const { takes } = stoppedClock();
  let late = 0;
  const one: RequestListener = (request, response) => takes(late, answersClient())(request, response);
  const crm = await gatewayOverCrm(
    { posts: 100, list: takes(400, saysJson(clientsUpTo(100))), one },
    { SHARE_READS: 'false', ...HELD },
  );
  await crm.execute('{ client(id: 1) { name } }');
  await crm.execute('{ clients { totalCount } }');
  crm.calls();
  late = 10;
  const results = await atOnce(async () => crm.execute(JOINED));
  expect(results.map(({ data }) => data)).toEqual(results.map(() => names(100)));
  expect(crm.calls()).toEqual({ [POSTS]: AT_ONCE, [ONE]: 100 * AT_ONCE });
});
