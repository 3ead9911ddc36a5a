import { expect, test } from 'vitest';
import { Departure } from '../../src/calls/transport/departure.ts';
import type { End, Found, ReceiptName, Receipts } from '../../src/idempotency/receipts.ts';

export interface ContractOptions {
  readonly ttlMs: number;
  readonly max: number;
}

/** Receipts that are tried, and how their time passes. */
export interface Tried {
  readonly receipts: Receipts;
  /** As another process sees the same receipts; the same ones where there is one process. */
  readonly others: Receipts;
  /** Lets the time pass, by which leases and receipts end. */
  readonly pass: (ms: number) => Promise<unknown>;
}

const DAY_MS = 86_400_000;

/** A lease that does not end within a test, and one that does. */
export const LONG_MS = 60_000;
const SHORT_MS = 40;

/** Upstream's clock at the begin of a write. */
export const SENT_AT = 1_764_000_000_123;

export const APPLIED: End = { state: 'APPLIED', id: '42' };
export const REFUSED: End = { state: 'REFUSED' };
export const UNKNOWN: End = { state: 'UNKNOWN' };

/** A write. All of them have the same key, mutation, credential and network, unless given, and are of one document. */
export function named(name: Partial<ReceiptName> = {}): ReceiptName {
  return {
    key: 'key',
    mutation: 'mutation',
    place: 'place',
    writes: new Set(['place', 'another', '1', '2', '3']),
    credential: 'credential',
    network: 'network',
    twins: undefined,
    records: undefined,
    ...name,
  };
}

/** A write of another document. */
export const FOREIGN = { place: 'elsewhere', writes: new Set(['elsewhere']) };

/** A creation with the same fields as others at the same endpoint. */
export function creation(name: Partial<ReceiptName> = {}): ReceiptName {
  return named({ twins: 'equal fields', records: 'clients', ...name });
}

/** Begins a write that is to be sent. @returns its attempt */
export async function begun(receipts: Receipts, name: ReceiptName, leaseMs = LONG_MS): Promise<string> {
  const found = await receipts.begin(name, SENT_AT, leaseMs);
  if (found.state !== 'NEW') throw new Error(`The receipt is ${found.state}.`);
  return found.attempt;
}

/** Begins a write and tells its end. */
export async function ended(receipts: Receipts, name: ReceiptName, end: End): Promise<void> {
  await receipts.end(name, await begun(receipts, name), end, SENT_AT + 5);
}

/** What a second attempt is told. */
export async function again(receipts: Receipts, name: ReceiptName): Promise<Found> {
  return receipts.begin(name, SENT_AT + 9, LONG_MS);
}

