import type { Worker } from 'node:cluster';
import { z } from 'zod';
import { type Count, type SharedCounts, WindowCounts } from '../rates/rates.ts';

/** The time that the primary has to answer, in milliseconds. It does at once, unless the machine is busy. */
const ANSWER_MS = 1_000;

/** A worker has an operation to count for each of these keys, and asks by this number. */
const question = z.object({ count: z.number(), keys: z.array(z.string()) });

/** The counts that a worker asked for by this number. */
const answer = z.object({ counted: z.number(), counts: z.array(z.object({ used: z.number(), msLeft: z.number() })) });

const counts = new WindowCounts();

/** In the primary: counts the operations of a worker, and tells it the counts. */
export function countFor(worker: Worker): void {
  worker.on('message', (message: unknown) => {
    const { data: asked } = question.safeParse(message);
    if (!asked || !worker.isConnected()) return;
    const now = performance.now();
    const told: z.input<typeof answer> = {
      counted: asked.count,
      counts: asked.keys.map((key) => counts.count(key, now)),
    };
    worker.send(told);
  });
}

interface Waiting {
  readonly keys: readonly string[];
  readonly resolve: (counts: readonly Count[] | undefined) => void;
}

/** In a worker: the counts of all workers, which their primary keeps. It is asked once in a turn of the event loop. */
export class PrimaryCounts implements SharedCounts {
  readonly #worker: Worker;
  #waiting: Waiting[] = [];
  readonly #asked = new Map<number, readonly Waiting[]>();
  #last = 0;

  constructor(worker: Worker) {
    this.#worker = worker;
    process.on('message', (message) => {
      const { data: told } = answer.safeParse(message);
      if (told) this.#settle(told.counted, told.counts);
    });
  }

  count(keys: readonly string[]): Promise<readonly Count[] | undefined> {
    return new Promise((resolve) => {
      this.#waiting.push({ keys, resolve });
      if (this.#waiting.length === 1) setImmediate(() => this.#ask());
    });
  }

  #ask(): void {
    const asked = ++this.#last;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#asked.set(asked, waiting);
    setTimeout(() => this.#settle(asked, []), ANSWER_MS).unref();
    const message: z.input<typeof question> = { count: asked, keys: waiting.flatMap(({ keys }) => keys) };
    if (this.#worker.isConnected()) this.#worker.send(message);
    else this.#settle(asked, []);
  }

  #settle(asked: number, all: readonly Count[]): void {
    let next = 0;
    for (const { keys, resolve } of this.#asked.get(asked) ?? []) {
      const own = all.slice(next, (next += keys.length));
      resolve(own.length === keys.length ? own : undefined);
    }
    this.#asked.delete(asked);
  }
}
