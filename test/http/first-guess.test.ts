import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { stoppedClock } from '../support/clock.ts';
import { HELD, heldTimers } from '../support/deadlines.ts';
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
import { says } from '../support/stub-upstream.ts';

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
  test('costs the operation none of its records, and the next ones do not read it, whoever sends them', async () => {
    const givenUp = heldLists();
    const crm = await gatewayOverCrm({ posts: COUNT, list: hangs });
    expect(await givenUp(crm.execute(JOINED))).toMatchObject(whole);
    expect(crm.calls()).toEqual(TRIED);
    expect(await crm.execute(JOINED, { token: 'another' })).toMatchObject(whole);
    expect(crm.calls()).toEqual(BY_ID);
  });

  test('after its head costs none, either', async () => {
    const givenUp = heldLists();
    const list: RequestListener = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('[');
    };
    const crm = await gatewayOverCrm({ posts: COUNT, list });
    expect(await givenUp(crm.execute(JOINED))).toMatchObject(whole);
    expect(crm.calls()).toEqual(TRIED);
  });

  test('is given up although its size is known, in a part of the deadline', async () => {
    const givenUp = heldLists(150_000);
    let isHanging = false;
    const list: RequestListener = (...call) => (isHanging ? hangs : saysJson(clientsUpTo(COUNT)))(...call);
    const crm = await gatewayOverCrm({ posts: COUNT, list }, { READS_AT_ONCE: 1, ...DEADLINES });
    await crm.execute('{ clients { totalCount } }');
    isHanging = true;
    crm.calls();
    expect(await givenUp(crm.execute(JOINED))).toMatchObject(whole);
    expect(crm.calls()).toEqual(TRIED);
  });
});

describe('what is left of MAX_UPSTREAM_CALLS', () => {
  test.each([
    [COUNT + 2, DEADLINES.UPSTREAM_TIMEOUT_MS / 2, TRIED, []],
    [COUNT + 1, DEADLINES.UPSTREAM_TIMEOUT_MS, FROM_LIST, ['UPSTREAM_TIMEOUT']], // as it is needed
  ])('a list that hangs, and %i calls', async (MAX_UPSTREAM_CALLS, ms, calls, codes) => {
    const givenUp = heldLists(ms, ms === DEADLINES.UPSTREAM_TIMEOUT_MS ? 2 : 1); // the posts have all of it, too
    const settings = { ...DEADLINES, MAX_UPSTREAM_CALLS };
    const crm = await gatewayOverCrm({ posts: COUNT, list: hangs }, settings);
    const { errors } = await givenUp(crm.execute(JOINED));
    expect([...new Set(errors.map(({ extensions }) => extensions['code']))]).toEqual(codes);
    expect(crm.calls()).toEqual(calls);
  });
});

describe('a list whose size is told by Content-Length', () => {
  /** Sends the head only: who waits for the body waits for ever. */
  const tells = (bytes: number, seen: (response: ServerResponse) => void): RequestListener => {
    return (_request, response) => {
      seen(response);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes }).flushHeaders();
    };
  };

  test('ends there where it costs more than the reads, and its size is known from then on', async () => {
    const { pass } = stoppedClock();
    let closed: Promise<unknown> = Promise.reject(new Error('The list was not read.'));
    closed.catch(() => {});
    const list = tells(10_000_000, (response) => {
      closed = once(response, 'close');
    });
    const crm = await gatewayOverCrm({ posts: COUNT, list });
    expect(await crm.execute(JOINED)).toMatchObject(whole);
    await closed;
    expect(crm.calls()).toEqual(TRIED);
    pass(2 * MINUTE);
    expect(await crm.execute(JOINED, { token: 'another' })).toMatchObject(whole);
    expect(crm.calls()).toEqual(BY_ID);
  });
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
  const crm = await gatewayOverCrm({ posts: COUNT, list }, HELD);
  expect(await crm.execute(JOINED)).toMatchObject(whole);
  expect(crm.calls()).toEqual(TRIED);
  expect(written).toBeLessThan(16 * 1024 ** 2); // MAX_JOINED_LIST_BYTES, by which it would end else
  expect(await crm.execute(JOINED)).toMatchObject(whole);
  expect(crm.calls()).toEqual(BY_ID);
  pass(MINUTE);
  await crm.execute(JOINED);
  expect(crm.calls()).toEqual(TRIED);
});