/** Tests of what `Receipts` promises, for each place where receipts are kept. */
export function receiptContract(open: (options: ContractOptions) => Promise<Tried>): void {
  const opened = (options: Partial<ContractOptions> = {}) => open({ ttlMs: DAY_MS, max: 1_000, ...options });

  test('the first attempt is NEW, and the next one OPEN until its end is told', async () => {
    const { receipts, others } = await opened();
    const attempt = await begun(receipts, named());
    expect(await again(receipts, named())).toEqual({ state: 'OPEN' });
    expect(await again(others, named())).toEqual({ state: 'OPEN' });
    await receipts.end(named(), attempt, APPLIED, SENT_AT);
    expect(await again(receipts, named())).toEqual({ state: 'APPLIED', id: '42' });
    expect(await again(others, named())).toEqual({ state: 'APPLIED', id: '42' });
  });

  test('a look tells the receipt that is there, to other processes, too, and begins none', async () => {
    const { receipts, others, pass } = await open({ ttlMs: DAY_MS, max: 10 });
    const looks = async (name = named()) => [await receipts.look(name), await others.look(name)];
    const both = (found: unknown) => [found, found];
    expect(await looks()).toEqual(both(undefined));
    const attempt = await begun(receipts, named(), SHORT_MS);
    expect(await looks()).toEqual(both({ state: 'OPEN' }));
    expect(await looks(named({ place: 'another' }))).toEqual(both(undefined));
    expect(await looks(named(FOREIGN))).toEqual(both(undefined));
    await pass(SHORT_MS + 1);
    expect(await looks()).toEqual(both(expect.objectContaining({ state: 'UNKNOWN' })));
    await receipts.end(named(), attempt, APPLIED, undefined);
    expect(await looks()).toEqual(both(APPLIED));
    await receipts.look(named({ key: 'unknown' }));
    expect(await others.begin(named({ key: 'unknown' }), undefined, LONG_MS)).toMatchObject({ state: 'NEW' });
  });

  test('an APPLIED one without an id stays without, as does one with an id that no API has', async () => {
    const { receipts } = await opened();
    await ended(receipts, named(), { state: 'APPLIED', id: undefined });
    await ended(receipts, named({ place: 'other' }), { state: 'APPLIED', id: 'x'.repeat(257) });
    for (const place of ['place', 'other'])
      expect(await again(receipts, named({ place }))).toEqual({ state: 'APPLIED', id: undefined });
  });

  test.each(['', ' ', 'a b', '5f0c:ż €', '0', 'x'.repeat(256)])('the id %j is kept as it is', async (id) => {
    const { receipts } = await opened();
    await ended(receipts, named(), { state: 'APPLIED', id });
    expect(await again(receipts, named())).toEqual({ state: 'APPLIED', id });
  });

  test('a REFUSED write changed nothing: it is tried anew, by an attempt of its own', async () => {
    const { receipts } = await opened();
    const first = await begun(receipts, named());
    await receipts.end(named(), first, REFUSED, SENT_AT);
    expect(await begun(receipts, named())).not.toBe(first);
  });

  test('an UNKNOWN write stays so, with the times of its attempt', async () => {
    const { receipts, pass } = await opened();
    await ended(receipts, named(), UNKNOWN);
    await pass(20);
    const found = await again(receipts, named());
    expect(found).toEqual({
      state: 'UNKNOWN',
      sentMsAgo: expect.any(Number),
      sentAt: SENT_AT,
      endedAt: SENT_AT + 5,
    });
    expect(found.state === 'UNKNOWN' && found.sentMsAgo).toBeGreaterThanOrEqual(19);
    expect(found.state === 'UNKNOWN' && found.sentMsAgo).toBeLessThan(LONG_MS);
  });

  test('times of upstream that are not known stay so', async () => {
    const { receipts } = await opened();
    const found = await receipts.begin(named(), undefined, LONG_MS);
    await receipts.end(named(), found.state === 'NEW' ? found.attempt : '', UNKNOWN, undefined);
    expect(await again(receipts, named())).toMatchObject({ sentAt: undefined, endedAt: undefined });
  });

  test('after its lease an attempt counts as UNKNOWN, and may still tell its end', async () => {
    const { receipts, pass } = await opened();
    const attempt = await begun(receipts, named(), SHORT_MS);
    await pass(SHORT_MS + 5);
    expect(await again(receipts, named())).toMatchObject({ state: 'UNKNOWN', sentAt: SENT_AT, endedAt: undefined });
    await receipts.end(named(), attempt, APPLIED, SENT_AT);
    expect(await again(receipts, named())).toEqual({ state: 'APPLIED', id: '42' });
  });

  test('an UNKNOWN attempt may still tell that it was applied or refused', async () => {
    const { receipts } = await opened();
    const attempt = await begun(receipts, named());
    await receipts.end(named(), attempt, UNKNOWN, SENT_AT);
    await receipts.end(named(), attempt, REFUSED, SENT_AT);
    const second = await begun(receipts, named());
    await receipts.end(named(), second, UNKNOWN, SENT_AT);
    await receipts.end(named(), second, APPLIED, SENT_AT);
    expect(await again(receipts, named())).toEqual({ state: 'APPLIED', id: '42' });
  });

  test('an attempt that another one has followed tells nothing, and APPLIED is the last word', async () => {
    const { receipts } = await opened();
    const first = await begun(receipts, named());
    await receipts.end(named(), first, REFUSED, SENT_AT);
    const second = await begun(receipts, named());
    for (const end of [REFUSED, UNKNOWN, APPLIED]) await receipts.end(named(), first, end, SENT_AT);
    expect(await again(receipts, named())).toEqual({ state: 'OPEN' });
    await receipts.end(named(), second, APPLIED, SENT_AT);
    for (const end of [REFUSED, UNKNOWN, { ...APPLIED, id: '43' }]) await receipts.end(named(), second, end, SENT_AT);
    expect(await again(receipts, named())).toEqual({ state: 'APPLIED', id: '42' });
  });

  test('each place under a key has a receipt of its own', async () => {
    const { receipts } = await opened();
    await ended(receipts, named({ place: 'place 0' }), APPLIED);
    const second = named({ place: 'place 1' });
    await ended(receipts, second, REFUSED);
    expect(await again(receipts, second)).toMatchObject({ state: 'NEW' });
    expect(await again(receipts, named({ place: 'place 0' }))).toMatchObject({ state: 'APPLIED' });
  });

  test('a write of a document that lacks another one of its mutation is refused, as long as that one has a receipt', async () => {
    const { receipts } = await opened();
    const [one, two, other] = [named({ place: '1' }), named({ place: '2' }), named(FOREIGN)];
    const attempts = [await begun(receipts, one), await begun(receipts, two)];
    expect(await again(receipts, other)).toEqual({ state: 'REUSED', by: 'OPEN' });
    await receipts.end(one, attempts[0] ?? '', REFUSED, SENT_AT);
    expect(await again(receipts, other)).toEqual({ state: 'REUSED', by: 'OPEN' });
    await receipts.end(two, attempts[1] ?? '', REFUSED, SENT_AT);
    expect(await again(receipts, other)).toMatchObject({ state: 'NEW' });
    expect(await again(receipts, one)).toEqual({ state: 'REUSED', by: 'OPEN' });
    expect(await again(receipts, named({ mutation: 'another' }))).toMatchObject({ state: 'NEW' });
  });

  test('a refusal tells the least certain state of the writes that the document lacks', async () => {
    const { receipts } = await opened();
    await ended(receipts, named({ place: '1' }), APPLIED);
    const other = named({ ...FOREIGN, writes: new Set(['elsewhere', '3']) });
    expect(await again(receipts, other)).toEqual({ state: 'REUSED', by: 'APPLIED' });
    const open = await begun(receipts, named({ place: '2' }));
    await ended(receipts, named({ place: '3' }), UNKNOWN);
    expect(await again(receipts, other)).toEqual({ state: 'REUSED', by: 'OPEN' });
    await receipts.end(named({ place: '2' }), open, UNKNOWN, SENT_AT);
    expect(await again(receipts, other)).toEqual({ state: 'REUSED', by: 'UNKNOWN' });
  });

  test('a write that the key knows is answered whatever else the document has', async () => {
    const { receipts } = await opened();
    await ended(receipts, named({ place: '1' }), APPLIED);
    await ended(receipts, named({ place: '2' }), APPLIED);
    expect(await again(receipts, named({ place: '2', writes: new Set(['2', 'new']) }))).toEqual(APPLIED);
    expect(await again(receipts, named({ place: '2 0', writes: new Set(['1', '2']) }))).toMatchObject({ state: 'NEW' });
  });

  test('a receipt expires, and its key is free for any write', async () => {
    const { receipts, pass } = await opened({ ttlMs: 100 });
    await receipts.end(named(), await begun(receipts, named(), 1), APPLIED, SENT_AT);
    await pass(110);
    expect(await again(receipts, named(FOREIGN))).toMatchObject({ state: 'NEW' });
  });

  test('the receipt of a write under way does not expire', async () => {
    const { receipts, pass } = await opened({ ttlMs: 20 });
    await begun(receipts, named());
    await pass(60);
    expect(await again(receipts, named())).toEqual({ state: 'OPEN' });
  });

  test('a claim makes an UNKNOWN write APPLIED with the id of its record, once', async () => {
    const { receipts } = await opened();
    await ended(receipts, named(), UNKNOWN);
    expect(await receipts.claim(named(), '7')).toBe(true);
    expect(await again(receipts, named())).toEqual({ state: 'APPLIED', id: '7' });
    expect(await receipts.claim(named(), '7')).toBe(true);
    expect(await receipts.claim(named(), '8')).toBe(false);
    expect(await again(receipts, named())).toEqual({ state: 'APPLIED', id: '7' });
  });

  test('what is OPEN, or not there, is not claimed; an attempt whose lease is over is', async () => {
    const { receipts, pass } = await opened();
    expect(await receipts.claim(named(), '7')).toBe(false);
    await begun(receipts, named());
    expect(await receipts.claim(named(), '7')).toBe(false);
    const dead = creation({ key: 'dead' });
    await begun(receipts, dead, SHORT_MS);
    await pass(SHORT_MS + 5);
    expect(await receipts.claim(dead, '7')).toBe(true);
    expect(await again(receipts, dead)).toEqual({ state: 'APPLIED', id: '7' });
  });

  test('an id is not claimed that no API has', async () => {
    const { receipts } = await opened();
    await ended(receipts, named(), UNKNOWN);
    expect(await receipts.claim(named(), 'x'.repeat(257))).toBe(false);
  });

  test('a creation is not claimed while another one with equal fields is OPEN or UNKNOWN, of any caller', async () => {
    const { receipts, others } = await opened();
    const [one, two] = [creation({ key: '1' }), creation({ key: '2', credential: 'other' })];
    await ended(receipts, one, UNKNOWN);
    const attempt = await begun(others, two);
    expect(await receipts.claim(one, '7')).toBe(false);
    await others.end(two, attempt, UNKNOWN, SENT_AT);
    expect(await receipts.claim(one, '7')).toBe(false);
    expect(await others.claim(two, '7')).toBe(false);
    await others.end(two, attempt, { state: 'APPLIED', id: '8' }, SENT_AT);
    expect(await receipts.claim(one, '8')).toBe(false);
    expect(await receipts.claim(one, '7')).toBe(true);
  });

  test('a creation that was refused, or whose receipt has expired, holds up no claim', async () => {
    const { receipts, pass } = await opened({ ttlMs: 1_000 });
    const [one, two, three] = ['1', '2', '3'].map((key) => creation({ key }));
    if (!one || !two || !three) throw new Error('There are three.');
    await begun(receipts, two, 1);
    await pass(600);
    await ended(receipts, one, UNKNOWN);
    await ended(receipts, three, REFUSED);
    expect(await receipts.claim(one, '7')).toBe(false);
    await pass(410);
    expect(await receipts.claim(one, '7')).toBe(true);
  });

  test('a record of one creation is not claimed by another one with other fields, at that endpoint', async () => {
    const { receipts } = await opened();
    await ended(receipts, creation({ key: '1', twins: 'more fields' }), { state: 'APPLIED', id: '7' });
    const two = creation({ key: '2' });
    await ended(receipts, two, UNKNOWN);
    expect(await receipts.claim(two, '7')).toBe(false);
    const post = creation({ key: '3', twins: 'a post', records: 'posts' });
    await ended(receipts, post, UNKNOWN);
    expect(await receipts.claim(post, '7')).toBe(true); // another endpoint, another record 7
    const change = named({ key: '4' });
    await ended(receipts, change, UNKNOWN);
    expect(await receipts.claim(change, '7')).toBe(true); // a change makes no record
  });

  test('a creation that was carried out without a known id may have made the record', async () => {
    const { receipts } = await opened();
    await ended(receipts, creation({ key: '1' }), { state: 'APPLIED', id: undefined });
    const two = creation({ key: '2' });
    await ended(receipts, two, UNKNOWN);
    expect(await receipts.claim(two, '7')).toBe(false);
    const other = creation({ key: '3', twins: 'other fields' });
    await ended(receipts, other, UNKNOWN);
    expect(await receipts.claim(other, '7')).toBe(true);
  });

  test('the claim to a record ends with its receipt', async () => {
    const { receipts, pass } = await opened({ ttlMs: 300 });
    const one = creation({ key: '1', twins: 'more fields' });
    await receipts.end(one, await begun(receipts, one, 1), { state: 'APPLIED', id: '7' }, SENT_AT);
    await pass(310);
    const two = creation({ key: '2' });
    await ended(receipts, two, UNKNOWN);
    expect(await receipts.claim(two, '7')).toBe(true);
  });

  test('of several processes that claim a record for different writes one does', async () => {
    const { receipts, others } = await opened();
    const names = ['1', '2'].map((key) => creation({ key, twins: `fields ${key}` }));
    for (const name of names) await ended(receipts, name, UNKNOWN);
    const claims = await Promise.all(names.map((name, index) => (index === 0 ? receipts : others).claim(name, '7')));
    expect(claims.filter(Boolean)).toHaveLength(1);
  });

  test('a wait ends with the write', async () => {
    const { receipts, others } = await opened();
    await receipts.settled(named(), LONG_MS); // there is nothing to wait for
    const attempt = await begun(receipts, named());
    const waits = [receipts.settled(named(), LONG_MS), others.settled(named(), LONG_MS)];
    await receipts.end(named(), attempt, APPLIED, SENT_AT);
    await Promise.all(waits);
    await receipts.settled(named(), LONG_MS);
  });

  test('a wait ends after its time, and with the lease of the write', async () => {
    const { receipts, pass } = await opened();
    await begun(receipts, named());
    await Promise.all([receipts.settled(named(), 30), pass(35)]);
    expect(await again(receipts, named())).toEqual({ state: 'OPEN' });
    const short = named({ key: 'short' });
    await begun(receipts, short, SHORT_MS);
    await Promise.all([receipts.settled(short, LONG_MS), pass(SHORT_MS + 300)]);
    expect(await again(receipts, short)).toMatchObject({ state: 'UNKNOWN' });
  });

  test('a wait ends when its client disconnects, those of other clients go on, and so does the write', async () => {
    const { receipts, others } = await opened();
    const attempt = await begun(receipts, named());
    const [gone, stays] = [new Departure(), new Departure()];
    let isOver = false;
    const other = receipts.settled(named(), LONG_MS, stays).then(() => (isOver = true));
    const waits = [receipts.settled(named(), LONG_MS, gone), others.settled(named(), LONG_MS, gone)];
    await new Promise(setImmediate);
    gone.happen();
    await Promise.all(waits);
    expect(isOver).toBe(false);
    expect(await again(receipts, named())).toEqual({ state: 'OPEN' });
    await receipts.end(named(), attempt, APPLIED, SENT_AT);
    await other;
  });

  test('of many attempts at once one is NEW', async () => {
    const { receipts, others } = await opened();
    const found = await Promise.all(
      Array.from({ length: 50 }, (_, index) => again(index % 2 === 0 ? receipts : others, named())),
    );
    expect(found.filter(({ state }) => state === 'NEW')).toHaveLength(1);
    expect(found.filter(({ state }) => state === 'OPEN')).toHaveLength(49);
  });
}
