import { afterEach, describe, expect, test, vi } from 'vitest';
import { inSlices, type Steps } from '../../../src/formats/slices.ts';

/** Work of so many steps, each of which takes so many milliseconds of `clock`. It writes down its name at each step. */
function* steps(name: string, count: number, ms: number): Steps<string> {
  for (let step = 0; step < count; step += 1) {
    now += ms;
    done.push(name);
    yield;
  }
  return name;
}

let now = 0;
const done: string[] = [];

/** Starts the tests in a turn of their own, with a clock that stands still between steps. */
async function freshTurn() {
  await new Promise((resolve) => setTimeout(resolve, 1));
  now = 0;
  done.length = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

afterEach(() => void vi.restoreAllMocks());

describe('work in slices', () => {
  test('is done at once when its time suffices', async () => {
    await freshTurn();
    expect(inSlices(steps('short', 9, 1))).toBe('short');
    await expect(async () => inSlices(failing(0))).rejects.toThrow('broken');
  });

  test('goes on in other turns when it takes long, and others are served in between', async () => {
    await freshTurn();
    const long = inSlices(steps('long', 50, 1));
    expect(long).toBeInstanceOf(Promise);
    expect(done).toHaveLength(10);
    await nextTurn();
    expect(done.length).toBeLessThanOrEqual(30);
    expect(await long).toBe('long');
  });

  test('waits when others have used the time of the turn', async () => {
    await freshTurn();
    const works = Array.from({ length: 20 }, () => inSlices(steps('one', 1, 4)));
    expect(works.filter((work) => work === 'one')).toHaveLength(2); // the third is not at its end
    expect(done).toHaveLength(3);
    expect(await Promise.all(works)).toHaveLength(20);
  });

  test('takes turns with other work', async () => {
    await freshTurn();
    await Promise.all([inSlices(steps('a', 40, 1)), inSlices(steps('b', 40, 1))]);
    expect(done.indexOf('b')).toBeLessThan(done.lastIndexOf('a'));
  });

  test('rejects with what it throws later', async () => {
    await freshTurn();
    await expect(inSlices(failing(20))).rejects.toThrow('broken');
  });
});

function* failing(after: number): Steps<string> {
  yield* steps('failing', after, 1);
  throw new Error('broken');
}