describe('a list that a credential may not read', () => {
  test.each([403, 404])('%i: is not asked for again for a minute, and other credentials read it', async (status) => {
    const { pass } = stoppedClock();
    const list: RequestListener = (request, response) => {
      const isRefused = request.url?.includes('refused') === true;
      (isRefused ? saysJson({}, status) : saysJson(clientsUpTo(COUNT)))(request, response);
    };
    const crm = await gatewayOverCrm({ posts: COUNT, list });
    const refused = { token: 'refused' };
    expect(await crm.execute(JOINED, refused)).toMatchObject(whole);
    expect(crm.calls()).toEqual(TRIED);
    expect(await crm.execute(JOINED, refused)).toMatchObject(whole);
    expect(crm.calls()).toEqual(BY_ID);
    expect(await crm.execute(JOINED)).toMatchObject(whole);
    expect(crm.calls()).toEqual(FROM_LIST);
    pass(MINUTE);
    await crm.execute(JOINED, refused);
    expect(crm.calls()).toEqual(TRIED);
  });

  test.each([
    ['405', saysJson({}, 405)],
    ['a refusal under 200', saysJson({ status: 'error', message: 'no' })],
    ['HTML', says('<html>', { headers: { 'content-type': 'text/html' } })],
    ['broken JSON', says('[{"id":1')],
  ] satisfies [string, RequestListener][])('%s: nobody asks for it again for a minute', async (_name, list) => {
    stoppedClock();
    const crm = await gatewayOverCrm({ posts: COUNT, list });
    expect(await crm.execute(JOINED)).toMatchObject(whole);
    expect(crm.calls()).toEqual(TRIED);
    expect(await crm.execute(JOINED, { token: 'another' })).toMatchObject(whole);
    expect(crm.calls()).toEqual(BY_ID);
  });
});

describe('a list that does not hold what is wanted', () => {
  const WITH_PHONE = JOINED.replace('name', 'name phone');

  test('lacks most of the records: the next operation of the credential reads by id', async () => {
    stoppedClock();
    const list: RequestListener = (request, response) => {
      const count = request.url?.includes('another') ? COUNT : COUNT / 2 - 1;
      saysJson(clientsUpTo(count))(request, response);
    };
    const crm = await gatewayOverCrm({ posts: COUNT, list });
    expect(await crm.execute(JOINED)).toMatchObject(whole);
    expect(crm.calls()).toEqual({ ...TRIED, [ONE]: COUNT / 2 + 1 });
    expect(await crm.execute(JOINED)).toMatchObject(whole);
    expect(crm.calls()).toEqual(BY_ID);
    expect(await crm.execute(JOINED, { token: 'another' })).toMatchObject(whole);
    expect(crm.calls()).toEqual(FROM_LIST);
  });

  test('lacks a selected key, which records by id have: the next operation of the credential reads by id', async () => {
    stoppedClock();
    const crm = await gatewayOverCrm({ posts: COUNT, one: answersClient({ phone: '1' }) });
    expect((await crm.execute(WITH_PHONE)).errors).toEqual([]);
    expect(crm.calls()).toEqual(TRIED);
    expect((await crm.execute(WITH_PHONE)).errors).toEqual([]);
    expect(crm.calls()).toEqual(BY_ID);
    await crm.execute(WITH_PHONE, { token: 'another' });
    expect(crm.calls()).toMatchObject({ [LIST]: 1 });
  });

  test('lacks a key that records by id lack, too: it is read again', async () => {
    stoppedClock();
    const crm = await gatewayOverCrm({ posts: COUNT });
    for (let again = 0; again < 2; again += 1) {
      expect((await crm.execute(WITH_PHONE)).errors).toEqual([]);
      expect(crm.calls()).toEqual({ ...TRIED, [ONE]: 3 });
    }
  });
});

test('the trace tells why a list of unknown size is tried, and what it may cost', async () => {
  stoppedClock();
  const crm = await gatewayOverCrm({ posts: COUNT }, { TRACE: 'true' });
  const reason =
    'the size of the list is not known yet, and there are more than 32 reads; the list may take 755 kB and 500 ms';
  expect(await crm.execute(JOINED, { headers: { 'x-trivium-trace': '1' } })).toMatchObject({
    extensions: { trace: { calls: [{}, { insteadOf: { reads: COUNT, reason } }] } },
  });
});
