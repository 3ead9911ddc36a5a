import { onTestFinished } from 'vitest';

/** Servers that the tests of a file use one after another: starting one takes longer than most tests. */
interface Reusable {
  /** Makes it as it was after its start. */
  reset(): void | Promise<void>;
  close(): Promise<void>;
}

export type Options = Readonly<Record<string, unknown>>;

const pools: Pool<Reusable>[] = [];

/** The addresses of upstreams that the next tests of a file have, too: a gateway over one of them can serve those. */
export const reusableUrls = new Set<string>();

/** Closes what the tests of a file have left. */
export async function closePools(): Promise<void> {
  reusableUrls.clear();
  await Promise.all(pools.map((pool) => pool.close()));
}

export class Pool<Item extends Reusable> {
  readonly #free = new Map<string, Item[]>();

  constructor() {
    pools.push(this);
  }

  /**
   * Takes an item that an earlier test of the file started with the same options, or starts one, until the test ends. After
   * a failure it is closed: its state is unknown.
   *
   * @param options undefined, or with a value that is no JSON, such as a clock: the item is of this test alone
   * @returns the item, and `close`, after which no other test is given it
   */
  async take(
    options: Options | undefined,
    start: () => Promise<Item>,
  ): Promise<{ item: Item; close: () => Promise<void> }> {
    const key = options && keyOf(options);
    const item = (key !== undefined && this.#free.get(key)?.pop()) || (await start());
    let isClosed = false;
    const close = async () => {
      isClosed = true;
      await item.close();
    };
    onTestFinished(async ({ task }) => {
      if (isClosed) return;
      if (key === undefined || task.result?.state === 'fail') return item.close();
      await item.reset();
      this.#free.set(key, [...(this.#free.get(key) ?? []), item]);
    });
    return { item, close };
  }

  async close(): Promise<void> {
    const items = [...this.#free.values()].flat();
    this.#free.clear();
    await Promise.all(items.map((item) => item.close()));
  }
}

/** Undefined where two equal keys would not mean equal options. */
function keyOf(options: Options): string | undefined {
  const isPlain = (value: unknown): boolean =>
    Array.isArray(value) ? value.every(isPlain) : value === null || typeof value !== 'object' || value instanceof URL;
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  const isKey = entries.every(([, value]) => isPlain(value) && typeof value !== 'function');
  return isKey ? JSON.stringify(entries.toSorted(([one], [other]) => (one < other ? -1 : 1))) : undefined;
}
