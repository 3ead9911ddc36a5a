import { randomBytes } from 'node:crypto';
import type { SharedGenerations } from './generations.ts';
import { AWAY, type SharedStore } from '../../redis/shared-store.ts';
import { SUBJECTS } from './staleness.ts';

/** A write that could not be told is told again after this time, in milliseconds. */
const RETRY_MS = 250;

const MAX_LENGTH = 64;

/**
 * The generations that several gateways share in Redis: a random text for each subject. No generation comes back, also not
 * when Redis has lost them, as a number would that is counted up anew.
 */
export class RedisGenerations implements SharedGenerations {
  readonly #store: Pick<SharedStore, 'key' | 'run'>;
  readonly #keys: readonly string[];
  /** The subjects of writes that could not be told. */
  #untold = new Set<string>();
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(store: Pick<SharedStore, 'key' | 'run'>) {
    this.#store = store;
    this.#keys = SUBJECTS.map((subject) => this.#key(subject));
  }

  /** One round trip. Undefined while Redis is away, and when it has just lost some. */
  async read(): Promise<ReadonlyMap<string, string> | undefined> {
    const found = await this.#store.run((redis) => redis.mget([...this.#keys]));
    if (found === AWAY || !Array.isArray(found)) return undefined; // not the answer of a Redis
    const generations = new Map<string, string>();
    for (const [index, subject] of SUBJECTS.entries()) {
      const generation: unknown = found[index];
      if (typeof generation === 'string' && generation.length <= MAX_LENGTH) generations.set(subject, generation);
    }
    if (generations.size === SUBJECTS.length) return generations;
    await this.renew(SUBJECTS.filter((subject) => !generations.has(subject)));
    return undefined;
  }

  async renew(subjects: readonly string[]): Promise<void> {
    const generation = randomBytes(9).toString('base64');
    const pairs = new Map(subjects.map((subject) => [this.#key(subject), generation]));
    if ((await this.#store.run((redis) => redis.mset(pairs))) !== AWAY) return;
    for (const subject of subjects) this.#untold.add(subject);
    this.#retryLater();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
  }

  #retryLater(): void {
    if (this.#isClosed) return;
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      const untold = [...this.#untold];
      this.#untold = new Set();
      void this.renew(untold);
    }, RETRY_MS).unref();
  }

  #key(subject: string): string {
    return this.#store.key('generation', subject);
  }
}
