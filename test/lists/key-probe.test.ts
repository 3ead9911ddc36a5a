import { describe, expect, test } from 'vitest';
import { KeyProbe } from '../../src/lists/key-probe.ts';

interface Deal {
  readonly id: string;
  readonly name?: string;
}

/** Reads the key of this many records at once; `load` answers for each. */
function probing(count: number, load: (index: number) => Promise<Deal | null>) {
  const probe = new KeyProbe<Deal>('name');
  const loaded: number[] = [];
  const results = Array.from({ length: count }, (_none, index) =>
    probe.read(() => {
      loaded.push(index);
      return load(index);
    }),
  );
  return { loaded, results: Promise.allSettled(results), probe };
}

const lacking = async (index: number): Promise<Deal> => ({ id: String(index) });
const having = async (index: number): Promise<Deal> => ({ id: String(index), name: 'a' });

describe('a key that lists lack', () => {
  test('is read from three records when all three lack it', async () => {
    const { loaded, results, probe } = probing(10, lacking);
    expect((await results).map((result) => (result.status === 'fulfilled' ? result.value?.id : 'failed'))).toEqual([
      '0',
      '1',
      '2',
      ...Array.from({ length: 7 }, () => undefined),
    ]);
    expect(loaded).toEqual([0, 1, 2]);
    expect(await probe.read(async () => having(11))).toBeUndefined();
  });

  test('is read from every record once one has it', async () => {
    const { loaded, results } = probing(10, (index) => (index === 2 ? having(index) : lacking(index)));
    expect((await results).every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(loaded).toHaveLength(10);
  });

  test('starts with three reads at once', async () => {
    const { loaded, results } = probing(10, having);
    expect(loaded).toEqual([0, 1, 2]);
    await results;
    expect(loaded).toHaveLength(10);
  });

  test('is not decided by records that are missing or cannot be read', async () => {
    const failing = probing(7, async (index) => {
      if (index < 3) throw new Error('status 500');
      return index === 3 ? null : lacking(index);
    });
    const results = await failing.results;
    expect(results.map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'rejected',
      ...Array(4).fill('fulfilled'),
    ]);
    expect(failing.loaded).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(results[3]).toEqual({ status: 'fulfilled', value: null });
  });
});
