import type { Worker } from 'node:cluster';
import { type Count, type SharedCounts, WindowCounts } from '../rates/rates.ts';

/** The primary has so many milliseconds to answer. It does at once, unless the machine is busy. */
const ANSWER_MS = 1_000;

/** A worker has an operation to count for each of these keys, and asks by this number. */
interface Question {
  readonly count: number;
  readonly keys: readonly string[];
}

/** The counts that a worker asked for by this number. */
interface Answer {
  readonly counted: number;
  readonly counts: readonly Count[];
}

const counts = new WindowCounts();

/** In the primary: counts the operations of a worker, and tells it the counts. */
export function countFor(worker: Worker): void {
  worker.on('message', (message: unknown) => {
    if (!isQuestion(message) || !worker.isConnected()) return;
    const now = performance.now();
    const answer: Answer = {
      counted: message.count,
      counts: message.keys.map((key) => counts.count(key, now)),
    };
    worker.send(answer);
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
      if (isAnswer(message)) this.#settle(message.counted, message.counts);
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
    const message: Question = { count: asked, keys: waiting.flatMap(({ keys }) => keys) };
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

function isQuestion(message: unknown): message is Question {
  return isNumbered(message, 'count', 'keys', (key) => typeof key === 'string');
}

function isAnswer(message: unknown): message is Answer {
  return isNumbered(message, 'counted', 'counts', isCount);
}

/** Whether a message has a number, and a list of such items, under these names. */
function isNumbered(message: unknown, number: string, list: string, isItem: (item: unknown) => boolean): boolean {
  if (typeof message !== 'object' || message === null) return false;
  const values = new Map<string, unknown>(Object.entries(message));
  const items = values.get(list);
  return typeof values.get(number) === 'number' && Array.isArray(items) && items.every(isItem);
}

function isCount(item: unknown): boolean {
  if (typeof item !== 'object' || item === null || !('used' in item) || !('msLeft' in item)) return false;
  return typeof item.used === 'number' && typeof item.msLeft === 'number';
}
