import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { stoppedClock } from '../support/clock.ts';
import { HELD, heldTimers } from '../support/deadlines.ts';
import type { Operation } from '../support/gateway.ts';
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
  type StubCrm,
} from '../support/stub-crm.ts';

// A list of unknown size is tried in place of many reads by id. Whatever it turns out to be, the operation gets its records,
// and the next one has learned from it. The clock stands still, so that no time that is measured decides.

const COUNT = 40;
const TRIED = { [POSTS]: 1, [LIST]: 1, [ONE]: COUNT };
const BY_ID = { [POSTS]: 1, [ONE]: COUNT };
const FROM_LIST = { [POSTS]: 1, [LIST]: 1 };
const MINUTE = 60_000;
const DEADLINES = { UPSTREAM_TIMEOUT_MS: 600_000, OPERATION_TIMEOUT_MS: 3_600_000 };

const whole = { data: names(COUNT), errors: [] };
const hangs: RequestListener = () => {};

/** A CRM of so many posts, and a gateway over it. */
async function crmWith(stub: StubCrm, settings: Partial<Config> = {}) {
  const crm = await gatewayOverCrm({ posts: COUNT, ...stub }, settings);
  /** Runs an operation that gets all of its records, with these calls. */
  const reads = async (calls: Readonly<Record<string, number>>, operation: Operation = {}) => {
    expect(await crm.execute(JOINED, operation)).toMatchObject(whole);
    expect(crm.calls()).toEqual(calls);
  };
  return { ...crm, reads };
}

/**
 * Lets the time of a list come once it has been called. That of a list of unknown size is half a second.
 *
 * @param calls how many calls have a timer as long, with that of the list, which is the last one
 */
function heldLists(ms = 500, calls = 1) {
  stoppedClock();
  const { begun, open, come } = heldTimers((_reach, timeout) => timeout === ms);
  return async <T>(result: Promise<T>): Promise<T> => {
    await expect.poll(() => ({ begun: begun(), open: open() })).toEqual({ begun: calls, open: 1 });
    come(ms);
    return result;
  };
}

describe('a list that hangs', () => {
  const headOnly: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('[');
  };

  test.each([
    ['without a head', hangs],
    ['after its head', headOnly],
  ])(
    '%s costs the operation none of its records, and its credential does not read it the next time',
    async (_name, list) => {
      const givenUp = heldLists();
      const { reads } = await crmWith({ list });
      await givenUp(reads(TRIED));
      await reads(BY_ID);
    },
  );

  test('is given up although its size is known, in a part of the deadline', async () => {
    const givenUp = heldLists(150_000);
    let isHanging = false;
    const list: RequestListener = (...call) => (isHanging ? hangs : saysJson(clientsUpTo(COUNT)))(...call);
    const crm = await crmWith({ list }, { READS_AT_ONCE: 1, ...DEADLINES });
    await crm.execute('{ clients { totalCount } }');
    isHanging = true;
    crm.calls();
    await givenUp(crm.reads(TRIED));
  });
});

describe('what is left of MAX_UPSTREAM_CALLS', () => {
  test.each([
    [COUNT + 2, DEADLINES.UPSTREAM_TIMEOUT_MS / 2, TRIED, []],
    [COUNT + 1, DEADLINES.UPSTREAM_TIMEOUT_MS, FROM_LIST, ['UPSTREAM_TIMEOUT']], // as it is needed
  ])('a list that hangs, and %i calls', async (MAX_UPSTREAM_CALLS, ms, calls, codes) => {
    const givenUp = heldLists(ms, ms === DEADLINES.UPSTREAM_TIMEOUT_MS ? 2 : 1); // the posts have all of it, too
    const crm = await crmWith({ list: hangs }, { ...DEADLINES, MAX_UPSTREAM_CALLS });
    const { errors } = await givenUp(crm.execute(JOINED));
    expect([...new Set(errors.map(({ extensions }) => extensions['code']))]).toEqual(codes);
    expect(crm.calls()).toEqual(calls);
  });
});

