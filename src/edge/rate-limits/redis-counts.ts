import { RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import { AWAY, type SharedStore } from '../../redis/shared-store.ts';
import { type Count, type SharedCounts, WINDOW_SECONDS } from './rates.ts';

type Client = Parameters<Parameters<SharedStore['run']>[0]>[0];

/** The counts of all gateways that share a Redis: a number for each key, which Redis deletes at the end of its window. */
export class RedisCounts implements SharedCounts {
  readonly #store: SharedStore;
  /** The store has another client after each interruption. */
  readonly #limiters = new WeakMap<Client, RateLimiterRedis>();

  constructor(store: SharedStore) {
    this.#store = store;
  }

  async count(keys: readonly string[]): Promise<readonly Count[] | undefined> {
    const results = await this.#store.run((client) => {
      const limiter = this.#limiter(client);
      return Promise.all(keys.map((key) => limiter.consume(key)));
    });
    if (results === AWAY) return undefined;
    const counts = results.map(countOf);
    return counts.every((count) => count !== undefined) ? counts : undefined;
  }

  #limiter(client: Client): RateLimiterRedis {
    const known = this.#limiters.get(client);
    if (known) return known;
    const limiter = new RateLimiterRedis({
      storeClient: client,
      keyPrefix: 'trivium:rate',
      duration: WINDOW_SECONDS,
      points: Number.MAX_SAFE_INTEGER, // it counts; the limits are compared elsewhere
    });
    this.#limiters.set(client, limiter);
    return limiter;
  }
}

/** @returns undefined for numbers that no counter has */
function countOf({ consumedPoints, msBeforeNext }: RateLimiterRes): Count | undefined {
  const isCount = Number.isSafeInteger(consumedPoints) && consumedPoints > 0;
  const isTime = typeof msBeforeNext === 'number' && msBeforeNext >= 0 && msBeforeNext <= WINDOW_SECONDS * 1_000;
  return isCount && isTime ? { used: consumedPoints, msLeft: msBeforeNext } : undefined;
}
