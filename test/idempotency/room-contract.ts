import { expect, test } from 'vitest';
import type { ReceiptName, Receipts } from '../../src/idempotency/receipts.ts';
import {
  again,
  APPLIED,
  begun,
  type ContractOptions,
  creation,
  ended,
  named,
  REFUSED,
  SENT_AT,
  type Tried,
  UNKNOWN,
} from './receipt-contract.ts';

const DAY_MS = 86_400_000;

/** Tests of the room of receipts, for each place where they are kept: docs/scale.md, "Receipts of writes". */
export function roomContract(open: (options: ContractOptions) => Promise<Tried>): void {
  const opened = (options: Partial<ContractOptions> = {}) => open({ ttlMs: DAY_MS, max: 1_000, ...options });

  // Keys have no spaces: they are hashes.

  /** Begins writes until there is no room. @returns the number of those that may be sent */
  const fill = async (receipts: Receipts, name: Partial<ReceiptName>, max = Infinity) => {
    for (let count = 0; ; count += 1) {
      if (count === max) return count;
      const found = await again(receipts, named({ ...name, key: `${name.credential}-${name.network}-${count}` }));
      if (found.state !== 'NEW') return found.state === 'FULL' ? count : Number.NaN;
    }
  };
  /** Has upstream accept a credential, by a write whose receipt stays for the time of all. */
  const accepted = async (receipts: Receipts, credential: string) => {
    const name = named({ key: `accepts-${credential}`, credential });
    await receipts.end(name, await begun(receipts, name, 1), APPLIED, SENT_AT);
  };

  test('an accepted credential has four fifths of the room, and what is there is told when it is full', async () => {
    const { receipts } = await opened({ max: 100 });
    await accepted(receipts, 'one');
    expect(await fill(receipts, { credential: 'one' })).toBe(79);
    expect(await again(receipts, named({ key: 'accepts-one', credential: 'one' }))).toEqual(APPLIED);
  });

  test('a further tenth is for the first receipt of an accepted credential', async () => {
    const { receipts, others, pass } = await opened({ max: 100, ttlMs: 1_000 });
    const names = Array.from({ length: 11 }, (_none, index) => `user ${index}`);
    for (const name of names) await accepted(receipts, name);
    await pass(1_100);
    await accepted(receipts, 'busy');
    expect(await fill(receipts, { credential: 'busy' })).toBe(79);
    const counts = [];
    for (const credential of names) counts.push(await fill(others, { credential }));
    expect(counts).toEqual([...Array.from({ length: 10 }, () => 1), 0]);
  });

  test('credentials that were never accepted share a tenth, and a network holds at most half of what is free of it', async () => {
    const { receipts, others } = await opened({ max: 1_000 });
    const countOf = async (network: string) => {
      for (let credential = 0; ; credential += 1)
        if (
          (await fill(
            credential % 2 === 0 ? receipts : others,
            { credential: `${network} ${credential}`, network },
            1,
          )) === 0
        )
          return credential;
    };
    expect([await countOf('a'), await countOf('b'), await countOf('c'), await countOf('d')]).toEqual([50, 25, 13, 6]);
    await ended(receipts, named({ key: 'honest', credential: 'honest', network: 'e' }), APPLIED);
  });

  test('all receipts of a credential count as its own once it is accepted, also after they have expired', async () => {
    const { receipts, others, pass } = await opened({ max: 100, ttlMs: 1_000 });
    const first = named({ key: 'first', credential: 'one' });
    const attempt = await begun(receipts, first, 1);
    for (let key = 0; key < 4; key++) await begun(receipts, named({ key: `${key}`, credential: 'one' }), 1);
    expect(await fill(others, { credential: 'two' })).toBe(0); // of the same network
    await receipts.end(first, attempt, APPLIED, SENT_AT);
    for (let key = 0; key < 5; key++) await begun(others, named({ key: `two ${key}`, credential: 'two' }), 1);
    for (let key = 4; key < 79; key++) await begun(others, named({ key: `${key}`, credential: 'one' }), 1);
    expect(await again(receipts, named({ key: 'more', credential: 'one' }))).toEqual({ state: 'FULL' });
    await pass(1_100);
    expect(await fill(others, { credential: 'one' })).toBe(80);
  });

  test('a write that a read has proven makes its credential an accepted one', async () => {
    const { receipts } = await opened({ max: 100 });
    const name = named({ key: 'unknown', credential: 'one' });
    await ended(receipts, name, UNKNOWN);
    expect(await receipts.claim(name, '7')).toBe(true);
    expect(await fill(receipts, { credential: 'one' })).toBe(79);
  });

  test('a refused write frees its place', async () => {
    const { receipts } = await opened({ max: 100 });
    for (let key = 0; key < 30; key++)
      await ended(receipts, named({ key: `${key}`, credential: `invented ${key}` }), REFUSED);
    expect(await fill(receipts, { credential: 'one' })).toBe(5);
  });

  test('receipts that have expired count for nothing', async () => {
    const { receipts, pass } = await opened({ max: 100, ttlMs: 1_000 });
    await accepted(receipts, 'one');
    for (let round = 0; round < 3; round++) {
      for (let key = round === 0 ? 1 : 0; key < 80; key++)
        await begun(receipts, named({ key: `${round} ${key}`, credential: 'one' }), 1);
      expect(await again(receipts, named({ key: 'more', credential: 'one' }))).toEqual({ state: 'FULL' });
      await pass(1_100);
    }
  });

  /** Longer than the age up to which no receipt is evicted. */
  const OLD_MS = 601_000;

  test('when the room is full, the credential with the most receipts loses its oldest APPLIED ones', async () => {
    const { receipts, others, pass } = await opened({ max: 100 });
    const applied = async (credential: string, key: number) => {
      if (key < 3) await pass(5); // each of the first ones has a time of its own
      await ended(receipts, named({ key: `${credential}-${key}`, credential }), APPLIED);
    };
    await applied('small', 0);
    for (let key = 0; key < 79; key++) await applied('large', key);
    const small = named({ key: 'new', credential: 'small' });
    expect(await again(receipts, small)).toEqual({ state: 'FULL' }); // all of them are young
    await pass(OLD_MS);
    await begun(others, small);
    const states = [];
    for (const name of ['large-0', 'large-1', 'small-0'])
      states.push((await receipts.look(named({ key: name, credential: name.split('-')[0] ?? '' })))?.state);
    expect(states).toEqual([undefined, 'APPLIED', 'APPLIED']);
    await begun(receipts, named({ key: 'large-0', credential: 'large' })); // an evicted key is a new write
    expect(await receipts.look(named({ key: 'large-1', credential: 'large' }))).toBeUndefined();
    expect(await receipts.look(named({ key: 'large-2', credential: 'large' }))).toEqual(APPLIED);
  });

  test('UNKNOWN and open receipts are never evicted, nor those of credentials with fewer receipts: the largest is refused', async () => {
    const { receipts, pass } = await opened({ max: 100 });
    await accepted(receipts, 'small');
    await accepted(receipts, 'large');
    for (let key = 0; key < 39; key++)
      await ended(receipts, named({ key: `unknown-${key}`, credential: 'large' }), UNKNOWN);
    for (let key = 0; key < 39; key++)
      await begun(receipts, named({ key: `open-${key}`, credential: 'large' }), 3_000_000);
    await pass(OLD_MS);
    await begun(receipts, named({ key: 'one', credential: 'large' })); // instead of the one that accepted it
    expect(await again(receipts, named({ key: 'two', credential: 'large' }))).toEqual({ state: 'FULL' });
    expect(await receipts.look(named({ key: 'accepts-small', credential: 'small' }))).toEqual(APPLIED);
    expect(await receipts.look(named({ key: 'unknown-0', credential: 'large' }))).toMatchObject({ state: 'UNKNOWN' });
    expect(await receipts.look(named({ key: 'open-0', credential: 'large' }))).toEqual({ state: 'OPEN' });
  });

  test('where the largest credential has nothing to evict, the next one does', async () => {
    const { receipts, pass } = await opened({ max: 100 });
    for (const credential of ['stuck', 'large', 'small']) await accepted(receipts, credential);
    await pass(5);
    for (let key = 0; key < 50; key++)
      await ended(receipts, named({ key: `stuck-${key}`, credential: 'stuck' }), UNKNOWN);
    for (let key = 0; key < 27; key++)
      await ended(receipts, named({ key: `large-${key}`, credential: 'large' }), APPLIED);
    await pass(OLD_MS);
    await begun(receipts, named({ key: 'stuck', credential: 'stuck' })); // instead of the one that accepted it
    await begun(receipts, named({ key: 'small', credential: 'small' }));
    expect(await receipts.look(named({ key: 'accepts-large', credential: 'large' }))).toBeUndefined();
    expect(await receipts.look(named({ key: 'accepts-small', credential: 'small' }))).toEqual(APPLIED);
  });

  test('the record of an evicted creation proves no other one', async () => {
    const { receipts, pass } = await opened({ max: 100 });
    const [evicted, unknown] = [creation({ key: 'evicted' }), creation({ key: 'unknown', twins: 'other fields' })];
    await ended(receipts, evicted, { state: 'APPLIED', id: '7' });
    await ended(receipts, unknown, UNKNOWN);
    await fill(receipts, { credential: 'credential' });
    await pass(OLD_MS);
    await begun(receipts, named({ key: 'more' }));
    expect(await receipts.look(evicted)).toBeUndefined();
    expect(await receipts.claim(unknown, '7')).toBe(false);
  });
}