test('a list whose Content-Length tells that it costs more than the reads ends there, and its size is known from then on', async () => {
  const { pass } = stoppedClock();
  let closed: Promise<unknown> = Promise.reject(new Error('The list was not read.'));
  closed.catch(() => {});
  const list: RequestListener = (_request, response) => {
    closed = once(response, 'close');
    // The head alone: who waits for the body waits for ever.
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 10_000_000 }).flushHeaders();
  };
  const { reads } = await crmWith({ list });
  await reads(TRIED);
  await closed;
  pass(2 * MINUTE);
  await reads(BY_ID, { token: 'another' });
});

test('a list without Content-Length ends where it costs more than the reads, and is tried again after a minute', async () => {
  const { pass } = stoppedClock();
  let written = 0;
  const list: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const chunk = Buffer.alloc(64 * 1024, ' ');
    const write = () => {
      while (!response.destroyed && response.write(chunk)) written += chunk.length;
      written += chunk.length;
    };
    response.on('drain', write);
    write();
  };
  const { reads } = await crmWith({ list }, HELD);
  await reads(TRIED);
  expect(written).toBeLessThan(16 * 1024 ** 2); // MAX_JOINED_LIST_BYTES, by which it would end else
  await reads(BY_ID);
  pass(MINUTE);
  await reads(TRIED);
});

test.each([403, 404])(
  'a list that answers a credential with %i is not asked for again for a minute, and other credentials read it',
  async (status) => {
    const { pass } = stoppedClock();
    const list: RequestListener = (request, response) => {
      const isRefused = request.url?.includes('refused') === true;
      (isRefused ? saysJson({}, status) : saysJson(clientsUpTo(COUNT)))(request, response);
    };
    const { reads } = await crmWith({ list });
    const refused = { token: 'refused' };
    await reads(TRIED, refused);
    await reads(BY_ID, refused);
    await reads(FROM_LIST);
    pass(MINUTE);
    await reads(TRIED, refused);
  },
);

describe('a list that does not hold what is wanted', () => {
  const WITH_PHONE = JOINED.replace('name', 'name phone');

  test('lacks most of the records: the next operation of the credential reads by id', async () => {
    stoppedClock();
    const list: RequestListener = (request, response) => {
      const count = request.url?.includes('another') ? COUNT : COUNT / 2 - 1;
      saysJson(clientsUpTo(count))(request, response);
    };
    const { reads } = await crmWith({ list });
    await reads({ ...TRIED, [ONE]: COUNT / 2 + 1 });
    await reads(BY_ID);
    await reads(FROM_LIST, { token: 'another' });
  });

  test('lacks a selected key, which records by id have: the next operation of the credential reads by id', async () => {
    stoppedClock();
    const crm = await crmWith({ one: answersClient({ phone: '1' }) });
    expect((await crm.execute(WITH_PHONE)).errors).toEqual([]);
    expect(crm.calls()).toEqual(TRIED);
    expect((await crm.execute(WITH_PHONE)).errors).toEqual([]);
    expect(crm.calls()).toEqual(BY_ID);
    await crm.execute(WITH_PHONE, { token: 'another' });
    expect(crm.calls()).toMatchObject({ [LIST]: 1 });
  });

  test('lacks a key that records by id lack, too: it is read again', async () => {
    stoppedClock();
    const crm = await crmWith({});
    for (let again = 0; again < 2; again += 1) {
      expect((await crm.execute(WITH_PHONE)).errors).toEqual([]);
      expect(crm.calls()).toEqual({ ...TRIED, [ONE]: 3 });
    }
  });
});

test('the trace tells why a list of unknown size is tried, and what it may cost', async () => {
  stoppedClock();
  const crm = await crmWith({}, { TRACE: 'true' });
  const reason =
    'the size of the list is not known yet, and there are more than 32 reads; the list may take 420 kB and 500 ms';
  expect(await crm.execute(JOINED, { headers: { 'x-trivium-trace': '1' } })).toMatchObject({
    extensions: { trace: { calls: [{}, { insteadOf: { reads: COUNT, reason } }] } },
  });
});
